import { findNodeAtLocation, getLocation, type Location, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { type DocumentKind, propertiesOf, serversPath } from './documents.ts';

export interface KeyHelp {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface KeyProposal {
  readonly key: string;
  readonly help: string;
  /** The range that the proposal replaces: the key being typed, quotes included. */
  readonly start: number;
  readonly end: number;
  /** The key in quotes, with a colon if there is none yet. */
  readonly newText: string;
}

const remoteOnly: readonly string[] = ['headers', 'tls', 'auth'];
const localOnly: readonly string[] = ['args', 'env', 'envFile', 'cwd', 'dev', 'sandbox', 'registry'];

/** The help for the key at an offset; undefined when it is no key of a definition. */
export function helpAt(text: string, kind: DocumentKind, offset: number): KeyHelp | undefined {
  const location = getLocation(text, offset);
  const inside = pathInsideDefinition(location, kind);
  const node = location.previousNode;
  if (!location.isAtPropertyKey || inside === undefined || node === undefined) {
    return undefined;
  }
  const help = helpOf(inside);
  return help === undefined ? undefined : { start: node.offset, end: node.offset + node.length, text: help };
}

/** The keys that can still be written at an offset. */
export function proposalsAt(text: string, kind: DocumentKind, offset: number): readonly KeyProposal[] {
  const location = getLocation(text, offset);
  const inside = pathInsideDefinition(location, kind);
  if (!location.isAtPropertyKey || inside === undefined) {
    return [];
  }
  const container = inside.slice(0, -1);
  const present = presentKeys(text, location, offset);
  const node = location.previousNode;
  const start = node?.offset ?? offset;
  const end = node === undefined ? offset : node.offset + node.length;
  const hasColon = /^\s*:/.test(text.slice(end));
  return keysBelow(container).flatMap((path) => {
    const key = path.split('.').at(-1) ?? path;
    if (present.includes(key) || (container.length === 0 && isOfOtherKind(key, present))) {
      return [];
    }
    const quoted = JSON.stringify(key);
    return [{ key, help: helpOf([path]) ?? '', start, end, newText: hasColon ? quoted : `${quoted}: ` }];
  });
}

/** The path below the name of a server; undefined outside of any server. */
function pathInsideDefinition(location: Location, kind: DocumentKind): readonly (string | number)[] | undefined {
  const prefix = serversPath[kind];
  const isBelow = prefix.every((step, index) => location.path[index] === step);
  const depth = location.path[prefix.length] === 'mcpServers' ? prefix.length + 2 : prefix.length + 1;
  return isBelow && location.path.length > depth ? location.path.slice(depth) : undefined;
}

/** The other keys of the object around the offset, without the key being typed. */
function presentKeys(text: string, location: Location, offset: number): readonly string[] {
  const root = parseTree(text);
  const object = root === undefined ? undefined : findNodeAtLocation(root, location.path.slice(0, -1));
  const others = (object === undefined ? [] : propertiesOf(object)).filter(
    ({ keyNode }) => offset < keyNode.offset || offset > keyNode.offset + keyNode.length,
  );
  return others.map(({ name }) => name);
}

function isOfOtherKind(key: string, present: readonly string[]): boolean {
  if (present.includes('command')) {
    return key === 'url' || remoteOnly.includes(key);
  }
  return present.includes('url') && (key === 'command' || localOnly.includes(key));
}

/** What each key of a definition means; completion and hover show it. The keys of inner objects come after their own. */
export const keyHelp = {
  type: '`stdio` for a command; `http`, `sse` or `ws` for a url. Without it a url is tried as Streamable HTTP first and as HTTP+SSE second.',
  command: 'The program to start, a name on the PATH or an absolute path. It runs without a shell.',
  args: 'The arguments of the command, one text each.',
  env: 'Environment variables for the program, besides a short safe list.',
  envFile: 'A file of `NAME=value` lines to add to the environment.',
  cwd: 'The folder the program runs in. The default is the workspace folder.',
  dev: 'For whoever writes the server.',
  'dev.watch': 'Globs of files in the workspace folder; when one of them changes, the server is restarted.',
  'dev.debug':
    '`node` or `python`: the program, which must be Node or Python itself, runs under its debugger on a free port of 127.0.0.1, and VS Code attaches to it. Python needs `debugpy` and the Python Debugger extension. Without a `timeout`, requests then wait for an hour.',
  sandbox:
    '`true`, or an object: the program runs confined. It then reads the workspace and programs of the system, writes only a folder of its own, and reaches no network. Linux (with bubblewrap and socat) and macOS.',
  'sandbox.read': 'Further files and folders that it may read.',
  'sandbox.write': 'Files and folders that it may read and change.',
  'sandbox.network':
    'Hosts that it may reach by HTTP and HTTPS: `api.example.com`, `*.example.com`, `*` for all, or `localhost:3000` for a port of this machine.',
  registry: 'The entry of an MCP Registry that it was installed from. Its first question then proposes to confine it.',
  url: 'The address of a remote server.',
  headers: 'HTTP headers sent with every request. Refer to secrets by a variable.',
  tls: 'Certificates for a server that asks for one, as absolute paths of PEM files.',
  'tls.ca': 'The authority that signed the server’s certificate.',
  'tls.cert': 'The client’s certificate.',
  'tls.key': 'The key of the client’s certificate.',
  auth: 'An OAuth client that is already registered with the server.',
  'auth.clientId': 'The id the client is registered under.',
  'auth.clientSecret': 'Its secret. Refer to it by a variable.',
  'auth.scopes': 'The scopes to ask for.',
  disabled: 'Keeps the definition without connecting the server.',
  timeout: 'How long a request may take, in milliseconds. The default is 60000.',
  tools: 'Which of the server’s tools are offered.',
  'tools.include': 'Globs of tool names to offer. Without it, all.',
  'tools.exclude': 'Globs of tool names to leave out.',
} as const;

export type DefinitionKey = keyof typeof keyHelp;

/** The help for a path inside a definition, such as `tls.ca`. */
function helpOf(path: readonly (string | number)[]): string | undefined {
  const key = path.join('.');
  return isDefinitionKey(key) ? keyHelp[key] : undefined;
}

/** The keys one level below `path`; for an empty path, those of the definition itself. */
function keysBelow(path: readonly (string | number)[]): readonly DefinitionKey[] {
  const prefix = path.map((step) => `${step}.`).join('');
  return Object.keys(keyHelp)
    .filter(isDefinitionKey)
    .filter((key) => key.startsWith(prefix) && !key.slice(prefix.length).includes('.'));
}

function isDefinitionKey(key: string): key is DefinitionKey {
  return Object.hasOwn(keyHelp, key);
}
