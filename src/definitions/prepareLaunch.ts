import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { DebuggerKind } from '../contract/definitionSchemas.ts';
import type { ProgramDisk } from '../platform/processes/findExecutable.ts';
import { readBounded } from '../platform/files/ownFiles.ts';
import { childEnvironment } from './childEnvironment.ts';
import { revealInvisible } from '../base/visibleText.ts';
import { definitionError } from './definitionErrors.ts';
import { dependsOnFolder, type StartInFolder } from './folderDependence.ts';
import { findProgram, searchPathOf, plain, programPaths } from './launchProgram.ts';
import { refuseOtherMachines, type WantedPath } from './otherMachines.ts';
import type { LocalDefinition, WorkspaceFolder } from './serverDefinition.ts';
import { expand, type Expanded, namesOfUnset, type VariableContext } from './variables.ts';

export interface LaunchContext {
  readonly folders: readonly WorkspaceFolder[];
  readonly userHome: string;
  /** The environment variables of the editor itself. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly path: string;
  /** Whether the login shell was asked for PATH: a command that is not found before may be found then. */
  readonly isPathFinal: boolean;
  /** The person's answers by input id; undefined before the start was allowed. */
  readonly inputs?: ReadonlyMap<string, string> | undefined;
  /** Where programs are looked for: this machine's files, if not given. */
  readonly disk?: ProgramDisk | undefined;
}

/** A definition with nothing left to expand or to look up. Exactly this is shown, approved and run. */
export interface PreparedLaunch {
  readonly definition: LocalDefinition;
  readonly command: Expanded;
  /** The program; undefined until the login shell was asked, or until an input that decides it was answered. */
  readonly executable: string | undefined;
  /** Whether the answer to an input decides which program is run. The program's path then tells of that answer. */
  readonly dependsOnInput: boolean;
  /** The arguments of the process, with those that a debugger or the way through a batch file needs. */
  readonly args: readonly Expanded[];
  /** On Windows: the batch file that the command means, which something else is started for. */
  readonly batchFile: LaunchedBatchFile | undefined;
  readonly debugger: PreparedDebugger | undefined;
  readonly cwd: string;
  /** Whether the same definition could run another program in another folder. */
  readonly dependsOnFolder: boolean;
  /** The variables as configured; null removes a variable. */
  readonly configuredEnv: Readonly<Record<string, Expanded | null>>;
  readonly envFile: EnvFile | undefined;
  /** How far it is to reach when it runs confined; undefined when the definition does not ask for that. */
  readonly sandbox: WantedBox | undefined;
  /** The environment variables that the definition names and that are not set. */
  readonly unset: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
}

/** What a definition says of its box. */
export interface WantedBox {
  readonly read: readonly Expanded[];
  readonly write: readonly Expanded[];
  readonly network: readonly Expanded[];
}

export interface LaunchedBatchFile {
  readonly path: string;
  /** Whether cmd.exe runs it, and gets its arguments as they are. If not, it was read, and what it starts is started instead. */
  readonly isRun: boolean;
  /** The variables that it would set. */
  readonly env: Readonly<Record<string, string>>;
}

