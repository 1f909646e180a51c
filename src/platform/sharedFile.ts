import { randomUUID } from 'node:crypto';
import { unwatchFile, watch, watchFile } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { hasCode, messageOf } from '../base/errors.ts';
import { Emitter } from '../base/events.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { SharedText } from '../base/sharedText.ts';
import { withFileLock, type IsHeld } from './fileLock.ts';

const lockWaitMs = 5_000;

/** A small file that several windows share: changed under a lock, replaced whole, watched. */
export class SharedFile implements SharedText, Disposable {
  readonly #file: string;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());

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

  async read(): Promise<string | undefined> {
    try {
      return await fs.readFile(this.#file, 'utf8');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) {
        return undefined;
      }
      throw error;
    }
  }

  /** `change` is asked again when this window slept over its turn and another one wrote meanwhile. */
  async modify(change: (current: string | undefined) => string): Promise<void> {
    let isWritten = false;
    while (!isWritten) {
      isWritten = await withFileLock(`${this.#file}.lock`, lockWaitMs, async (isHeld) => this.#replace(change(await this.read()), isHeld));
    }
  }

  async setAside(text: string): Promise<void> {
    await fs.writeFile(`${this.#file}.damaged-${Date.now()}`, text, { mode: 0o600 });
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #replace(text: string, isHeld: IsHeld): Promise<boolean> {
    const temporary = `${this.#file}.${randomUUID()}.tmp`;
    try {
      await fs.writeFile(temporary, text, { flag: 'wx', mode: 0o600 });
      // As late as can be: what lies between the two calls is all that a sleep could still fall into.
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

  /** The system has a limit on watches, and an editor uses many. */
  #lookOften(log: Log, reason: unknown): void {
    log.warn(`The shared files cannot be watched and are looked at twice a second instead: ${messageOf(reason)}`);
    const look = (): void => this.#changed.fire();
    watchFile(this.#file, { interval: 500, persistent: false }, look);
    this.#lifetime.add(toDisposable(() => unwatchFile(this.#file, look)));
  }
}
