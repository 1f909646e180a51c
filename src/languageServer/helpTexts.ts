import type { SentenceTable } from '../base/errors.ts';

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
} as const satisfies SentenceTable;

export type DefinitionKey = keyof typeof keyHelp;

/** What the variables mean that have the same name everywhere. */
export const variableHelp = {
  workspaceFolder: 'The folder that the definition belongs to.',
  userHome: 'Your home folder.',
} as const satisfies SentenceTable;

/** What servers do that many people use. */
export const knownServerHelp = {
  filesystem: 'Reads and writes files in the folders you name.',
  memory: 'Remembers facts in a knowledge graph.',
  everything: 'Shows every part of the protocol; for trying out.',
  playwright: 'Drives a browser.',
  'chrome-devtools': 'Looks into a running Chrome.',
  fetch: 'Fetches web pages as Markdown.',
  git: 'Reads and changes a Git repository.',
  github: 'GitHub; you sign in with your browser.',
} as const satisfies SentenceTable;

const helpTexts: ReadonlySet<string> = new Set([keyHelp, variableHelp, knownServerHelp].flatMap((table) => Object.values(table)));

/** Whether a text that the language server sent is one of these, and not what a file or a server says. */
export function isHelp(text: string): boolean {
  return helpTexts.has(text);
}
