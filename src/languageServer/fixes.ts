import { findNodeAtLocation, getNodePath, getNodeValue, type Node } from 'jsonc-parser/lib/esm/main.js';
import type { SecretToMove } from '../contract/configurationHelp.ts';
import { addInput, addMember, replaceNode, secretAt, type FileEdit } from '../definitions/movedSecret.ts';
import { isPlainSecret } from '../secrets/secretNames.ts';
import { keyHelp } from './helpTexts.ts';
import { argumentsOf, fetchedPackage } from './checks/checkCommand.ts';
import { copiedForms, writtenAs } from './copiedForms.ts';
import {
  type DocumentKind,
  foreignSections,
  inputsPath,
  propertiesOf,
  propertyOf,
  serversIn,
  serversPath,
  treeOf,
  type WrittenServer,
} from './documents.ts';
import { convertSection, ownType, withVariablesOf } from './otherForms.ts';
import type { FixWords } from './fixTitles.ts';
import type { DocumentProblem, ProblemCode } from './problem.ts';
import { validate } from './checks/validate.ts';

/** A change that the editor offers. A secret is moved by the editor itself: only it has a place for it. */
export type Fix = FixWords & {
  readonly changes: readonly FileEdit[];
  /** The problem that it mends; undefined for what can be done where nothing is wrong. */
  readonly problem?: DocumentProblem | undefined;
  readonly isPreferred?: boolean;
  readonly secret?: Omit<SecretToMove, 'uri'>;
  /** A text for the clipboard; the file stays as it is. */
  readonly copied?: string;
};

export interface FixContext {
  readonly text: string;
  readonly kind: DocumentKind;
  /** The part of the text that is asked about. */
  readonly start: number;
  readonly end: number;
  /** The version of a package that is on this machine already; nobody is asked for it over the network. */
  readonly versionOf: (name: string, runner: 'npx' | 'uvx') => Promise<string | undefined>;
}

/** Everything that can be mended or changed in a part of a document. */
export async function fixesIn(context: FixContext): Promise<readonly Fix[]> {
  const { text, kind, start, end } = context;
  const root = treeOf(text);
  if (root === undefined) {
    return [];
  }
  const isAsked = (range: { readonly start: number; readonly end: number }): boolean => range.start <= end && range.end >= start;
  const servers = serversIn(root, kind);
  const fixes: Fix[] = [];
  for (const problem of validate(text, kind).filter(isAsked)) {
    const server = servers.findLast(({ keyNode }) => keyNode.offset <= problem.start);
    const found = fixers[problem.code]?.(problem, nodeAt(root, problem), { ...context, root, server }) ?? [];
    fixes.push(...found.map((fix) => ({ ...fix, problem })));
    const pinned = problem.code === 'unpinnedPackage' && server !== undefined ? await pinnedPackage(server, context.versionOf) : undefined;
    fixes.push(...(pinned === undefined ? [] : [{ ...pinned, problem }]));
  }
  const here = servers.filter(({ keyNode }) => isAsked({ start: keyNode.offset, end: keyNode.offset + keyNode.length }));
  return [...fixes, ...here.flatMap((server) => [...disabled(server, text), ...copies(server, kind)])];
}

interface ProblemContext extends FixContext {
  readonly root: Node;
  readonly server: WrittenServer | undefined;
}

type Fixer = (problem: DocumentProblem, node: Node, context: ProblemContext) => readonly Fix[];

const nearKey: Fixer = (problem, node) => {
  const near = nearestKey(String(problem.args['key']), node);
  return near === undefined ? [] : [change(node, near)];
};

const takenOut: Fixer = (problem, node, { server, ...context }) =>
  server === undefined ? [] : secretFixes(problem, node, { ...context, server });

