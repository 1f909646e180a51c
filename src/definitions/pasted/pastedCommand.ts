import { type Piece, signAlone, splitCommandLine } from '../../base/commandLine.ts';
import type { JsonObject } from '../../base/json.ts';
import { readMcpCommand } from './mcpCommands.ts';
import { matchAt, readPastedJson, variableOf } from './pastedJson.ts';
import { assignment, type PastedServers, type PastedServer, pasteProblem, toEnv, toLocal } from './pastedServers.ts';

/** A command line as words, with the variables that stand before its program. */
export interface CommandWords {
  readonly env: JsonObject;
  readonly words: readonly string[];
}

/**
 * Splits a command line as a POSIX shell does, and keeps Windows paths. Nothing runs it: the variables of a shell become our own,
 * and what only a shell can do is refused.
 */
export function splitPasted(text: string): CommandWords {
  const words = splitCommandLine(text, shellPiece);
  if (words === undefined) {
    throw pasteProblem('paste.openQuote');
  }
  const sign = signAlone(words) ?? words.find((word) => !word.isQuoted && word.text.endsWith(';'))?.text;
  if (sign !== undefined) {
    throw pasteProblem('paste.shellSyntax', { sign });
  }
  const texts = words.map((word) => word.text);
  // `env NAME=value program` means the same without `env`; with options of its own it is a program like any other.
  const own = texts[0] === 'env' && assignment.test(texts[1] ?? '') ? texts.slice(1) : texts;
  const program = own.findIndex((word) => !assignment.test(word));
  return program < 0 ? { env: toEnv(own), words: [] } : { env: toEnv(own.slice(0, program)), words: own.slice(program) };
}

const shellVariable = /\$(?:env:(\w+)|\{([A-Za-z_]\w*)(?::?-([^}]*))?\}|([A-Za-z_]\w*))/y;
const windowsVariable = /%([A-Za-z_]\w*)%/y;
const workingFolder = /\$\(pwd\)|`pwd`/y;

/** What a shell would put in the place of a variable, of `~` or of `$(pwd)`, in our form. */
function shellPiece(text: string, index: number): Piece | undefined {
  switch (text[index] ?? '') {
    case '$':
    case '`': {
      const folder = matchAt(workingFolder, text, index);
      if (folder !== null) {
        return { text: '${workspaceFolder}', end: index + folder[0].length };
      }
      if (text[index] === '`' || text[index + 1] === '(') {
        throw pasteProblem('paste.shellSyntax', { sign: text.slice(index, index + 20) });
      }
      return variableAt(text, index);
    }
    case '%': {
      const found = matchAt(windowsVariable, text, index);
      return found === null ? undefined : { text: variableOf(found[1] ?? ''), end: index + found[0].length };
    }
    case '~': {
      const isHome = /^$|[\s=:]/.test(text[index - 1] ?? '') && /^$|[\s/\\]/.test(text[index + 1] ?? '');
      return isHome ? { text: '${userHome}', end: index + 1 } : undefined;
    }
    default:
      return undefined;
  }
}

function variableAt(text: string, index: number): Piece | undefined {
  const found = matchAt(shellVariable, text, index);
  if (found === null) {
    return undefined;
  }
  const [whole, ofPowerShell, braced, otherwise, plain] = found;
  // Our own variables are written in the same way.
  const isOwn = braced === 'workspaceFolder' || braced === 'userHome';
  const replaced = isOwn ? whole : (otherwise ?? variableOf(ofPowerShell ?? braced ?? plain ?? ''));
  return { text: replaced, end: index + whole.length };
}

/** Commands that install a package that is a server, and what runs it. */
const installers: readonly (readonly [begin: RegExp, run: readonly string[]])[] = [
  [/^(?:npm (?:install|i|add)|pnpm (?:add|install|i)|yarn (?:global )?add|bun (?:add|install|i))$/, ['npx', '-y']],
  [/^(?:pip3? install|pipx install|uv (?:add|pip install|tool install))$/, ['uvx']],
];

/** Reads a command line of at least two words, or of one with variables before it. */
export function readPastedCommand({ env, words }: CommandWords): PastedServers {
  const [command, ...args] = words;
  if (command === undefined || command === '') {
    throw pasteProblem('paste.noCommand');
  }
  const program = programName(command);
  if (args.some((arg) => /^--add-mcp(?:=|$)/.test(arg))) {
    return readAddMcp(args);
  }
  if (['claude', 'gemini', 'codex'].includes(program) && args[0] === 'mcp') {
    return readMcpCommand(program, args.slice(1), env);
  }
  return { servers: [installed(program, args, env) ?? toLocal([command, ...args], env)] };
}

/** The name of a program without its folder and without the ending that Windows gives it. */
function programName(command: string): string {
  const last = command.split(/[\\/]/).at(-1) ?? '';
  return last.replace(/\.(?:exe|cmd|bat)$/i, '').toLowerCase();
}

/** The server of `npm install some-server`: its package is what will be run. */
function installed(program: string, args: readonly string[], env: JsonObject): PastedServer | undefined {
  const plain = args.filter((arg) => !arg.startsWith('-'));
  const packages = plain.slice(-1);
  const begin = [program, ...plain.slice(0, -1)].join(' ');
  const run = installers.find(([pattern]) => pattern.test(begin))?.[1];
  return run === undefined || packages.length === 0 ? undefined : toLocal([...run, ...packages], env);
}

/** Reads `code --add-mcp '{"name": …}'`, with one such option or several. */
function readAddMcp(args: readonly string[]): PastedServers {
  const texts = args.flatMap((arg, index) => {
    const [, option, given] = /^(--add-mcp)(?:=(.*))?$/s.exec(arg) ?? [];
    return option === undefined ? [] : [given ?? args[index + 1] ?? ''];
  });
  const found = texts.map((text) => {
    if (text.trim() === '') {
      throw pasteProblem('paste.noValue', { option: '--add-mcp' });
    }
    return readPastedJson(text.trim());
  });
  return { servers: found.flatMap(({ servers }) => servers), inputs: found.flatMap(({ inputs = [] }) => inputs) };
}
