/** What each key of a definition means, in a sentence; completion and hover show it. Keys of inner objects stand below their own. */
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

/** The part of a key path that is inside a definition: `tls.ca`. */
export function helpOf(path: readonly (string | number)[]): string | undefined {
  const key = path.join('.');
  return isDefinitionKey(key) ? keyHelp[key] : undefined;
}

/** The keys one level below `path`: those of the definition itself for an empty path. */
export function keysBelow(path: readonly (string | number)[]): readonly DefinitionKey[] {
  const prefix = path.map((step) => `${step}.`).join('');
  return Object.keys(keyHelp)
    .filter(isDefinitionKey)
    .filter((key) => key.startsWith(prefix) && !key.slice(prefix.length).includes('.'));
}

function isDefinitionKey(key: string): key is DefinitionKey {
  return Object.hasOwn(keyHelp, key);
}