/** What mends each problem. What is not here has to be thought about by a person. */
const fixers: Partial<Record<ProblemCode, Fixer>> = {
  unknownKey: nearKey,
  foreignKey: nearKey,
  otherToolsKey: (problem, node) => [change(node, String(problem.args['own']))],
  wrongValue: (_problem, node) => {
    const own = ownType(node.value);
    return own === undefined ? [] : [change(node, own)];
  },
  wrongSection: (problem, node, { root, kind }) => {
    const section = foreignSections(root, kind).find(({ keyNode }) => keyNode === node);
    const isFree = propertiesOf(root).every(({ name }) => name !== problem.args['expected']);
    const isOne = section !== undefined && isFree;
    return isOne ? [{ code: 'fix.convert', args: {}, changes: convertSection(section, kind), isPreferred: true }] : [];
  },
  unknownVariable: (_problem, node, { kind }) => variableFix(node, kind),
  unknownInput: (problem, _node, context) => missingInput(String(problem.args['input']), context),
  secretInPlainText: takenOut,
  secretInArgument: takenOut,
  secretInUrl: takenOut,
  needlessShell: (problem, _node, { server }) => (server === undefined ? [] : withoutShell(server, String(problem.args['shell']))),
};

/** The smallest node around the beginning of a problem. */
function nodeAt(root: Node, { start }: DocumentProblem): Node {
  let node = root;
  for (;;) {
    const inner = node.children?.find(({ offset, length }) => offset <= start && start < offset + length);
    if (inner === undefined) {
      return node;
    }
    node = inner;
  }
}

function change(node: Node, to: string): Fix {
  return { code: 'fix.change', args: { to: JSON.stringify(to) }, changes: [replaceNode(node, to)], isPreferred: true };
}

/** The known key that was probably meant: one that differs by a slip or two, and is not there yet. */
function nearestKey(key: string, keyNode: Node): string | undefined {
  const object = keyNode.parent?.parent;
  const path = keyNode.parent === undefined ? [] : getNodePath(keyNode.parent.children?.[1] ?? keyNode);
  const outer = String(path.at(-2));
  const inner = Object.keys(keyHelp).flatMap((each) => (each.startsWith(`${outer}.`) ? [each.slice(outer.length + 1)] : []));
  const known = inner.length > 0 ? inner : Object.keys(keyHelp).filter((each) => !each.includes('.'));
  const present = object === undefined ? [] : propertiesOf(object).map(({ name }) => name);
  const near = known
    .filter((each) => !present.includes(each))
    .map((each) => ({ each, slips: slipsBetween(key.toLowerCase().replaceAll(/[_-]/g, ''), each.toLowerCase()) }))
    .filter(({ each, slips }) => slips <= Math.min(2, Math.floor(each.length / 2)))
    .sort((one, other) => one.slips - other.slips);
  return near[0]?.each;
}

/** The most characters of keys that are compared; longer ones count as far apart. */
const maxKeyLength = 40;

/** How many letters have to be changed, added, left out or swapped with their neighbour. */
export function slipsBetween(one: string, other: string): number {
  if (one.length > maxKeyLength || other.length > maxKeyLength) {
    return maxKeyLength;
  }
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const cost = Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + (isSame ? 0 : 1));
      next.push(isSwapped ? Math.min(cost, (before[to - 2] ?? 0) + 1) : cost);
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? maxKeyLength;
}

/** `${NAME}` of another tool is `${env:NAME}` here. */
function variableFix(node: Node, kind: DocumentKind): readonly Fix[] {
  const text: unknown = node.value;
  const converted = typeof text === 'string' && kind !== 'mcpJson' ? withVariablesOf(kind, text) : text;
  return typeof converted !== 'string' || converted === text ? [] : [change(node, converted)];
}

function missingInput(id: string, { text, root, kind }: ProblemContext): readonly Fix[] {
  const path = inputsPath[kind];
  const input = { id, type: 'promptString' as const, description: id, ...(isPlainSecret(id, 'value') ? { password: true } : {}) };
  const added = path === undefined ? undefined : addInput(text, root, path, input);
  return added === undefined ? [] : [{ code: 'fix.addInput', args: { input: id }, changes: [added], isPreferred: true }];
}

