import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { secretMark } from '../secrets/secretMarks.ts';

/** A text whose secret parts are read from variables of the environment. */
export type ScriptText = readonly (string | { readonly variable: string })[];

/** The server that a script talks to. */
export type ScriptTarget =
  | {
      readonly kind: 'stdio';
      readonly command: ScriptText;
      readonly args: readonly ScriptText[];
      /** For a script on Windows, where `npx` and `npm` are batch files that Node cannot start: which of them the command is. */
      readonly npmProgram?: 'npx' | 'npm' | undefined;
      /** The variables of the definition; null removes a variable. */
      readonly env: Readonly<Record<string, ScriptText | null>>;
      /** Which variables the server gets from whoever runs the script. */
      readonly inherited: readonly string[];
      /** What the paths below are relative to. */
      readonly base: string;
      readonly cwd: ScriptText;
      readonly envFile?: ScriptText | undefined;
    }
  | { readonly kind: 'http'; readonly url: ScriptText; readonly headers: Readonly<Record<string, ScriptText>> };

const versionKey = 'io.modelcontextprotocol/protocolVersion';
/** The most characters of a text that the name of an environment variable is made of. */
const maxNameLength = 60;

/**
 * A program for plain Node that makes one request again and prints the answer. `request` is as it is shown: in place of a secret the
 * program reads a variable, and names it when it is not set. Every foreign text becomes a literal.
 */
export function exchangeScript(target: ScriptTarget, request: JsonObject): string {
  const params = isJsonObject(request['params']) ? request['params'] : {};
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {};
  const { method } = request;
  const version = meta[versionKey];
  // In a protocol without sessions a request stands alone; so does `initialize` itself.
  const isAlone = typeof version === 'string' || method === 'initialize';
  const written = { request: literalOf(request, '', new Map()), isAlone };
  if (target.kind === 'stdio') {
    const npm = target.npmProgram;
    // npm stands beside the Node that runs the script.
    const npmScript = npm === undefined ? [] : [`resolve(process.execPath, '../node_modules/npm/bin/${npm}-cli.js')`];
    return stdioScript({
      ...written,
      command: npm === undefined ? textOf(target.command) : 'process.execPath',
      args: `[${[...npmScript, ...target.args.map(textOf)].join(', ')}]`,
      env: membersOf(target.env),
      inherited: JSON.stringify(target.inherited),
      base: JSON.stringify(target.base),
      cwd: textOf(target.cwd),
      envFile: target.envFile && textOf(target.envFile),
    });
  }
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  const mirrored = {
    'MCP-Protocol-Version': [typeof version === 'string' ? version : ''],
    'Mcp-Method': [typeof method === 'string' ? method : ''],
    ...(typeof name === 'string' && { 'Mcp-Name': partsOf(name, () => variableName('name')) }),
  };
  return httpScript({ ...written, url: textOf(target.url), headers: membersOf({ ...target.headers, ...(isAlone && mirrored) }) });
}

/** Splits a text at the marks of its secrets; `nameOf` names the variable for each. */
export function partsOf(text: string, nameOf: (index: number) => string): ScriptText {
  return text
    .split(secretMark)
    .flatMap((part, index) => [...(index === 0 ? [] : [{ variable: nameOf(index) }]), ...(part === '' ? [] : [part])]);
}

/**
 * The variable for a secret that a message or a definition names, in letters that every shell accepts. Its first word keeps it apart
 * from whatever the environment of the person already holds: a server may have called its parameter `aws_secret_access_key`.
 */
export function variableName(text: string): string {
  const name = text
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase()
    .slice(0, maxNameLength);
  return `EXCHANGE_${name === '' ? 'SECRET' : name}`;
}

/** A value as a JavaScript literal. `names` counts how often each name was given. */
function literalOf(value: JsonValue | undefined, name: string, names: Map<string, number>): string {
  if (typeof value === 'string') {
    return textOf(partsOf(value, () => freeName(variableName(name), names)));
  }
  if (Array.isArray(value)) {
    return `[${value.map((item: JsonValue) => literalOf(item, name, names)).join(', ')}]`;
  }
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, member]) => `[${JSON.stringify(key)}]: ${literalOf(member, key, names)}`);
    return `{ ${members.join(', ')} }`;
  }
  return JSON.stringify(value ?? null);
}

function freeName(wanted: string, names: Map<string, number>): string {
  const count = (names.get(wanted) ?? 0) + 1;
  names.set(wanted, count);
  return count === 1 ? wanted : `${wanted}_${count}`;
}

function membersOf(members: Readonly<Record<string, ScriptText | null>>): string {
  return `{ ${Object.entries(members)
    .map(([name, text]) => `[${JSON.stringify(name)}]: ${text === null ? 'undefined' : textOf(text)}`)
    .join(', ')} }`;
}

function textOf(parts: ScriptText): string {
  const written = parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : `secret(${JSON.stringify(part.variable)})`));
  return written.length === 0 ? '""' : written.join(' + ');
}

