import { Emitter, type Event } from './events.ts';

/** A small text shared by all windows: read, changed under a lock and replaced whole, watched. */
export interface SharedText {
  read(): Promise<string | undefined>;
  /** Runs `change` on the current text under the lock and writes what it returns. */
  modify(change: (current: string | undefined) => string): Promise<void>;
  /** Puts an unreadable text aside for a person to look at. */
  setAside(text: string): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** For a machine that lets nothing be stored: keeps the text for as long as the window lives. */
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

export interface FolderFile {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** That something is this window's to change, until it is given back. */
export interface Hold {
  /** False when this window slept so long that another one took it. */
  isStillOurs(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * A folder of folders of files that all windows share. Names are `FOLDER/FILE`. Files are replaced whole, so that a reader sees
 * the old or the new one; what is not there is undefined.
 */
export interface SharedFolder {
  /** The name of a file of the watched folder that came, went or was replaced; '' when it may be any. */
  readonly onDidChange: Event<string>;
  folders(): Promise<readonly string[]>;
  list(folder: string): Promise<readonly FolderFile[]>;
  /** Also undefined when it is larger than that. */
  read(name: string, maxBytes: number): Promise<string | undefined>;
  /** Its first bytes. A character at the end may be cut. */
  readStart(name: string, bytes: number): Promise<string | undefined>;
  write(name: string, text: string): Promise<void>;
  /** Counts as changed then. Nothing happens when it is not there. */
  move(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Undefined while another window has it. */
  hold(name: string): Promise<Hold | undefined>;
  isHeldByOther(name: string): Promise<boolean>;
}

/** Where nothing can be kept: as good as files for as long as the window lives. */
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
