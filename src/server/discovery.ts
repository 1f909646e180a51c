import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync, type Stats } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { AppError, hasCode } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { discoveryFile, type DiscoveryFile } from '../contract/discoveryFile.ts';
import { isAlive } from '../discovery/livingProcess.ts';

export interface DuplexHome {
  readonly path: string;
  /** The `DUPLEX_HOME` variable points into a workspace folder: a repository could have set it. */
  readonly ignoredVariable: string | undefined;
}

/** `DUPLEX_HOME`, or `.duplex` in the home folder. */
export function resolveDuplexHome(variable: string | undefined, homeFolder: string, workspaceFolders: readonly string[]): DuplexHome {
  const standard = join(homeFolder, '.duplex');
  if (variable === undefined || variable === '') {
    return { path: standard, ignoredVariable: undefined };
  }
  const wanted = resolve(variable);
  const isUnsafe = !isAbsolute(variable) || (wanted !== standard && workspaceFolders.some((folder) => isInside(wanted, folder)));
  return isUnsafe ? { path: standard, ignoredVariable: variable } : { path: wanted, ignoredVariable: undefined };
}

function isInside(path: string, folder: string): boolean {
  const way = relative(resolve(folder), path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

/** This window's file under `DUPLEX_HOME/windows`: there while the listener runs, readable by its user only. */
export class DiscoveryPublisher {
  readonly #home: string;
  readonly #folder: string;
  readonly #log: Log;
  readonly #path: string;
  #queue: Promise<unknown> = Promise.resolve();
  #isRemoved = false;

  constructor(home: string, log: Log) {
    this.#home = home;
    this.#folder = join(home, 'windows');
    this.#log = log;
    this.#path = join(this.#folder, `${randomUUID()}.json`);
  }

  get path(): string {
    return this.#path;
  }

  /** Writes or replaces the file; a reader sees the old or the new one, never half of one. */
  publish(content: DiscoveryFile): Promise<void> {
    const published = this.#queue.then(() => this.#write(content));
    this.#queue = published.catch(() => undefined);
    return published;
  }

  /** Files whose window is gone. Those of another machine or container are none of our business. */
  async cleanUp(machine: string): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      if (name.endsWith('.json') && path !== this.#path && (await isStale(path, machine))) {
        await rm(path, { force: true });
        this.#log.debug(`Removed the discovery file of a window that is gone: ${name}`);
      }
    }
  }

  /** Synchronous, so that it also works while the process exits. */
  removeSync(): void {
    this.#isRemoved = true;
    try {
      rmSync(this.#path, { force: true });
    } catch (error) {
      this.#log.error('The discovery file could not be removed.', error);
    }
  }

  /** After `removeSync`: resolves once a write that was under way is over and taken back. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  async #write(content: DiscoveryFile): Promise<void> {
    if (this.#isRemoved) {
      return;
    }
    await ownFolder(this.#home);
    await ownFolder(this.#folder);
    const temporary = join(this.#folder, `.${randomBytes(8).toString('hex')}.tmp`);
    try {
      // `wx` neither follows a planted link nor takes over a planted file.
      const file = await open(temporary, 'wx', 0o600);
      try {
        await file.writeFile(JSON.stringify(content, undefined, 2));
        await file.chmod(0o600);
      } finally {
        await file.close();
      }
      await rename(temporary, this.#path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    this.#removeAgainIfGone();
  }

  #removeAgainIfGone(): void {
    if (this.#isRemoved) {
      this.removeSync();
    }
  }
}

async function ownFolder(path: string): Promise<void> {
  await makeFolder(path);
  const stats = await lstat(path);
  if (!stats.isDirectory() || !isOurs(stats)) {
    throw new AppError('server.discovery.unsafeFolder', `${path} is a link, not a folder, or belongs to someone else.`, { args: { path } });
  }
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) {
    await chmod(path, 0o700);
  }
}

/** Not `recursive`: Node never comes back from that where a parent cannot have children (`/proc`). */
async function makeFolder(path: string, isSecondTry = false): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      return;
    }
    if (isSecondTry || !hasCode(error, 'ENOENT') || dirname(path) === path) {
      throw error;
    }
    await makeFolder(dirname(path));
    await makeFolder(path, true);
  }
}

function isOurs(stats: Stats): boolean {
  return process.getuid === undefined || stats.uid === process.getuid();
}

async function isStale(path: string, machine: string): Promise<boolean> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || !isOurs(stats)) {
      return false;
    }
    const content = discoveryFile.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return content.success && content.data.machine === machine && !isAlive(content.data.pid);
  } catch {
    // Someone else's file, or one that is being removed.
    return false;
  }
}
