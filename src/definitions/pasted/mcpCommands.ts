import type { JsonObject } from '../../base/json.ts';
import { readPastedJson, remoteType } from './pastedJson.ts';
import { assignment, type PastedServers, type PastedServer, pasteProblem, toEnv, toLocal } from './pastedServers.ts';

/** Options with one value. Those of which nothing is used stand here, too: their values are not the server's. */
const single = new Map([
  ...['-s', '--scope'].map((option) => [option, 'scope'] as const),
  ...['-t', '--transport'].map((option) => [option, 'transport'] as const),
  ['--url', 'url'],
  ['--client-id', 'clientId'],
  ...['--callback-port', '--timeout', '--description'].map((option) => [option, 'unused'] as const),
]);
/** Options that take one value or several. */
const several = new Map([
  ...['-e', '--env'].map((option) => [option, 'env'] as const),
  ...['-H', '--header'].map((option) => [option, 'header'] as const),
]);
const flags = ['--client-secret', '--trust', '-d', '--debug', '--verbose'];
/** How a further value of such an option looks; anything else is the next word of the command. */
const further = { env: assignment, header: /^[A-Za-z][\w-]*:(?!\/\/)/ };

interface ReadOptions {
  readonly single: Record<string, string>;
  readonly env: string[];
  readonly header: string[];
  /** The words that are no option: the name, and the command or the address. */
  readonly plain: string[];
}

/**
 * Reads `claude mcp add` and `claude mcp add-json`, and their like of other programs. As there, options count wherever they stand
 * before a `--`; unlike there, an option that is not known belongs to the server once its command has begun.
 */
export function readMcpCommand(program: string, [verb = '', ...words]: readonly string[], env: JsonObject): PastedServers {
  const command = `${program} mcp ${verb}`.trim();
  if (verb !== 'add' && verb !== 'add-json') {
    throw pasteProblem('paste.unknownVerb', { command, known: `${program} mcp add` });
  }
  const options = readOptions(words, command);
  const [name, ...rest] = options.plain;
  const { scope, url } = options.single;
  const place = scope === 'project' ? 'workspace' : scope === 'user' ? 'user' : undefined;
  if (name === undefined) {
    throw pasteProblem('paste.noName', { command });
  }
  if (verb === 'add-json') {
    const { servers, inputs = [] } = readPastedJson((rest[0] ?? '').trim() || '{}');
    return { servers: servers.map((server) => ({ ...server, name })), inputs, place };
  }
  const isAddressAlone = rest.length === 0 && isUrl(name);
  const target = isAddressAlone ? [name] : url === undefined ? rest : [url];
  if (target.length === 0) {
    throw pasteProblem('paste.noTarget', { name });
  }
  return { servers: [toServer(target, options, env, isAddressAlone ? undefined : name)], place };
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

function toServer(target: readonly string[], options: ReadOptions, env: JsonObject, name: string | undefined): PastedServer {
  const [first = ''] = target;
  const { transport, clientId } = options.single;
  const type = remoteType(transport);
  if (type !== undefined && !['stdio', 'http', 'sse', 'ws'].includes(type)) {
    throw pasteProblem('paste.badTransport', { transport: type });
  }
  if (type === 'stdio' || (type === undefined && !isUrl(first))) {
    return toLocal(target, { ...env, ...toEnv(options.env) }, name);
  }
  if (!isUrl(first)) {
    throw pasteProblem('paste.badUrl', { url: first });
  }
  const headers = toHeaders(options.header);
  return {
    name,
    definition: {
      ...(type === undefined ? {} : { type }),
      url: first,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(clientId === undefined ? {} : { auth: { clientId } }),
    },
    leftOut: [],
  };
}

function toHeaders(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(pair) ?? [];
      if (name === undefined) {
        throw pasteProblem('paste.badHeader', { text: pair });
      }
      return [name, value ?? ''];
    }),
  );
}

function readOptions(words: readonly string[], command: string): ReadOptions {
  const read: ReadOptions = { single: {}, env: [], header: [], plain: [] };
  for (let index = 0; index < words.length;) {
    const word = words[index] ?? '';
    if (word === '--') {
      read.plain.push(...words.slice(index + 1));
      break;
    }
    index = readOption(words, index, read) ?? readPlain(word, index, read, command);
  }
  return read;
}

/** Reads the word as one of the server's, and returns the index after it. */
function readPlain(word: string, index: number, read: ReadOptions, command: string): number {
  if (word.startsWith('-') && read.plain.length < 2) {
    throw pasteProblem('paste.unknownOption', { option: word, command });
  }
  read.plain.push(word);
  return index + 1;
}

/** Reads the option at this place with its values. Returns the index after it; undefined when there is none. */
function readOption(words: readonly string[], index: number, read: ReadOptions): number | undefined {
  const word = words[index] ?? '';
  const [, option = word, glued] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? /^(-[eH])(.+)$/s.exec(word) ?? [];
  const [one, many] = [single.get(option), several.get(option)];
  if (one === undefined && many === undefined) {
    return flags.includes(word) ? index + 1 : undefined;
  }
  const value = glued ?? words[index + 1];
  if (value === undefined) {
    throw pasteProblem('paste.noValue', { option });
  }
  let after = index + (glued === undefined ? 2 : 1);
  if (many === undefined) {
    read.single[one ?? ''] = value;
    return after;
  }
  read[many].push(value);
  for (let next = words[after]; next !== undefined && further[many].test(next); next = words[after]) {
    read[many].push(next);
    after += 1;
  }
  return after;
}
