import { messageOf } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { SharedText } from '../../base/sharedStorage.ts';

export interface KeptFileOptions<T> {
  readonly storage: SharedText;
  /** Parses text that another version, or another program, may have written. What cannot be read must be left out. */
  readonly read: (text: string) => T;
  readonly write: (value: T) => string;
  readonly log: Log;
}

/** A change that could not be written: this window alone knows it, until it closes. */
export interface NotWritten {
  readonly reason: string;
}

/** A small file that all windows share. When it cannot be written, this window still knows the value. */
export class KeptFile<T> implements Disposable {
  readonly #options: KeptFileOptions<T>;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  #value: T;

  readonly onDidChange = this.#changed.event;

  constructor(options: KeptFileOptions<T>) {
    this.#options = options;
    this.#value = options.read('');
    this.#lifetime.add(options.storage.onDidChange(() => void this.load()));
  }

  get value(): T {
    return this.#value;
  }

  async load(): Promise<void> {
    const { storage, read, log } = this.#options;
    try {
      this.#take(read((await storage.read()) ?? ''));
    } catch (error) {
      log.warn(`What was kept of earlier runs could not be read: ${messageOf(error)}`);
    }
  }

  /** `change` may be called more than once, each time with the present value. Resolves to the reason when it was not written. */
  async change(change: (value: T) => T): Promise<NotWritten | undefined> {
    const { storage, read, write, log } = this.#options;
    const known = change(this.#value);
    this.#take(known);
    try {
      await storage.modify((text) => {
        const next = change(read(text ?? ''));
        this.#value = next;
        return write(next);
      });
      return undefined;
    } catch (error) {
      const reason = messageOf(error);
      log.warn(`What was run could not be kept: ${reason}`);
      // What the file holds lacks whatever could not be written before.
      this.#take(known);
      return { reason };
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #take(value: T): void {
    this.#value = value;
    this.#changed.fire();
  }
}
