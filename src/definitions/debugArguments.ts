import path from 'node:path';
import type { DebuggerKind } from '../contract/definitionSchemas.ts';
import { definitionError } from './definitionErrors.ts';
import type { Expanded } from './variables.ts';

/** How a server is run so that a debugger can be attached to it. */
export type PreparedDebugger =
  /** Node takes a free port for the 0 and says which. */
  | { readonly kind: 'node' }
  /** debugpy does not say: the argument there, an address with the port 0, gets a port when it is run. */
  | { readonly kind: 'python'; readonly addressAt: number };

export interface DebuggedArguments {
  readonly args: readonly Expanded[];
  readonly debugger: PreparedDebugger;
}

interface DebuggedCommand {
  readonly command: Expanded;
  readonly args: readonly Expanded[];
  readonly platform: NodeJS.Platform;
}

const host = '127.0.0.1';
const programs: Readonly<Record<DebuggerKind, RegExp>> = {
  node: /^node(js)?(-?\d+(\.\d+)*)?(\.exe)?$/i,
  python: /^python(\d+(\.\d+)*)?(\.exe)?$/i,
};
/** Options of Python that stand for themselves, alone or several in one. */
const pythonFlags = /^-[bBdEiIOPqRsSuvx]+$/;
const pythonOptionsWithValue: readonly string[] = ['-W', '-X', '--check-hash-based-pycs'];

/** The address that debugpy listens on. */
export function debugAddress(port: number): string {
  return `${host}:${port}`;
}

/** Pure. Throws an AppError where the command is another program, or it cannot be told where the program of the person begins. */
export function debuggedArguments(kind: DebuggerKind, { command, args, platform }: DebuggedCommand): DebuggedArguments {
  const name = (platform === 'win32' ? path.win32 : path.posix).basename(command.value);
  if (!programs[kind].test(name)) {
    throw definitionError('definitions.debugOtherProgram', { debug: kind, command: command.shown });
  }
  if (kind === 'node') {
    return { args: [plain(`--inspect=${debugAddress(0)}`), ...args], debugger: { kind } };
  }
  const begin = pythonProgramAt(args);
  const inserted = ['-m', 'debugpy', '--listen', debugAddress(0)].map(plain);
  return {
    args: [...args.slice(0, begin), ...inserted, ...args.slice(begin)],
    debugger: { kind, addressAt: begin + inserted.length - 1 },
  };
}

/** Where the options of Python itself end: at a script, or at `-m` or `-c`, which debugpy takes as well. */
function pythonProgramAt(args: readonly Expanded[]): number {
  let index = 0;
  for (let arg = args[0]; arg !== undefined; arg = args[index]) {
    const { value, shown } = arg;
    if (!value.startsWith('-') || value === '-m' || value === '-c') {
      return index;
    }
    if (!pythonFlags.test(value) && !pythonOptionsWithValue.includes(value) && !/^-[WX]./.test(value)) {
      throw definitionError('definitions.debugUnknownOption', { option: shown });
    }
    index += pythonOptionsWithValue.includes(value) ? 2 : 1;
  }
  throw definitionError('definitions.debugNoProgram');
}

function plain(text: string): Expanded {
  return { value: text, shown: text, variables: [], inputs: [] };
}
