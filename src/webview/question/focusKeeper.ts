import type { Question } from '../../contract/questions.ts';

export interface FocusKeeperOptions {
  /** Where the focus goes when it has nowhere better to go. */
  readonly home: () => HTMLElement | null;
  /** Whether a question may take the focus now. */
  readonly mayMove: () => boolean;
}

/**
 * The focus is never lost: it goes to a question that the person's own action caused (to the card, not to a button of it, so
 * that Enter does nothing), comes back when that is settled, and goes home when what had it is gone from the page.
 */
export class FocusKeeper {
  readonly #options: FocusKeeperOptions;
  #known: ReadonlySet<string> = new Set();
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
  }

  /** To be called after each drawing, with the questions that the person's own action caused. */
  keep(own: readonly Question[]): void {
    const fresh = own.find(({ askId }) => !this.#known.has(askId));
    this.#known = new Set(own.map(({ askId }) => askId));
    if (fresh !== undefined && !isTyping() && this.#options.mayMove()) {
      const card = cards().find((each) => each.dataset['question'] === fresh.askId && isOpen(each));
      card?.focus({ preventScroll: true });
    }
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

  #goBack(): void {
    const before = this.#before?.isConnected === true ? this.#before : undefined;
    (before ?? this.#options.home())?.focus({ preventScroll: true });
  }
}

function cards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-question]')];
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
  return document.hasFocus() && isText && (activeElement as HTMLInputElement).value !== '';
}
