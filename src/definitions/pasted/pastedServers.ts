import { type AppError, errorMaker, type SentenceTable } from '../../base/errors.ts';
import type { JsonObject, JsonValue } from '../../base/json.ts';
import { readDefinitions } from '../readDefinitions.ts';
import type { DefinitionProblem } from '../serverDefinition.ts';

/** One server as it will be written, and what of the pasted text will not. */
export interface PastedServer {
  /** The name that came with it; it may be taken already, or be no name that a server can have. */
  readonly name?: string | undefined;
  readonly definition: JsonObject;
  /** The fields of other programs that mean nothing here. */
  readonly leftOut: readonly string[];
}

/** What a pasted text means. */
export type Pasted =
  | {
      readonly kind: 'servers';
      readonly servers: readonly PastedServer[];
      /** The inputs that came with the servers, as they stand there. */
      readonly inputs: readonly JsonValue[];
      /** The place that a command for another program names: for the person everywhere, or for this project. */
      readonly place?: 'user' | 'workspace' | undefined;
    }
  /** One word alone may be the name of a package of npm or Python, or a program: only the person knows. */
  | { readonly kind: 'word'; readonly readings: Readonly<Record<'npm' | 'python' | 'program', PastedServer>> }
  | { readonly kind: 'problem'; readonly problem: AppError }
  /** It was understood, but the definition could not be used. */
  | { readonly kind: 'invalid'; readonly problem: DefinitionProblem };

/** Why a pasted text is not understood. */
const pasteProblemTable = {
  'paste.empty': 'Paste or type a command, an address, a package or JSON.',
  'paste.tooLong': 'This is too long: at most {most} characters are read.',
  'paste.openQuote': 'A quote is not closed.',
  'paste.shellSyntax': '“{sign}” means something only to a shell, and no shell is used.',
  'paste.noCommand': 'The program is missing: which command starts the server?',
  'paste.noName': '“{command}” needs a name for the server, and then its command or address.',
  'paste.noTarget': 'After the name “{name}” the command or the address of the server is missing.',
  'paste.noValue': 'The option “{option}” needs a value.',
  'paste.unknownOption': 'The option “{option}” of “{command}” is not known here. What belongs to the server stands after --.',
  'paste.unknownVerb': '“{command}” adds no server. What is understood is “{known}”.',
  'paste.badVariable': '“{text}” is not a variable: write NAME=value.',
  'paste.badHeader': '“{text}” is not a header: write Name: value.',
  'paste.badTransport': '“{transport}” is not a transport: it is stdio, http, sse or ws.',
  'paste.badUrl': '“{url}” is not a whole address: it begins with https://, http://, wss:// or ws://.',
  'paste.repository': '“{url}” is a page about a project, not a server. Paste the command or the JSON that its README shows.',
  /** `mistake` is the parser's own name for it. */
  'paste.notJson': 'This is not JSON yet: {mistake} near “{near}”.',
  'paste.noServers': 'There is no server in it: a server has a command or a url.',
  'paste.badLink': 'This link to install a server cannot be read.',
} as const satisfies SentenceTable;

export const pasteProblem = errorMaker(pasteProblemTable);

export interface PastedServers {
  readonly servers: readonly PastedServer[];
  readonly inputs?: readonly JsonValue[];
  readonly place?: 'user' | 'workspace' | undefined;
}

/** Checks each definition as it is checked when settings are read, whatever its name is: a name can be changed. */
export function toPasted({ servers, inputs = [], place }: PastedServers): Pasted {
  if (servers.length === 0) {
    return { kind: 'problem', problem: pasteProblem('paste.noServers') };
  }
  for (const { name, definition } of servers) {
    const shown = name === undefined || /^editor$|@/i.test(name) ? 'server' : name;
    const { problems } = readDefinitions([{ scope: 'user', value: { [shown]: definition }, inputs, location: '' }]);
    const problem = problems.find(({ severity, code }) => severity === 'error' && !namesOnly.includes(code));
    if (problem !== undefined) {
      return { kind: 'invalid', problem };
    }
  }
  return { kind: 'servers', servers, inputs, place };
}

/** Problems that are solved before anything is written: the person is asked for another name, and inputs that are missing are made. */
const namesOnly = ['definitions.reservedName', 'definitions.badName', 'definitions.nameWithPlace', 'definitions.unknownInput'];

/** The beginning of `NAME=value`. */
export const assignment = /^[A-Za-z_]\w*=/;

/** Variables that are written as `NAME=value`. */
export function toEnv(pairs: readonly string[]): JsonObject {
  return Object.fromEntries(
    pairs.map((pair) => {
      if (!assignment.test(pair)) {
        throw pasteProblem('paste.badVariable', { text: pair });
      }
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The server that a program with its arguments starts. */
export function toLocal(words: readonly string[], env: JsonObject = {}, name?: string): PastedServer {
  const [command = '', ...args] = words;
  return {
    name,
    definition: { command, ...(args.length === 0 ? {} : { args }), ...(Object.keys(env).length === 0 ? {} : { env }) },
    leftOut: [],
  };
}
