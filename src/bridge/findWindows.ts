import { constants, watch } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode } from '../base/errors.ts';
import { discoveryFile, type DiscoveryFile } from '../contract/bridgeFiles.ts';

/** The most bytes of the file in which a window says how it is reached; a larger one is refused. */
const maxFileBytes = 1_048_576;

/** What the bridge's process knows about itself and its machine; tests say something else. */
export interface Surroundings {
  readonly machine: string;
  /** The user id; undefined on Windows, where the files are protected by the access list of their folder. */
  readonly uid: number | undefined;
  readonly isAlive: (pid: number) => boolean;
}

/** The folder `DUPLEX_HOME` if that is an absolute path, else `.duplex` in the home folder. The server reads it the same way. */
export function duplexHome(variable: string | undefined, homeFolder: string): string {
  return variable !== undefined && path.isAbsolute(variable) ? path.resolve(variable) : path.join(homeFolder, '.duplex');
}

/** Reads `DUPLEX_HOME/windows`. A token is sent where such a file says, so nothing that others could have written is believed. */
export async function findWindows(home: string, surroundings: Surroundings): Promise<FoundWindows> {
  const folder = path.join(home, 'windows');
  const folderProblem = await checkFolder(folder, surroundings.uid);
  if (folderProblem !== undefined) {
    return { windows: [], refused: folderProblem === 'absent' ? [] : [{ file: folder, why: folderProblem }] };
  }
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
  const read = await Promise.all(names.map((name) => readWindow(path.join(folder, name), surroundings)));
  return {
    windows: read.filter((one) => typeof one === 'object'),
    refused: read.flatMap((one, index) => (typeof one === 'string' ? [{ file: path.join(folder, names[index] ?? ''), why: one }] : [])),
  };
}

async function checkFolder(folder: string, uid: number | undefined): Promise<Refusal | 'absent' | undefined> {
  try {
    const stats = await lstat(folder);
    if (stats.isSymbolicLink()) {
      return 'symbolicLink';
    }
    return stats.isDirectory() ? protectionProblem(stats, uid) : 'notAFile';
  } catch (error) {
    return hasCode(error, 'ENOENT') ? 'absent' : 'unreadable';
  }
}

/** Reads a discovery file; undefined when it went away meanwhile, as it does when its window closes. */
async function readWindow(file: string, surroundings: Surroundings): Promise<DiscoveredWindow | Refusal | undefined> {
  let handle: FileHandle | undefined;
  try {
    // Windows has no flag against links (`undefined` adds nothing below), so one is looked for by name first.
    if ((await lstat(file)).isSymbolicLink()) {
      return 'symbolicLink';
    }
    // Checked on the open file, so that it cannot be swapped between check and use; a pipe must not block.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = await handle.stat();
    const problem = !stats.isFile() ? 'notAFile' : stats.size > maxFileBytes ? 'tooLarge' : protectionProblem(stats, surroundings.uid);
    return problem ?? (await judge(file, await handle.readFile('utf8'), surroundings));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    return hasCode(error, 'ELOOP') ? 'symbolicLink' : 'unreadable';
  } finally {
    await handle?.close();
  }
}

function protectionProblem(stats: { readonly uid: number; readonly mode: number }, uid: number | undefined): Refusal | undefined {
  if (uid === undefined) {
    return undefined;
  }
  if (stats.uid !== uid) {
    return 'otherOwner';
  }
  return (stats.mode & 0o077) === 0 ? undefined : 'widerMode';
}

async function judge(file: string, text: string, { machine, isAlive }: Surroundings): Promise<DiscoveredWindow | Refusal> {
  const content = parse(text);
  if (content === undefined) {
    return 'malformed';
  }
  if (content.machine !== machine) {
    return 'otherMachine';
  }
  return isAlive(content.pid) ? { file, content, roots: await rootsOf(content) } : 'deadProcess';
}

function parse(text: string): DiscoveryFile | undefined {
  try {
    const content = discoveryFile.safeParse(JSON.parse(text)).data;
    return content !== undefined && content.pid > 0 && pointsToListener(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Whether all addresses are those of the listener: the token is sent to them. */
function pointsToListener({ host, port, urls }: DiscoveryFile): boolean {
  return Object.values(urls).every((url) => URL.canParse(url) && new URL(url).host === `${host}:${port}`);
}

async function rootsOf({ workspaceFolders }: DiscoveryFile): Promise<readonly string[]> {
  const roots = await Promise.all(
    workspaceFolders.map(async (folder) => [folder.path, await realpath(folder.path).catch(() => folder.path)]),
  );
  return [...new Set(roots.flat())];
}

/** A window whose discovery file passed every check. */
export interface DiscoveredWindow {
  readonly file: string;
  readonly content: DiscoveryFile;
  /** The workspace folders as VS Code names them, and also without links where that differs. */
  readonly roots: readonly string[];
}

/** Why a file under `DUPLEX_HOME/windows`, or that folder itself, is not used. */
export type Refusal =
  | 'deadProcess'
  | 'malformed'
  | 'notAFile'
  | 'otherMachine'
  | 'otherOwner'
  | 'silent'
  | 'symbolicLink'
  | 'tooLarge'
  | 'unproven'
  | 'unreadable'
  | 'widerMode';

export interface RefusedFile {
  readonly file: string;
  readonly why: Refusal;
  /** The name of the window, where one was read. */
  readonly name?: string | undefined;
}

export interface FoundWindows {
  readonly windows: readonly DiscoveredWindow[];
  readonly refused: readonly RefusedFile[];
}

export interface WindowsFolderWatch {
  /** The promise resolves once a discovery file has come or gone; never where that cannot be watched. */
  readonly changed: Promise<void>;
  close(): void;
}

/** Watches the folder of discovery files. A change is only a hint to look again, and proves nothing. */
export function watchWindowsFolder(home: string): WindowsFolderWatch {
  let tell: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => (tell = resolve));
  // Before the first window their folder does not exist, and its appearance is a change of the folder above.
  for (const folder of [path.join(home, 'windows'), home]) {
    try {
      // Only a file that comes or goes counts: on some systems reading a file is a change, too.
      const watcher = watch(folder, { persistent: false }, (kind) => kind === 'rename' && tell());
      watcher.on('error', () => watcher.close());
      return { changed, close: () => watcher.close() };
    } catch {
      // The folder is not there, or the system has no watch left.
    }
  }
  return { changed, close: () => undefined };
}
