// jsonc-parser is imported by this path, here and in the files beside it: for Node a bundler would take the package's UMD
// build, whose inner files it cannot see.

import { type Node, type ParseError, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { isTooDeep } from '../base/jsonText.ts';

/** The kinds of files that hold server definitions, each at its own place. */
export type DocumentKind = 'settings' | 'workspaceFile' | 'vscodeMcp' | 'mcpJson' | 'claudeDesktop' | 'cursor';

/** The path from the root of the document to the object of names and definitions. */
export const serversPath: Readonly<Record<DocumentKind, readonly string[]>> = {
  settings: ['duplex.mcpServers'],
  workspaceFile: ['settings', 'duplex.mcpServers'],
  vscodeMcp: ['servers'],
  mcpJson: ['mcpServers'],
  claudeDesktop: ['mcpServers'],
  cursor: ['mcpServers'],
};

/** The keys under which the tools keep their servers at the root of a file. */
const sectionKeys = ['servers', 'mcpServers', 'context_servers'];

/** The path of a document's inputs. Files of other hosts have none that Duplex uses. */
export const inputsPath: Readonly<Record<DocumentKind, readonly string[] | undefined>> = {
  settings: ['duplex.inputs'],
  workspaceFile: ['settings', 'duplex.inputs'],
  vscodeMcp: ['inputs'],
  mcpJson: undefined,
  claudeDesktop: undefined,
  cursor: undefined,
};

/** One glob for all kinds, for an editor that picks the documents to send. */
export const documentPattern =
  '**/{settings.json,*.code-workspace,.vscode/mcp.json,User/mcp.json,.cursor/mcp.json,.mcp.json,claude_desktop_config.json}';

/**
 * The kind is known by the name of the file, whatever the scheme: user settings are `vscode-userdata:` on a desktop and
 * `file:` elsewhere.
 */
export function documentKind(uri: string): DocumentKind | undefined {
  const segments = pathOf(uri).split('/');
  const name = segments.at(-1) ?? '';
  switch (name) {
    case 'settings.json':
      return 'settings';
    case '.mcp.json':
      return 'mcpJson';
    case 'claude_desktop_config.json':
      return 'claudeDesktop';
    case 'mcp.json':
      return kindOfFolder.get(segments.at(-2) ?? '');
    default:
      return name.endsWith('.code-workspace') ? 'workspaceFile' : undefined;
  }
}

/** Whose file an `mcp.json` is, by the folder it stands in. VS Code's own is in the folder of its user data. */
const kindOfFolder: ReadonlyMap<string, DocumentKind> = new Map([
  ['.vscode', 'vscodeMcp'],
  ['User', 'vscodeMcp'],
  ['.cursor', 'cursor'],
]);

/** Whether the file is one of Duplex's own settings. Files of other hosts may hold keys that mean something to those hosts. */
export function isOwnSetting(kind: DocumentKind): boolean {
  return kind === 'settings' || kind === 'workspaceFile';
}

function pathOf(uri: string): string {
  const path = uri.replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A member of an object. While it is being typed, `valueNode` may be missing. */
export interface Property {
  readonly name: string;
  readonly keyNode: Node;
  readonly valueNode: Node | undefined;
}

/** The members in the order of the text, with repeated names, which a parsed value would have lost. */
export function propertiesOf(object: Node): readonly Property[] {
  const members = object.type === 'object' ? (object.children ?? []) : [];
  return members.flatMap((member) => {
    const [keyNode, valueNode] = member.children ?? [];
    const name: unknown = keyNode?.value;
    return keyNode !== undefined && typeof name === 'string' ? [{ name, keyNode, valueNode }] : [];
  });
}

/** The last member of that name, which is the one that JSON readers take. */
export function propertyOf(object: Node, name: string): Property | undefined {
  return propertiesOf(object).findLast((property) => property.name === name);
}

/** The text of a string member. */
export function stringOf(object: Node, name: string): { readonly text: string; readonly node: Node } | undefined {
  const node = propertyOf(object, name)?.valueNode;
  const text: unknown = node?.value;
  return node !== undefined && typeof text === 'string' ? { text, node } : undefined;
}

/** Every object of names and definitions in the document. A key may occur twice, and people paste a wrapper from other hosts. */
export function findServers(root: Node, kind: DocumentKind): readonly Node[] {
  let found: readonly Node[] = [root];
  for (const step of serversPath[kind]) {
    found = found.flatMap((node) => membersCalled(node, step));
  }
  const wrapped = found.flatMap((servers) => [servers, ...membersCalled(servers, 'mcpServers').filter(isWrapped)]);
  return [...wrapped, ...foreignSections(root, kind).flatMap(({ valueNode }) => valueNode ?? [])];
}

/** The members at the root of another tool's file that hold servers under a key that the file's own tool does not read. */
export function foreignSections(root: Node, kind: DocumentKind): readonly Property[] {
  const [own] = serversPath[kind];
  const isSection = ({ name, valueNode }: Property): boolean =>
    name !== own && sectionKeys.includes(name) && valueNode?.type === 'object' && isWrapped(valueNode);
  return isOwnSetting(kind) ? [] : propertiesOf(root).filter(isSection);
}

/** One server of a document. */
export interface WrittenServer extends Property {
  /** The object of names and definitions that it stands in. */
  readonly section: Node;
}

/** Every server of a document in the order of the text, half-written ones included. */
export function serversIn(root: Node, kind: DocumentKind): readonly WrittenServer[] {
  return findServers(root, kind)
    .flatMap((section) => propertiesOf(section).flatMap((each) => (isWrapper(each) ? [] : [{ ...each, section }])))
    .sort((one, other) => one.keyNode.offset - other.keyNode.offset);
}

/** Nobody wrote a larger file by hand, and help would only cost time. */
const maxText = 2_000_000;

/** Whether a document is read at all: one that is too long or nested too deeply would hold up everything, or end the process. */
export function isReadable(text: string): boolean {
  return text.length <= maxText && !isTooDeep(text);
}

/** The tree of a document, as far as its text can be understood; undefined for a text that is not read or has nothing in it. */
export function treeOf(text: string): Node | undefined {
  return treeWithFaults(text).root;
}

/** The tree of a document as `treeOf` makes it, and whether the text is no whole JSON: the tree is then a guess. */
export function treeWithFaults(text: string): { readonly root: Node | undefined; readonly hasFaults: boolean } {
  const errors: ParseError[] = [];
  const root = isReadable(text) ? parseTree(text, errors, { allowTrailingComma: true, disallowComments: false }) : undefined;
  return { root, hasFaults: errors.length > 0 };
}

/** Whether the member is a wrapper `{"mcpServers": {…}}` around definitions. With a command or a url in it, it is a server of that name. */
export function isWrapper(property: Property): boolean {
  return property.name === 'mcpServers' && property.valueNode !== undefined && isWrapped(property.valueNode);
}

/** The name of the member that has this value. */
export function memberName(value: Node): string {
  const name: unknown = value.parent?.children?.[0]?.value;
  return typeof name === 'string' ? name : '';
}

/** The range of a node, its quotes or brackets included. */
export function rangeOf(node: Node): { readonly start: number; readonly end: number } {
  return { start: node.offset, end: node.offset + node.length };
}

function membersCalled(object: Node, name: string): readonly Node[] {
  return propertiesOf(object).flatMap((property) => (property.name === name && property.valueNode ? [property.valueNode] : []));
}

function isWrapped(value: Node): boolean {
  return value.type === 'object' && !propertiesOf(value).some(({ name }) => name === 'command' || name === 'url');
}