/** Throws an AppError that says what is wrong with the definition, without the value of any environment variable. */
export async function prepareLaunch(definition: LocalDefinition, context: LaunchContext): Promise<PreparedLaunch> {
  const { raw } = definition;
  const folder = definition.folder ?? context.folders[0];
  const { folders, userHome, inputs } = context;
  const variables: VariableContext = { folder, folders, userHome, env: context.env, inputs };
  const text = (value: string): Expanded => withoutZero(expand(value, variables));
  const base = folder?.path ?? userHome;
  const command = text(raw.command);
  const wantedFolder = raw.cwd === undefined ? undefined : text(raw.cwd);
  const wantedFile = raw.envFile === undefined ? undefined : text(raw.envFile);
  const configuredEnv = expandEnv(raw.env ?? {}, text);
  const refuse = (wanted: readonly WantedPath[]): Promise<void> => refuseOtherMachines(definition, wanted, context);
  await refuse([wantedFolder, wantedFile].flatMap((file) => (file === undefined ? [] : [{ file, base }])));
  const cwd = await existingFolder(wantedFolder, base);
  const args = (raw.args ?? []).map(text);
  const run = runOf({ command, args }, raw.dev?.debug, context);
  const envFile = wantedFile === undefined ? undefined : await readFileOf(wantedFile, base);
  await refuse(programPaths(command, cwd, { ...asExpanded(envFile), ...configuredEnv }, context));
  checkNames(Object.keys({ ...envFile?.variables, ...configuredEnv }));
  const configured = mapValues(configuredEnv, (each) => each?.value ?? null);
  const env = childEnvironment({
    inherited: context.env,
    path: context.path,
    fromFile: envFile?.variables ?? {},
    configured,
    platform: context.platform,
  });
  const dependsOnInput = command.inputs.length > 0 || searchPathOf(configuredEnv).some((each) => (each?.inputs.length ?? 0) > 0);
  const isOpen = dependsOnInput && inputs === undefined;
  const refuseFar = (file: string): Promise<void> => refuse([{ file: plain(file), base: cwd }]);
  const wanted = { command, args: run.args, cwd, env, dependsOnInput, refuseFar };
  const program = isOpen ? { executable: undefined, args: run.args, batchFile: undefined, env } : await findProgram(wanted, context);
  return {
    definition,
    command,
    dependsOnInput,
    debugger: debuggerIn(run, program.args, program.batchFile),
    ...program,
    cwd,
    dependsOnFolder: await dependsOnFolder(valuesOf({ command, args, cwd, env: { ...envFile?.variables, ...configured } }, context)),
    configuredEnv,
    envFile,
    sandbox: boxOf(raw.sandbox, text),
    unset: namesOfUnset(raw, context.env),
  };
}

function valuesOf(
  { command, args, ...rest }: Pick<StartInFolder, 'cwd' | 'env'> & { readonly command: Expanded; readonly args: readonly Expanded[] },
  { userHome, platform }: LaunchContext,
): StartInFolder {
  return { ...rest, command: command.value, args: args.map(({ value }) => value), userHome, platform };
}

/** What stands before the arguments moves the place of the debugger's address; in the one line of cmd.exe there is none. */
function debuggerIn(
  run: Pick<PreparedLaunch, 'args' | 'debugger'>,
  args: readonly Expanded[],
  batchFile: LaunchedBatchFile | undefined,
): PreparedLaunch['debugger'] {
  if (run.debugger === undefined || batchFile === undefined) {
    return run.debugger;
  }
  if (batchFile.isRun) {
    throw definitionError('definitions.debugOtherProgram', { debug: run.debugger.kind, command: batchFile.path });
  }
  const { debugger: prepared } = run;
  return prepared.kind === 'node' ? prepared : { ...prepared, addressAt: prepared.addressAt + args.length - run.args.length };
}

function runOf(
  { command, args }: Pick<PreparedLaunch, 'command' | 'args'>,
  debug: DebuggerKind | undefined,
  { platform }: LaunchContext,
): Pick<PreparedLaunch, 'args' | 'debugger'> {
  return debug === undefined ? { args, debugger: undefined } : debuggedArguments(debug, { command, args, platform });
}

function boxOf(sandbox: LocalDefinition['raw']['sandbox'], text: (value: string) => Expanded): WantedBox | undefined {
  if (sandbox === undefined) {
    return undefined;
  }
  const { read = [], write = [], network = [] } = sandbox === true ? {} : sandbox;
  return { read: read.map(text), write: write.map(text), network: network.map(text) };
}

function asExpanded(envFile: EnvFile | undefined): Readonly<Record<string, Expanded>> {
  return mapValues(envFile?.variables ?? {}, (value) => ({ value, shown: envFile?.path ?? '', variables: [], inputs: [] }));
}

function readFileOf(file: Expanded, base: string): Promise<EnvFile> {
  return readEnvFile(path.resolve(base, file.value), file.shown);
}

function expandEnv(
  env: Readonly<Record<string, string | number | boolean | null>>,
  text: (value: string) => Expanded,
): Readonly<Record<string, Expanded | null>> {
  return mapValues(env, (value) => (value === null ? null : text(String(value))));
}