/** A secret goes to the secret storage where the file can name inputs; elsewhere a variable can stand for it. */
function secretFixes(problem: DocumentProblem, node: Node, context: ProblemContext & { readonly server: WrittenServer }): readonly Fix[] {
  const { root, kind, server } = context;
  const definition = server.valueNode;
  const inputs = inputsPath[kind];
  if (definition === undefined) {
    return [];
  }
  const own = getNodePath(definition);
  const path = getNodePath(node).slice(own.length);
  const blank = findNodeAtLocation(root, own) === definition ? secretAt(getNodeValue(definition), path) : undefined;
  const key = String(problem.args['key']);
  if (inputs !== undefined && blank !== undefined) {
    const secret = { server: server.name, definition: own, path, inputs: [...inputs] };
    const words: FixWords =
      blank.kind === 'missing' ? { code: 'fix.askAtStart', args: { key } } : { code: 'fix.moveSecret', args: { key } };
    return [{ ...words, changes: [], secret, isPreferred: true }];
  }
  const variable = problem.code === 'secretInPlainText' ? String(problem.args['variable']) : undefined;
  return variable === undefined ? [] : [{ code: 'fix.useVariable', args: { variable }, changes: [replaceNode(node, variable)] }];
}

function withoutShell({ valueNode }: WrittenServer, shell: string): readonly Fix[] {
  const command = valueNode && propertyOf(valueNode, 'command')?.valueNode;
  const args = valueNode && propertyOf(valueNode, 'args')?.valueNode;
  const [flag, program, ...others] = args?.children ?? [];
  if (command === undefined || flag === undefined || program === undefined) {
    return [];
  }
  const end = others[0]?.offset ?? program.offset + program.length;
  const name = String(program.value);
  const changes = [replaceNode(command, name), { start: flag.offset, end, newText: '' }];
  return [{ code: 'fix.withoutShell', args: { program: name, shell }, changes: byPlace(changes), isPreferred: true }];
}

async function pinnedPackage({ valueNode }: WrittenServer, versionOf: FixContext['versionOf']): Promise<Fix | undefined> {
  const command: unknown = valueNode && propertyOf(valueNode, 'command')?.valueNode?.value;
  if (valueNode === undefined || typeof command !== 'string') {
    return undefined;
  }
  const { nodes, texts } = argumentsOf(valueNode);
  const fetched = fetchedPackage(command, texts);
  const node = fetched && nodes[fetched.index];
  const version = fetched && (await versionOf(fetched.name, fetched.runner));
  if (fetched === undefined || node === undefined || version === undefined || String(node.value).includes('[')) {
    return undefined; // what uvx is to install beside it would be lost
  }
  // Behind --from stands a requirement of Python, elsewhere a word of the runner's own.
  const isRequirement = fetched.prefix !== '' || texts[fetched.index - 1] === '--from';
  const separator = fetched.runner === 'uvx' && isRequirement ? '==' : '@';
  return {
    code: 'fix.pin',
    args: { version },
    changes: [replaceNode(node, `${fetched.prefix}${fetched.name}${separator}${version}`)],
    isPreferred: true,
  };
}

/** A server can be kept without being used. */
function disabled({ name, valueNode }: WrittenServer, text: string): readonly Fix[] {
  const present = valueNode && propertyOf(valueNode, 'disabled');
  if (valueNode?.type !== 'object' || present?.valueNode?.value === true) {
    return [];
  }
  const change = present?.valueNode === undefined ? addMember(text, valueNode, 'disabled', true) : replaceNode(present.valueNode, true);
  return [{ code: 'fix.disable', args: { name }, changes: [change] }];
}

/** A server can be taken to another tool, in the form of that tool. */
function copies({ name, valueNode }: WrittenServer, kind: DocumentKind): readonly Fix[] {
  const definition: unknown = valueNode && getNodeValue(valueNode);
  const others = copiedForms.filter((form) => form !== serversPath[kind][0]);
  return others.flatMap((form) => {
    const copied = writtenAs(form, name, definition);
    return copied === undefined ? [] : [{ code: 'fix.copyAs' as const, args: { name, form }, changes: [], copied }];
  });
}

function byPlace(changes: readonly FileEdit[]): readonly FileEdit[] {
  return [...changes].sort((one, other) => one.start - other.start);
}
