import { findNodeAtLocation, type Node, parse, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { isJsonObject } from '../base/json.ts';
import { inputDefinition, type InputDefinition } from '../contract/definitionSchemas.ts';
import { type Blank, findBlanks } from './pasted/blanks.ts';
import { freeInputId } from './pasted/newInputs.ts';

type JsonPath = readonly (string | number)[];

/** A change of a document, as offsets into its text before any change. */
export interface FileEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** Where in a file a secret stands, as paths in its JSON. */
export interface SecretInFile {
  /** The path of the definition, from the root of the file. */
  readonly definition: JsonPath;
  /** The path of the text in the definition: `['env', 'TOKEN']`. */
  readonly path: JsonPath;
  /** The path of the file's inputs, from its root. */
  readonly inputs: JsonPath;
  /** The name of the server, from which the id of the input is made. */
  readonly server: string;
}

export interface MovedSecret {
  readonly changes: readonly FileEdit[];
  readonly input: InputDefinition;
  /** What stood there. It is a secret, or only a placeholder for one. */
  readonly text: string;
  readonly isPlaceholder: boolean;
}

/** Takes a secret out of a definition: an input stands in its place, and is added to the inputs of the file. Undefined when there is none there. */
export function moveSecretOut(text: string, { definition, path, inputs, server }: SecretInFile): MovedSecret | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, [...definition]);
  const textNode = node && findNodeAtLocation(node, [...path]);
  const blank = node && secretAt(valueIn(text, node), path);
  const whole: unknown = textNode?.value;
  if (root === undefined || textNode === undefined || blank === undefined || typeof whole !== 'string') {
    return undefined;
  }
  const list = findNodeAtLocation(root, [...inputs]);
  const id = freeInputId(`${server}-${blank.label}`, list === undefined ? [] : idsIn(valueIn(text, list)));
  const input: InputDefinition = { id, type: 'promptString', description: blank.label, password: true };
  const written = `${whole.slice(0, blank.from)}\${input:${id}}${whole.slice(blank.to)}`;
  const added = addInput(text, root, inputs, input);
  if (added === undefined) {
    return undefined;
  }
  const changes = [added, replaceNode(textNode, written)].sort((one, other) => one.start - other.start);
  return { changes, input, text: blank.text, isPlaceholder: blank.kind === 'missing' };
}

/** The secret, or the place for one, at a path of a definition. */
export function secretAt(raw: unknown, path: JsonPath): Blank | undefined {
  const isThere = (blank: Blank): boolean => blank.path.length === path.length && blank.path.every((step, index) => step === path[index]);
  return (isJsonObject(raw) ? findBlanks(raw) : []).find((blank) => blank.isSecret && blank.mayHaveInput && isThere(blank));
}

function valueIn(text: string, { offset, length }: Node): unknown {
  return parse(text.slice(offset, offset + length), [], { allowTrailingComma: true });
}

function idsIn(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : []).flatMap((each: unknown) => inputDefinition().safeParse(each).data?.id ?? []);
}

/** Adds an input to those of a file. Undefined where what stands there is no list, or where the list would have no place. */
export function addInput(text: string, root: Node, path: JsonPath, input: InputDefinition): FileEdit | undefined {
  const list = findNodeAtLocation(root, [...path]);
  if (list !== undefined) {
    return list.type === 'array' ? addItem(text, list, input) : undefined;
  }
  const around = findNodeAtLocation(root, path.slice(0, -1)) ?? root;
  return around.type === 'object' ? addMember(text, around, String(path.at(-1)), [input]) : undefined;
}

/** Adds a member before all others, in the style of the object. */
export function addMember(text: string, object: Node, key: string, value: unknown): FileEdit {
  const first = object.children?.[0];
  const start = object.offset + 1;
  const member = `${JSON.stringify(key)}: ${inOneLine(value)}`;
  if (first === undefined) {
    return { start, end: start, newText: ` ${member} ` };
  }
  const gap = text.slice(start, first.offset);
  const newText = /^\s*$/.test(gap) ? `${gap}${member},` : ` ${member},`;
  return { start, end: start, newText };
}

function addItem(text: string, list: Node, value: unknown): FileEdit {
  const last = list.children?.at(-1);
  const start = last === undefined ? list.offset + 1 : last.offset + last.length;
  const gap = text.slice(list.offset + 1, list.children?.[0]?.offset ?? start);
  const newText = last === undefined ? inOneLine(value) : `,${/^\s*$/.test(gap) && gap !== '' ? gap : ' '}${inOneLine(value)}`;
  return { start, end: start, newText };
}

function inOneLine(value: unknown): string {
  return JSON.stringify(value, undefined, 1).replace(/\n\s*/g, ' ');
}

/** Replaces a node by a value. */
export function replaceNode(node: Node, value: unknown): FileEdit {
  return { start: node.offset, end: node.offset + node.length, newText: JSON.stringify(value) };
}
