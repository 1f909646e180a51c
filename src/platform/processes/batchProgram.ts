import path from 'node:path';
import { maxShimBytes, npmScriptOf, readBatchShim, type BatchShim } from './batchShim.ts';
import { findExecutable, isBatchFile, type ProgramDisk, windowsProgram } from './findExecutable.ts';

/** What is really started in place of a batch file, which Windows cannot start by itself. */
export type StartedProgram =
  /** The batch file was read and does nothing but start this program. `before`: arguments before those that are given. */
  | {
      readonly kind: 'program';
      readonly program: string;
      readonly before: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  /** Any other batch file: the command interpreter runs it. */
  | { readonly kind: 'batch'; readonly interpreter: string };

export interface BatchSurroundings {
  /** The folders in which programs are, separated as in PATH. */
  readonly searchPath: string;
  readonly pathExtensions: string | undefined;
  /** The environment of the new process. */
  readonly env: Readonly<Record<string, string>>;
  /** The environment of this process, which says where Windows is. */
  readonly ownEnv: Readonly<Record<string, string | undefined>>;
  /** Throws when a file that a batch file names must not even be looked at. */
  readonly refuse?: ((file: string) => Promise<void>) | undefined;
}

/** A batch file may start another, and that another one. */
const maxBatchFiles = 4;

/** Reads the batch file and finds out what to start instead of it. Nothing is run. */
export async function programOfBatchFile(file: string, surroundings: BatchSurroundings, disk: ProgramDisk): Promise<StartedProgram> {
  const found = await throughBatchFile(file, surroundings, disk, maxBatchFiles);
  return found ?? { kind: 'batch', interpreter: windowsProgram('cmd.exe', surroundings.ownEnv) };
}

type FoundProgram = Extract<StartedProgram, { kind: 'program' }>;

async function throughBatchFile(
  file: string,
  surroundings: BatchSurroundings,
  disk: ProgramDisk,
  left: number,
): Promise<FoundProgram | undefined> {
  const text = left === 0 ? undefined : await disk.readText(file, maxShimBytes);
  if (text === undefined) {
    return undefined;
  }
  const shim = npmShim(text, file) ?? readBatchShim(text, path.win32.dirname(file), surroundings.env);
  if (shim === undefined || !(await areThere(shim.files, surroundings, disk))) {
    return undefined;
  }
  const program = await programFile(shim, surroundings, disk);
  if (program === undefined) {
    return undefined;
  }
  if (!isBatchFile(program, 'win32')) {
    return /\.(?:exe|com)$/i.test(program) ? { kind: 'program', program, before: shim.args, env: shim.env } : undefined;
  }
  const inner = await throughBatchFile(program, { ...surroundings, env: { ...surroundings.env, ...shim.env } }, disk, left - 1);
  return inner && { ...inner, before: [...inner.before, ...shim.args], env: { ...shim.env, ...inner.env } };
}

/** npm's own files ask npm where a newer npm may be; that would run programs, so the npm beside them is taken. */
function npmShim(text: string, file: string): BatchShim | undefined {
  const script = npmScriptOf(text, path.win32.basename(file));
  if (script === undefined) {
    return undefined;
  }
  const folder = path.win32.dirname(file);
  const args = [path.win32.join(folder, script)];
  return { program: { kind: 'name', name: 'node', beside: path.win32.join(folder, 'node.exe') }, args, files: args, env: {} };
}

async function areThere(files: readonly string[], { refuse }: BatchSurroundings, disk: ProgramDisk): Promise<boolean> {
  for (const file of files) {
    await refuse?.(file);
    if (!(await disk.isProgram(file))) {
      return false;
    }
  }
  return true;
}

async function programFile({ program }: BatchShim, surroundings: BatchSurroundings, disk: ProgramDisk): Promise<string | undefined> {
  if (program.kind === 'file') {
    return program.path;
  }
  const { name, beside } = program;
  if (beside !== undefined && (await disk.isProgram(beside))) {
    return beside;
  }
  const { searchPath, pathExtensions } = surroundings;
  // The name has no folder in it, so the working folder does not matter.
  const search = { shownCommand: name, searchPath, cwd: 'C:\\', platform: 'win32', pathExtensions } as const;
  return findExecutable(name, search, disk).catch(() => undefined);
}
