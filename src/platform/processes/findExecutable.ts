import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
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

const defaultExtensions = '.COM;.EXE;.BAT;.CMD';

/**
 * Finds the program that a shell would run, without a shell. It never looks in the working folder by itself, not even on Windows
 * or for an empty entry of PATH: a repository could put its own `node` there. (The usual library looks there first on Windows.)
 */
export async function findExecutable(command: string, search: ExecutableSearch): Promise<string> {
  const paths = search.platform === 'win32' ? path.win32 : path.posix;
  const hasFolder = command.includes('/') || (search.platform === 'win32' && command.includes('\\'));
  const folders = hasFolder ? [search.cwd] : foldersOf(search.searchPath, paths);
  for (const folder of folders) {
    for (const extension of extensionsFor(command, search, paths)) {
      const candidate = paths.resolve(folder, command + extension);
      if (await isExecutable(candidate, search.platform)) {
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
  const extensions = (search.pathExtensions ?? defaultExtensions).split(';').filter((extension) => extension !== '');
  const hasExtension = extensions.some((extension) => extension.toLowerCase() === paths.extname(command).toLowerCase());
  return hasExtension ? ['', ...extensions] : extensions;
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

/** Finds the variable PATH in an environment. Windows writes it as `Path`, and does not mind the case. */
export function pathVariable(env: Readonly<Record<string, string | undefined>>): { readonly name: string; readonly value: string } {
  const names = Object.keys(env).filter((name) => name.toUpperCase() === 'PATH' && env[name] !== undefined);
  const name = names.includes('PATH') ? 'PATH' : (names[0] ?? 'PATH');
  return { name, value: env[name] ?? '' };
}
