import { findNodeAtLocation, getLocation, type Location } from 'jsonc-parser/lib/esm/main.js';
import { type DocumentKind, propertiesOf, serversPath, stringOf, treeOf } from './documents.ts';
import { knownInputs } from './checks/checkValues.ts';
import { knownServerHelp, variableHelp } from './helpTexts.ts';

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
  return [
    ...Object.entries(variableHelp),
    ...inputs.map((id) => [`input:${id}`, ''] as const),
    ...names.map((name) => [name, ''] as const),
  ].map(([name, help]) => {
    return { label: `\${${name}}`, help, start, end, newText: `\${${name}}`, isSnippet: false };
  });
}

function isBelowServers({ path }: Location, kind: DocumentKind): boolean {
  return serversPath[kind].every((step, index) => path[index] === step);
}

const uvx = (server: string): string => `{ "command": "uvx", "args": ["${server}"] }`;
const npx = (server: string): string => `{ "command": "npx", "args": ["-y", "${server}"] }`;

/** How the well-known servers are started, as their own documentation does it. */
const wellKnown: Readonly<Record<keyof typeof knownServerHelp, string>> = {
  filesystem: '{ "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "${1:\\${workspaceFolder\\}}"] }',
  memory: npx('@modelcontextprotocol/server-memory'),
  everything: npx('@modelcontextprotocol/server-everything'),
  playwright: npx('@playwright/mcp'),
  'chrome-devtools': npx('chrome-devtools-mcp'),
  fetch: uvx('mcp-server-fetch'),
  git: '{ "command": "uvx", "args": ["mcp-server-git", "--repository", "${1:\\${workspaceFolder\\}}"] }',
  github: '{ "url": "https://api.githubcopilot.com/mcp/" }',
};

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
  const names = Object.keys(wellKnown).filter(isKnown);
  return names
    .filter((name) => others.every((other) => other.name !== name))
    .map((name) => {
      const newText = `${JSON.stringify(name)}: ${wellKnown[name]}`;
      return { label: name, help: knownServerHelp[name], start, end, newText, isSnippet: true };
    });
}

function isKnown(name: string): name is keyof typeof knownServerHelp {
  return Object.hasOwn(knownServerHelp, name);
}