/** A zero byte would cut the text short for the program, but not for the person who reads it. */
function withoutZero(expanded: Expanded): Expanded {
  if (expanded.value.includes('\0')) {
    throw definitionError('definitions.zeroByte');
  }
  return expanded;
}

function checkNames(names: readonly string[]): void {
  const bad = names.find((name) => name === '' || /[=\0]/.test(name));
  if (bad !== undefined) {
    throw definitionError('definitions.badVariableName', { name: bad });
  }
}

async function existingFolder(wanted: Expanded | undefined, base: string): Promise<string> {
  const folder = path.resolve(base, wanted?.value ?? '.');
  const isFolder = await stat(folder).then(
    (info) => info.isDirectory(),
    () => false,
  );
  if (!isFolder) {
    throw definitionError('definitions.noWorkingFolder', { folder: wanted?.shown ?? base });
  }
  return folder;
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** How a server is run so that a debugger can be attached to it. */
type PreparedDebugger =
  /** Node replaces the port 0 by a free one and prints it. */
  | { readonly kind: 'node' }
  /** debugpy does not print its port, so the argument at this index, an address with the port 0, gets a free port at the start. */
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
const debuggerPrograms: Readonly<Record<DebuggerKind, RegExp>> = {
  node: /^node(js)?(-?\d+(\.\d+)*)?(\.exe)?$/i,
  python: /^python(\d+(\.\d+)*)?(\.exe)?$/i,
};
/** Options of Python without a value, alone or several in one argument. */
const pythonFlags = /^-[bBdEiIOPqRsSuvx]+$/;
const pythonOptionsWithValue: readonly string[] = ['-W', '-X', '--check-hash-based-pycs'];

/** The address that debugpy listens on. */
export function debugAddress(port: number): string {
  return `${host}:${port}`;
}

/** Throws an AppError when the command is another program, or when it is unclear where the person's program begins. */
export function debuggedArguments(kind: DebuggerKind, { command, args, platform }: DebuggedCommand): DebuggedArguments {
  const name = (platform === 'win32' ? path.win32 : path.posix).basename(command.value);
  if (!debuggerPrograms[kind].test(name)) {
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

/** The index at which the options of Python itself end: at a script, or at `-m` or `-c`, which debugpy takes as well. */
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

interface EnvFile {
  readonly path: string;
  /** The hash of the same bytes from which the variables were read. */
  readonly hash: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** The most bytes of a file with environment variables; a larger one is refused. */
const maxEnvFile = 1024 * 1024;

/** `shown` is the path for error messages, without the values of environment variables. */
async function readEnvFile(file: string, shown: string): Promise<EnvFile> {
  const content = await readContent(file, shown);
  const hash = createHash('sha256').update(content).digest('base64url');
  const variables: Record<string, string> = {};
  for (const [raw, value] of Object.entries(parseEnv(content.toString('utf8').replace(/^\uFEFF/, '')))) {
    const name = nameInFile(raw);
    if (name !== undefined && value !== undefined) {
      variables[name] = value;
    }
  }
  return { path: file, hash, variables };
}

/**
 * The name of a variable of a file; undefined for a comment. Node's parser knows no tabs, takes lines without `=` for the beginning of the
 * next name, and an indented comment for a variable. A name that only looks like another one is refused.
 */
function nameInFile(raw: string): string | undefined {
  const line = raw.slice(raw.lastIndexOf('\n') + 1).trim();
  if (line.startsWith('#')) {
    return undefined;
  }
  const name = line.replace(/^export\s+/, '');
  const shown = revealInvisible(name);
  if (shown !== name || /\s/.test(name)) {
    throw definitionError('definitions.badVariableName', { name: shown });
  }
  return name;
}

async function readContent(file: string, shown: string): Promise<Buffer> {
  const content = await readBounded(file, maxEnvFile).catch(() => {
    throw definitionError('definitions.envFileUnreadable', { file: shown });
  });
  if (content === undefined) {
    throw definitionError('definitions.envFileUnusable', { file: shown });
  }
  return content;
}
