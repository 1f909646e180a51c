import { createHash, randomUUID } from 'node:crypto';
import { watch } from 'node:fs';
import * as fs from 'node:fs/promises';
import { hostname } from 'node:os';
import * as path from 'node:path';
import { hasCode, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { FolderFile, Hold, SharedFolder } from '../../base/sharedStorage.ts';
import { isAlive } from '../processes/processLife.ts';
import { withFileLock } from './fileLock.ts';
import { ownFolder, readBounded, sweepUnfinished, writeOwnFile } from './ownFiles.ts';

/** How often, in ms, the folder counts as changed where it cannot be watched. */
const lookMs = 500;
/** How many files of a folder are looked at; more were put there by somebody else. */
const maxFiles = 5_000;

/** Names the folder for a key; the key itself may hold characters that no file name can have. */
export function folderNameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}

/** A SharedFolderOnDisk keeps the files of all windows where only this user can read them. */
export class SharedFolderOnDisk implements SharedFolder, Disposable {
  readonly #root: string;
  readonly #window = randomUUID();
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<string>());

  readonly onDidChange = this.#changed.event;

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(root: string, watched: string, log: Log): Promise<SharedFolderOnDisk> {
    const folder = new SharedFolderOnDisk(root);
    await ownFolder(root);
    await ownFolder(path.join(root, watched));
    await sweepUnfinished(path.join(root, watched));
    folder.#watch(watched, log);
    return folder;
  }

  async folders(): Promise<readonly string[]> {
    const found = await fs.readdir(this.#root, { withFileTypes: true });
    return found
      .filter((entry) => entry.isDirectory())
      .slice(0, maxFiles)
      .map(({ name }) => name);
  }

  async list(folder: string): Promise<readonly FolderFile[]> {
    const names = (await orNothing(fs.readdir(this.#path(folder)))) ?? [];
    const found: FolderFile[] = [];
    for (const name of names.filter(isLasting).slice(0, maxFiles)) {
      const info = await orNothing(fs.lstat(this.#path(`${folder}/${name}`)));
      if (info?.isFile() === true) {
        found.push({ name, bytes: info.size, changedAt: info.mtimeMs });
      }
    }
    return found;
  }

  async read(name: string, maxBytes: number): Promise<string | undefined> {
    return (await orNothing(readBounded(this.#path(name), maxBytes)))?.toString('utf8');
  }

  async readStart(name: string, bytes: number): Promise<string | undefined> {
    const handle = await orNothing(fs.open(this.#path(name), 'r'));
    if (handle === undefined) {
      return undefined;
    }
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  }

  async write(name: string, text: string): Promise<void> {
    await ownFolder(path.dirname(this.#path(name)));
    await writeOwnFile(this.#path(name), text, 0o600);
  }

  async move(from: string, to: string): Promise<void> {
    await orNothing(fs.rename(this.#path(from), this.#path(to)));
    const now = new Date();
    await orNothing(fs.utimes(this.#path(to), now, now));
  }

  async remove(name: string): Promise<void> {
    await fs.rm(this.#path(name), { force: true });
  }

  hold(name: string): Promise<Hold | undefined> {
    return holdFile(this.#path(name), this.#window);
  }

  isHeldByOther(name: string): Promise<boolean> {
    return isHeldByOther(this.#path(name), this.#window);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** Returns the path of a file. Names come from ids, and none may lead out of the folder. */
  #path(name: string): string {
    const full = path.resolve(this.#root, name);
    if (!full.startsWith(this.#root + path.sep)) {
      throw new Error(`Not a name of a file in this folder: ${name}`);
    }
    return full;
  }

  #watch(folder: string, log: Log): void {
    try {
      const watcher = watch(this.#path(folder), (_event, name) => {
        if (name === null || isLasting(name)) {
          this.#changed.fire(name ?? '');
        }
      });
      watcher.on('error', (error) => {
        watcher.close();
        this.#lookOften(log, error);
      });
      this.#lifetime.add(toDisposable(() => watcher.close()));
    } catch (error) {
      this.#lookOften(log, error);
    }
  }

  /** Looks at short intervals instead: the system has a limit on watches, and an editor uses many. */
  #lookOften(log: Log, reason: unknown): void {
    log.warn(`The conversations cannot be watched and are looked at twice a second instead: ${messageOf(reason)}`);
    const timer = setInterval(() => this.#changed.fire(''), lookMs);
    timer.unref();
    this.#lifetime.add(toDisposable(() => clearInterval(timer)));
  }
}

/** Whether a file is more than a lock or a file that is being written. */
function isLasting(name: string): boolean {
  return !name.endsWith('.tmp') && !name.includes('.lock');
}

async function orNothing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  }
}

/** How long, in ms, taking or releasing a hold waits for the lock. */
const lockWaitMs = 5_000;
/** How often, in ms, a holder shows that it lives. */
const signOfLifeMs = 10_000;
/** A holder that has shown no life for so long, in ms, has lost its hold. A computer that wakes up may be slow to say that its holders live. */
const staleMs = 30_000;
/** The largest file that says who holds something. */
const maxHolderBytes = 1_000;

interface Holder {
  readonly id: string;
  readonly machine: string;
  readonly pid: number;
}

/** Makes a file this window's alone to change; undefined while another window has it. A holder that has ended is pushed aside at once. */
export async function holdFile(file: string, window: string): Promise<Hold | undefined> {
  const id = `${window}/${randomUUID()}`;
  const isTaken = await withFileLock(`${file}.lock`, lockWaitMs, async () => {
    if ((await livingHolder(file)) !== undefined) {
      return false;
    }
    await writeOwnFile(file, JSON.stringify({ id, machine: hostname(), pid: process.pid } satisfies Holder), 0o600);
    return true;
  });
  return isTaken ? keep(file, id) : undefined;
}

/** Whether another window has the file. */
export async function isHeldByOther(file: string, window: string): Promise<boolean> {
  const holder = await livingHolder(file);
  return holder !== undefined && !holder.id.startsWith(`${window}/`);
}

function keep(file: string, id: string): Hold {
  const isOurs = async (): Promise<boolean> => (await readHolder(file))?.id === id;
  const alive = setInterval(() => void showLife(file, isOurs).catch(() => undefined), signOfLifeMs);
  alive.unref();
  return {
    isStillOurs: isOurs,
    release: async () => {
      clearInterval(alive);
      await withFileLock(`${file}.lock`, lockWaitMs, async () => {
        if (await isOurs()) {
          await fs.rm(file, { force: true });
        }
      });
    },
  };
}

async function showLife(file: string, isOurs: () => Promise<boolean>): Promise<void> {
  if (await isOurs()) {
    const now = new Date();
    await fs.utimes(file, now, now);
  }
}

async function livingHolder(file: string): Promise<Holder | undefined> {
  const holder = await readHolder(file);
  const seen = await fs.stat(file).catch(() => undefined);
  if (holder === undefined || seen === undefined || Date.now() - seen.mtimeMs > staleMs) {
    return undefined;
  }
  // About a holder on another machine (a home folder may be shared) only the signs of life tell.
  return holder.machine === hostname() && !isAlive(holder.pid) ? undefined : holder;
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse((await readBounded(file, maxHolderBytes))?.toString('utf8') ?? '');
    return isHolder(value) ? value : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

function isHolder(value: unknown): value is Holder {
  const holder = value as Partial<Holder> | null;
  return (
    typeof holder === 'object' && typeof holder?.id === 'string' && typeof holder.machine === 'string' && typeof holder.pid === 'number'
  );
}