/** The parts of a script, as JavaScript expressions. */
interface WrittenExchange {
  readonly request: string;
  /** Whether the request needs no `initialize` before it. */
  readonly isAlone: boolean;
}

export interface WrittenLaunch extends WrittenExchange {
  readonly command: string;
  readonly args: string;
  readonly env: string;
  readonly inherited: string;
  readonly base: string;
  readonly cwd: string;
  readonly envFile: string | undefined;
}

export interface WrittenPost extends WrittenExchange {
  readonly url: string;
  readonly headers: string;
}

const head = `// Repeats one exchange with an MCP server and prints the answer. Needs Node 20.12 or newer and nothing else:
//   node THIS_FILE
// It holds no secrets: each comes from the variable of the environment that secret('…') names below, and where one is not set it says so.
// It reaches the server as that was defined when this file was written.`;

const shared = `
/** The value of a variable that holds a secret. */
function secret(name) {
  const value = process.env[name];
  if (value === undefined) {
    console.error(\`Set the variable \${name} of the environment first.\`);
    process.exit(2);
  }
  return value;
}

function finish(answer) {
  console.log(JSON.stringify(answer, undefined, 2));
  process.exitCode = answer.error === undefined ? 0 : 1;
}

const initialize = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'repeated-exchange', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
`;

/** Makes an import line. It is put together, so that no tool takes it for an import of this file. */
function importLine(what: string, module: string): string {
  return ['import', what, 'from', `'node:${module}';`].join(' ');
}

const fileImports = [importLine('{ readFileSync }', 'fs'), importLine('{ parseEnv }', 'util')].join('\n');

function startText({ command, args, env, inherited, base, cwd, envFile }: Omit<WrittenLaunch, keyof WrittenExchange>): string {
  const fromFile = envFile === undefined ? '' : `  ...parseEnv(readFileSync(resolve(${base}, ${envFile}), 'utf8')),\n`;
  return `const cwd = resolve(${base}, ${cwd});
// As in the editor, the server gets these few variables of yours, and those of its definition.
const inherited = ${inherited};
const env = {
  ...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
${fromFile}  ...${env},
};
const child = spawn(${command}, ${args}, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });`;
}

function stdioScript({ request, isAlone, ...launch }: WrittenLaunch): string {
  return `${head}
${importLine('{ spawn }', 'child_process')}${launch.envFile === undefined ? '' : `\n${fileImports}`}
${importLine('{ resolve }', 'path')}
${importLine('{ createInterface }', 'readline')}
${shared}
const request = ${request};
${startText(launch)}
const send = (message) => child.stdin.write(\`\${JSON.stringify(message)}\\n\`);
let isOver = false;
child.on('error', (error) => console.error(error.message));
child.stdin.on('error', () => undefined); // it has ended, which is told below
child.on('close', () => {
  if (!isOver) {
    console.error('The server ended before it answered.');
    process.exitCode = 1;
  }
});
createInterface({ input: child.stdout }).on('line', (line) => {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return; // other output
  }
  if (message.method !== undefined) {
    if (message.id !== undefined) {
      send({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'This script answers nothing.' } });
    }
  } else if (message.id === request.id) {
    isOver = true;
    finish(message);
    child.stdin.end();
    setTimeout(() => child.kill(), 2_000).unref();
  } else if (message.id === initialize.id) {
    send(initialized);
    send(request);
  }
});
send(${isAlone ? 'request' : 'initialize'});
`;
}

function httpScript({ request, isAlone, url, headers }: WrittenPost): string {
  return `${head}
${shared}
const request = ${request};
const url = ${url};
const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...${headers} };

/** Sends a message; the answer to it, if it has one. */
async function post(message) {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
  const session = response.headers.get('Mcp-Session-Id');
  if (session !== null) {
    headers['Mcp-Session-Id'] = session;
  }
  if (!(response.headers.get('Content-Type') ?? '').startsWith('text/event-stream')) {
    const text = await response.text();
    try {
      return JSON.parse(text);
    } catch {
      return response.ok ? undefined : { error: { code: response.status, message: text } };
    }
  }
  let pending = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (pending + chunk).split(/\\r?\\n/);
    pending = lines.pop();
    for (const line of lines.filter((each) => each.startsWith('data:') && each.length > 6)) {
      const heard = JSON.parse(line.slice(5));
      if (heard.id === message.id && heard.method === undefined) {
        return heard;
      }
    }
  }
  return { error: { code: 0, message: 'The stream ended before the answer came.' } };
}

${
  isAlone
    ? 'finish(await post(request));'
    : `const opened = await post(initialize);
if (opened?.result === undefined) {
  finish(opened ?? { error: { code: 0, message: 'The server does not answer.' } });
} else {
  headers['MCP-Protocol-Version'] = opened.result.protocolVersion;
  await post(initialized);
  finish(await post(request));
  await fetch(url, { method: 'DELETE', headers });
}`
}
process.exit();
`;
}
