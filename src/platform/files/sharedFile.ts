import { randomUUID } from 'node:crypto';
import { unwatchFile, watch, watchFile } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode, messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, toDisposable, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { newerVersionCode, type SharedText } from '../../base/sharedStorage.ts';
import { withFileLock, type IsHeld } from './fileLock.ts';

/** How long, in ms, a change waits for the lock. */
const lockWaitMs = 5_000;

type Change = (current: string | undefined) => string;

interface Waiting {
  readonly change: Change;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A SharedFile is a small file that several windows share: it is changed under a lock, replaced whole, and watched. */
export class SharedFile implements SharedText, Disposable {
  readonly #file: string;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());

  readonly #waiting: Waiting[] = [];
  #isWriting = false;

  readonly onDidChange = this.#changed.event;

  private constructor(file: string) {
    this.#file = file;
  }

  static async open(file: string, log: Log): Promise<SharedFile> {
    const shared = new SharedFile(file);
    await fs.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    shared.#watch(log);
    return shared;
  }

  /** Rejects for a file of a newer version, too: nobody here knows what is in it. */
  async read(): Promise<string | undefined> {
    try {
      return requireOwnVersion(await fs.readFile(this.#file, 'utf8'));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) {
        return undefined;
      }
      throw error;
    }
  }

  /**
   * `change` is called again when this window slept while it held the lock and another one wrote meanwhile. Changes that come at
   * once are written together, in their order: one by one, each would wait for the lock of the one before.
   */
  modify(change: Change): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ change, resolve, reject });
      if (!this.#isWriting) {
        void this.#writeAll();
      }
    });
  }

  async setAside(text: string): Promise<void> {
    await fs.writeFile(`${this.#file}.damaged-${Date.now()}`, text, { mode: 0o600 });
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** Writes all changes that wait. It never rejects: each caller is told of its own failure. */
  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const taken = this.#waiting.splice(0);
      const refused = new Map<Waiting, unknown>();
      try {
        let isWritten = false;
        while (!isWritten) {
          isWritten = await withFileLock(`${this.#file}.lock`, lockWaitMs, async (isHeld) => {
            taken.push(...this.#waiting.splice(0));
            refused.clear();
            const text = changed(await this.read(), taken, refused);
            return text === undefined || this.#replace(text, isHeld);
          });
        }
        taken.forEach((each) => (refused.has(each) ? each.reject(refused.get(each)) : each.resolve()));
      } catch (error) {
        taken.forEach((each) => each.reject(refused.get(each) ?? error));
      }
    }
    // Without waiting in between: a change that comes after the last look must start a new round.
    this.#isWriting = false;
  }

  async #replace(text: string, isHeld: IsHeld): Promise<boolean> {
    const temporary = `${this.#file}.${randomUUID()}.tmp`;
    try {
      await fs.writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
      // As late as possible: only a sleep between these two calls could still go unnoticed.
      if (!(await isHeld())) {
        await fs.rm(temporary, { force: true });
        return false;
      }
      await fs.rename(temporary, this.#file);
      return true;
    } catch (error) {
      await fs.rm(temporary, { force: true });
      throw error;
    }
  }

  /** Watches the folder: the file itself is replaced on every write, and a watch on it would follow the old one. */
  #watch(log: Log): void {
    try {
      const watcher = watch(path.dirname(this.#file), (_event, name) => {
        if (name === path.basename(this.#file)) {
          this.#changed.fire();
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

  /** Looks at the file at short intervals when it cannot be watched: the system limits the number of watches, and an editor uses many. */
  #lookOften(log: Log, reason: unknown): void {
    log.warn(`The shared files cannot be watched and are looked at twice a second instead: ${messageOf(reason)}`);
    const look = (): void => this.#changed.fire();
    watchFile(this.#file, { interval: 500, persistent: false }, look);
    this.#lifetime.add(toDisposable(() => unwatchFile(this.#file, look)));
  }
}

/** The version of the files that several windows share, which is the first thing in each of them. */
const currentVersion = 1;

/** What a newer version wrote is neither damaged nor ours to write over: its window stands beside this one. */
function requireOwnVersion(text: string): string {
  const [, version] = /^\s*\{\s*"version"\s*:\s*(\d+)/.exec(text) ?? [];
  if (version !== undefined && Number(version) > currentVersion) {
    throw Object.assign(new Error('The file was written by a newer version of Duplex, and stays as it is.'), { code: newerVersionCode });
  }
  return text;
}

/** Applies all changes to the text, one after the other. One that throws changes nothing; undefined when all throw. */
function changed(current: string | undefined, all: readonly Waiting[], refused: Map<Waiting, unknown>): string | undefined {
  let text: string | undefined;
  for (const each of all) {
    try {
      text = each.change(text ?? current);
    } catch (error) {
      refused.set(each, error);
    }
  }
  return text;
}
