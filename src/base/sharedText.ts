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
