/** Where the person is. */
export interface FocusNow {
  /** Whether the page has the focus at all. */
  readonly isHere: boolean;
  /** In text that they have begun. */
  readonly isTyping: boolean;
  /** Inside a question that is still open: a key they press is meant for that one. */
  readonly isInQuestion: boolean;
}

/** Which question gets the focus: each at most once, and never from somebody who is busy. */
export class FreshQuestions {
  #known: ReadonlySet<string> = new Set();
  /** Came while the page did not have the focus; the editor may be about to give it. */
  #owed: string | undefined;

  /** `own`: all that are open now and that the person's own action caused. */
  take(own: readonly string[], now: FocusNow): string | undefined {
    const fresh = own.find((askId) => !this.#known.has(askId));
    this.#known = new Set(own);
    this.#owed = now.isHere ? undefined : (fresh ?? this.#owed);
    return now.isHere && !now.isTyping && !now.isInQuestion ? fresh : undefined;
  }

  /** The page has got the focus. `isNowhere`: and nothing in it has. */
  takeOwed(isNowhere: boolean): string | undefined {
    const owed = this.#owed;
    this.#owed = undefined;
    return isNowhere && owed !== undefined && this.#known.has(owed) ? owed : undefined;
  }
}
