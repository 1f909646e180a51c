import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { readBounded } from '../files/ownFiles.ts';
import type { AppError } from '../../base/errors.ts';
import { platformError } from '../platformErrors.ts';

export interface ExecutableSearch {
  /** The command as the person wrote it, for error messages: without the values of environment variables. */
  readonly shownCommand: string;
  /** The folders to look in, separated as in PATH. */
  readonly searchPath: string;
  /** The folder that a command with a slash in it is relative to. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** The value of PATHEXT; used on Windows only. */
  readonly pathExtensions?: string | undefined;
}

/** What is looked at on the disk to find a program: the files of this machine, unless a test has others. */
export interface ProgramDisk {
  isProgram(file: string): Promise<boolean>;
  /** Reads a text; the result is undefined for what is no plain file of at most `most` bytes. */
  readText(file: string, most: number): Promise<string | undefined>;
}

/** The endings of what Windows can start, in its usual order. `PATHEXT` may also have those of scripts, which need a program of their own. */
const startable: readonly string[] = ['.com', '.exe', '.bat', '.cmd'];

/** The files of this machine. */
export function programDisk(platform: NodeJS.Platform): ProgramDisk {
  return {
    isProgram: (file) => isExecutable(file, platform),
    readText: (file, most) =>
      readBounded(file, most).then(
        (content) => content?.toString('utf8'),
        () => undefined,
      ),
  };
}

/**
 * Finds the program that a shell would run, without a shell. It never looks in the working folder by itself, not even on Windows
 * or for an empty entry of PATH: a repository could put its own `node` there. (The usual library looks there first on Windows.)
 */
export async function findExecutable(
  command: string,
  search: ExecutableSearch,
  disk: ProgramDisk = programDisk(search.platform),
): Promise<string> {
  const paths = search.platform === 'win32' ? path.win32 : path.posix;
  const hasFolder = command.includes('/') || (search.platform === 'win32' && command.includes('\\'));
  const folders = hasFolder ? [search.cwd] : foldersOf(search.searchPath, paths);
  for (const folder of folders) {
    for (const extension of extensionsFor(command, search, paths)) {
      const candidate = paths.resolve(folder, command + extension);
      if (await disk.isProgram(candidate)) {
        return candidate;
      }
    }
  }
  throw notFound(search.shownCommand, hasFolder, folders);
}

function foldersOf(searchPath: string, paths: path.PlatformPath): string[] {
  const folders = searchPath.split(paths.delimiter).map((folder) => folder.replace(/^"(.*)"$/, '$1'));
  return [...new Set(folders.filter((folder) => paths.isAbsolute(folder)))];
}

function extensionsFor(command: string, search: ExecutableSearch, paths: path.PlatformPath): readonly string[] {
  if (search.platform !== 'win32') {
    return [''];
  }
  const named = (search.pathExtensions ?? '').toLowerCase().split(';');
  const known = [...new Set(named.map((extension) => extension.trim()))].filter((extension) => startable.includes(extension));
  const extensions = known.length === 0 ? startable : known;
  return startable.includes(paths.extname(command).toLowerCase()) ? ['', ...extensions] : extensions;
}

async function isExecutable(file: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) {
      return false;
    }
    await access(file, platform === 'win32' ? constants.F_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function notFound(command: string, hasFolder: boolean, folders: readonly string[]): AppError {
  const detail = folders.length === 0 ? 'PATH is empty.' : `Looked in:\n${folders.map((folder) => `  ${folder}`).join('\n')}`;
  return hasFolder
    ? platformError('definitions.fileNotFound', { command }, { detail })
    : platformError('definitions.commandNotFound', { command, folders: folders.length }, { detail });
}

/** Whether it is a file that Windows cannot start by itself, but that `PATHEXT` finds as if it could. */
export function isBatchFile(file: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && /\.(?:cmd|bat)$/i.test(file);
}

/** The value of a variable. Windows does not mind the case of its name. */
export function variableIn(env: Readonly<Record<string, string | undefined>>, name: string, platform: NodeJS.Platform): string | undefined {
  const exact = env[name];
  return exact !== undefined || platform !== 'win32'
    ? exact
    : Object.entries(env).find(([key, value]) => value !== undefined && key.toUpperCase() === name.toUpperCase())?.[1];
}

/** Finds the variable PATH in an environment. Windows writes it as `Path`, and does not mind the case. */
export function pathVariable(env: Readonly<Record<string, string | undefined>>): { readonly name: string; readonly value: string } {
  const names = Object.keys(env).filter((name) => name.toUpperCase() === 'PATH' && env[name] !== undefined);
  const name = names.includes('PATH') ? 'PATH' : (names[0] ?? 'PATH');
  return { name, value: env[name] ?? '' };
}

/** The path of one of Windows' own programs, so that no other of that name is found first: in the working folder, or by `COMSPEC`. */
export function windowsProgram(name: string, env: Readonly<Record<string, string | undefined>>): string {
  const root = variableIn(env, 'SystemRoot', 'win32') ?? '';
  return path.win32.join(path.win32.isAbsolute(root) ? root : 'C:\\Windows', 'System32', name);
}
