import { abortError, pause } from './abort.ts';
import type { Clock } from './clock.ts';
import { hasCode } from './errors.ts';
import { Emitter, type Event } from './events.ts';
import type { Disposable } from './lifecycle.ts';

/** A SharedText is a small text that all windows share: it is changed under a lock, replaced whole, and watched. */
export interface SharedText {
  read(): Promise<string | undefined>;
  /** Runs `change` on the current text under the lock and writes what it returns. */
  modify(change: (current: string | undefined) => string): Promise<void>;
  /** Puts an unreadable text aside for a person to look at. */
  setAside(text: string): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** Keeps the text for as long as the window lives, on a machine where nothing can be stored. */
export class TextInMemory implements SharedText {
  #text: string | undefined;
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  read(): Promise<string | undefined> {
    return Promise.resolve(this.#text);
  }

  modify(change: (current: string | undefined) => string): Promise<void> {
    this.#text = change(this.#text);
    this.#changed.fire();
    return Promise.resolve();
  }

  setAside(): Promise<void> {
    return Promise.resolve();
  }
}

/** The code of the error that `read` rejects with for a text of a newer version: nobody here knows what is in it. */
export const newerVersionCode = 'newerVersion';

/** How long, in ms, a text may be unreadable before that counts. */
const unreadableMs = 800;
/** How long, in ms, to wait before an unreadable text is read once more. */
const readAgainMs = 100;

/**
 * A PatientReader reads a text for those who forget what they knew when it cannot be read. Most failures pass at once: too many files
 * are open, or another window is replacing the file. So a failure counts only when it lasts. How long it lasts is measured over all
 * readings: what another window revokes must end here within a second.
 */
export class PatientReader implements Disposable {
  readonly #storage: Pick<SharedText, 'read'>;
  readonly #clock: Clock;
  readonly #ended = new AbortController();
  #failingSince: number | undefined;

  constructor(storage: Pick<SharedText, 'read'>, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  async read(): Promise<string | undefined> {
    for (;;) {
      try {
        const text = await this.#storage.read();
        this.#failingSince = undefined;
        return text;
      } catch (error) {
        this.#failingSince ??= this.#clock.now();
        if (hasCode(error, newerVersionCode) || this.#clock.now() - this.#failingSince >= unreadableMs) {
          throw error;
        }
      }
      await pause(this.#clock, readAgainMs, this.#ended.signal);
    }
  }

  /** Readings that wait for their next try reject. */
  dispose(): void {
    this.#ended.abort(abortError());
  }
}

export interface FolderFile {
  readonly name: string;
  readonly bytes: number;
  /** When it was last written, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** A Hold says that something is this window's alone to change, until it is released. */
export interface Hold {
  /** Whether this window still holds it, and did not sleep for so long that another one has taken it. */
  isStillOurs(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * A SharedFolder has folders with files that all windows share. Names are `FOLDER/FILE`. Files are replaced whole, so that a
 * reader sees the old or the new one. A file that is not there is read as undefined.
 */
export interface SharedFolder {
  /** Fires with the name of a file of the watched folder that came, went or was replaced; '' when it may be any. */
  readonly onDidChange: Event<string>;
  folders(): Promise<readonly string[]>;
  list(folder: string): Promise<readonly FolderFile[]>;
  /** Reads a file; undefined also when it is larger than `maxBytes`. */
  read(name: string, maxBytes: number): Promise<string | undefined>;
  /** Reads the first bytes of a file. A character at the end may be cut. */
  readStart(name: string, bytes: number): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** Renames a file, which then counts as changed now. Nothing happens when it is not there. */
  move(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Makes a file this window's alone to change; undefined while another window has it. */
  hold(name: string): Promise<Hold | undefined>;
  isHeldByOther(name: string): Promise<boolean>;
}

/** Keeps the files in memory for as long as the window lives, on a machine where nothing can be stored. */
export class SharedFolderInMemory implements SharedFolder {
  readonly #files = new Map<string, { readonly text: string; readonly changedAt: number }>();
  readonly #changed = new Emitter<string>();
  readonly onDidChange = this.#changed.event;

  folders(): Promise<readonly string[]> {
    return Promise.resolve([...new Set([...this.#files.keys()].map((name) => name.split('/')[0] ?? ''))]);
  }

  list(folder: string): Promise<readonly FolderFile[]> {
    const own = [...this.#files].filter(([name]) => name.startsWith(`${folder}/`));
    return Promise.resolve(
      own.map(([name, { text, changedAt }]) => ({ name: name.slice(folder.length + 1), bytes: text.length, changedAt })),
    );
  }

  read(name: string): Promise<string | undefined> {
    return Promise.resolve(this.#files.get(name)?.text);
  }

  readStart(name: string): Promise<string | undefined> {
    return this.read(name);
  }

  write(name: string, text: string): Promise<void> {
    this.#files.set(name, { text, changedAt: Date.now() });
    this.#tell(name);
    return Promise.resolve();
  }

  move(from: string, to: string): Promise<void> {
    const file = this.#files.get(from);
    if (file !== undefined) {
      this.#files.delete(from);
      this.#files.set(to, { text: file.text, changedAt: Date.now() });
      this.#tell(to);
    }
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    if (this.#files.delete(name)) {
      this.#tell(name);
    }
    return Promise.resolve();
  }

  hold(): Promise<Hold> {
    return Promise.resolve({ isStillOurs: () => Promise.resolve(true), release: () => Promise.resolve() });
  }

  isHeldByOther(): Promise<boolean> {
    return Promise.resolve(false);
  }

  #tell(name: string): void {
    this.#changed.fire(name.split('/')[1] ?? '');
  }
}
