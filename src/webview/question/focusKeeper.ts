import type { Question } from '../../contract/questions/questions.ts';

export interface FocusKeeperOptions {
  /** Where the focus goes when it has nowhere better to go. */
  readonly home: () => HTMLElement | null;
  /** Whether a question may take the focus of the page, when that has it. */
  readonly mayMove?: () => boolean;
}

/**
 * The focus is never lost: it goes to a question that the person's own action caused (to the card, not to a button of it, so
 * that Enter does nothing), comes back when that is settled, and goes home when what had it is gone from the page.
 */
export class FocusKeeper {
  readonly #options: FocusKeeperOptions;
  readonly #fresh = new FreshQuestions();
  #last: Element | undefined;
  /** What had the focus before a question took it. */
  #before: HTMLElement | undefined;

  constructor(options: FocusKeeperOptions) {
    this.#options = options;
    document.addEventListener('focusin', ({ target }) => {
      this.#last = target instanceof Element ? target : undefined;
      if (target instanceof HTMLElement && target.closest('[data-question]') === null) {
        this.#before = target;
      }
    });
    // A page that is shown for a question gets the focus after its first drawing, or before.
    window.addEventListener('focus', () => this.#lead(this.#fresh.takeOwed(isNowhere())));
  }

  /** To be called after each drawing, with the questions that the person's own action caused. */
  keep(own: readonly Question[]): void {
    const now = { isHere: document.hasFocus(), isTyping: isTyping(), isInQuestion: isInQuestion() };
    const asked = own.map(({ askId }) => askId);
    this.#lead(this.#fresh.take(asked, now));
    if (document.hasFocus() && isNowhere() && this.#last?.isConnected === false) {
      this.#goBack();
    }
  }

  /** To the next open card, else back to where it was. */
  afterAnswer(answered: HTMLElement): void {
    const all = cards();
    const index = all.indexOf(answered);
    const isOther = (card: HTMLElement): boolean => card !== answered && isOpen(card);
    const next = all.slice(index).find(isOther) ?? all.slice(0, index).findLast(isOther);
    if (next === undefined) {
      this.#goBack();
    } else {
      // Its beginning is what must be read first.
      next.focus({ preventScroll: true });
      (next.closest('.call') ?? next).scrollIntoView({ block: 'start' });
    }
  }

  #lead(askId: string | undefined): void {
    if (askId !== undefined && this.#options.mayMove?.() !== false) {
      const card = cards().find((each) => each.dataset['question'] === askId && isOpen(each));
      card?.focus({ preventScroll: true });
    }
  }

  #goBack(): void {
    const before = this.#before?.isConnected === true ? this.#before : undefined;
    (before ?? this.#options.home())?.focus({ preventScroll: true });
  }
}

function cards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-question]')];
}

/** A key that is meant for one question would answer, or arm, another. */
function isInQuestion(): boolean {
  const card = document.activeElement?.closest<HTMLElement>('[data-question]') ?? null;
  return card !== null && isOpen(card);
}

function isOpen(card: HTMLElement): boolean {
  return card.dataset['answered'] === undefined;
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Text that somebody has begun would go on into the card, and be lost. */
function isTyping(): boolean {
  const { activeElement } = document;
  const isText = activeElement?.matches('textarea, input:not([type="radio"], [type="checkbox"])') === true;
  return isText && (activeElement as HTMLInputElement).value !== '';
}

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
