import { findNodeAtLocation, getLocation, type Location } from 'jsonc-parser/lib/esm/main.js';
import { type DocumentKind, propertiesOf, serversPath, stringOf, treeOf } from './documents.ts';
import { knownInputs } from './checkValues.ts';

/** A text that can be written at a place. */
export interface TextProposal {
  readonly label: string;
  readonly help: string;
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** Whether `$1` and `${2:text}` in the new text are places to fill in. */
  readonly isSnippet: boolean;
}

/** The variables that can be written at an offset: inside a text of a definition, after `$` or `${`. */
export function variablesAt(text: string, kind: DocumentKind, offset: number, env: readonly string[]): readonly TextProposal[] {
  const location = getLocation(text, offset);
  const depth = serversPath[kind].length + 1;
  const node = location.previousNode;
  if (location.isAtPropertyKey || node?.type !== 'string' || location.path.length <= depth || !isBelowServers(location, kind)) {
    return [];
  }
  const before = text.slice(node.offset, offset);
  const [written] = /\$(?:\{[\w:.-]*)?$/.exec(before) ?? [];
  if (written === undefined) {
    return [];
  }
  const start = offset - written.length;
  const end = text[offset] === '}' ? offset + 1 : offset;
  const root = treeOf(text);
  const inputs = root === undefined ? [] : [...knownInputs(root, kind)];
  const names = env.map((name) => (kind === 'mcpJson' ? name : `env:${name}`));
  return [...fixed, ...inputs.map((id) => [`input:${id}`, ''] as const), ...names.map((name) => [name, ''] as const)].map(
    ([name, help]) => {
      return { label: `\${${name}}`, help, start, end, newText: `\${${name}}`, isSnippet: false };
    },
  );
}

const fixed: readonly (readonly [name: string, help: string])[] = [
  ['workspaceFolder', 'The folder that the definition belongs to.'],
  ['userHome', 'Your home folder.'],
];

function isBelowServers({ path }: Location, kind: DocumentKind): boolean {
  return serversPath[kind].every((step, index) => path[index] === step);
}

/** A server that many people use, as its own documentation starts it. */
interface KnownServer {
  readonly name: string;
  readonly help: string;
  readonly definition: string;
}

const wellKnown: readonly KnownServer[] = [
  {
    name: 'filesystem',
    help: 'Reads and writes files in the folders you name.',
    definition: '{ "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "${1:\\${workspaceFolder\\}}"] }',
  },
  {
    name: 'memory',
    help: 'Remembers facts in a knowledge graph.',
    definition: '{ "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }',
  },
  {
    name: 'everything',
    help: 'Shows every part of the protocol; for trying out.',
    definition: '{ "command": "npx", "args": ["-y", "@modelcontextprotocol/server-everything"] }',
  },
  { name: 'playwright', help: 'Drives a browser.', definition: '{ "command": "npx", "args": ["-y", "@playwright/mcp"] }' },
  {
    name: 'chrome-devtools',
    help: 'Looks into a running Chrome.',
    definition: '{ "command": "npx", "args": ["-y", "chrome-devtools-mcp"] }',
  },
  { name: 'fetch', help: 'Fetches web pages as Markdown.', definition: '{ "command": "uvx", "args": ["mcp-server-fetch"] }' },
  { name: 'git', help: 'Reads and changes a Git repository.', definition: gitDefinition() },
  { name: 'github', help: 'GitHub; you sign in with your browser.', definition: '{ "url": "https://api.githubcopilot.com/mcp/" }' },
];

function gitDefinition(): string {
  return '{ "command": "uvx", "args": ["mcp-server-git", "--repository", "${1:\\${workspaceFolder\\}}"] }';
}

/** The well-known servers that can be added at an offset: where the name of a server is written. */
export function serversAt(text: string, kind: DocumentKind, offset: number): readonly TextProposal[] {
  const location = getLocation(text, offset);
  const prefix = serversPath[kind];
  if (!location.isAtPropertyKey || location.path.length !== prefix.length + 1 || !isBelowServers(location, kind)) {
    return [];
  }
  const root = treeOf(text);
  const section = root && findNodeAtLocation(root, [...prefix]);
  const node = location.previousNode;
  const others = section === undefined ? [] : propertiesOf(section).filter(({ keyNode }) => keyNode.offset !== node?.offset);
  const start = node?.offset ?? offset;
  const end = node === undefined ? offset : node.offset + node.length;
  // A definition that is there already would get a second one behind it.
  if (/^\s*:/.test(text.slice(end)) || (section !== undefined && stringOf(section, 'command') !== undefined)) {
    return [];
  }
  return wellKnown
    .filter(({ name }) => others.every((other) => other.name !== name))
    .map(({ name, help, definition }) => ({
      label: name,
      help,
      start,
      end,
      newText: `${JSON.stringify(name)}: ${definition}`,
      isSnippet: true,
    }));
}
