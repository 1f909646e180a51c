/** Where the ids of conversations are kept, so that they outlive the window. */
export interface UndrawnMemory {
  get(): readonly string[];
  set(ids: readonly string[]): void;
}

/** The most conversations that are remembered as not drawn yet; the oldest are forgotten. */
const maxRemembered = 50;

/**
 * Remembers the conversations that a page was given to draw and has not said to have drawn. Those of a page that is gone hung it,
 * and would again: they are opened as plain text until the person wants them whole and that goes well.
 */
export class UndrawnConversations {
  readonly #memory: UndrawnMemory;

  constructor(memory: UndrawnMemory) {
    this.#memory = memory;
  }

  /** Notes that a page begins to draw a conversation; true if it has to draw it as plain text. */
  begin(id: string): boolean {
    const ids = this.#memory.get();
    const isPlain = ids.includes(id);
    if (!isPlain) {
      this.#memory.set([...ids, id].slice(-maxRemembered));
    }
    return isPlain;
  }

  /** Notes that a conversation is drawn, or may be tried once more. */
  forget(id: string): void {
    const ids = this.#memory.get();
    if (ids.includes(id)) {
      this.#memory.set(ids.filter((each) => each !== id));
    }
  }
}
