import type { Question } from '../../contract/questions/questions.ts';

export interface FocusKeeperOptions {
  /** The element that gets the focus when there is no better place for it. */
  readonly home: () => HTMLElement | null;
  /** Whether a question may take the focus from another element of the page. */
  readonly mayMove?: () => boolean;
}

/**
 * Keeps the focus from getting lost. It goes to a question that the person's own action caused (to the card and not to a button,
 * so that Enter does nothing), returns when that question is settled, and when the element that had it is gone from the page it goes
 * to what stood beside that, or else to `home`.
 */
export class FocusKeeper {
  readonly #options: FocusKeeperOptions;
  readonly #fresh = new FreshQuestions();
  #last: Element | undefined;
  /** The element that had the focus before a question took it. */
  #before: HTMLElement | undefined;

  constructor(options: FocusKeeperOptions) {
    this.#options = options;
    document.addEventListener('focusin', ({ target }) => {
      this.#last = target instanceof Element ? target : undefined;
      if (target instanceof HTMLElement && target.closest(anyCard) === null) {
        this.#before = target;
      }
    });
    // A page that is opened for a question gets the focus either before or after its first drawing.
    window.addEventListener('focus', () => {
      this.#lead(this.#fresh.takeOwed(isNowhere()));
      // What had the focus may have gone while the person was elsewhere.
      this.#bringBack([]);
    });
  }

  /**
   * Must be called after each drawing, with the questions that the person's own action caused. `changes` tell what was taken from the
   * page, where that is known.
   */
  keep(own: readonly Question[], changes: readonly MutationRecord[] = []): void {
    const now = { isHere: document.hasFocus(), isTyping: isTyping(), isInQuestion: isInQuestion() };
    const asked = own.map(({ askId }) => askId);
    this.#lead(this.#fresh.take(asked, now));
    this.#bringBack(changes);
  }

  /** Moves the focus on from an answered card: to the next open card, else back to where it was. */
  afterAnswer(answered: HTMLElement): void {
    const others = cards().filter((card) => !answered.contains(card) && isOpen(card));
    const next = others.find((card) => isBehind(card, answered)) ?? others.at(-1);
    if (next === undefined) {
      this.#goBack();
    } else {
      next.focus({ preventScroll: true });
      // The beginning of the next card is what must be read first; a row of the same card is beside the one that was read.
      const together = answered.closest('[data-together]');
      const isNeighbour = together !== null && together.contains(next);
      (next.closest('.call') ?? next).scrollIntoView({ block: isNeighbour ? 'nearest' : 'start' });
    }
  }

  #lead(askId: string | undefined): void {
    if (askId !== undefined && this.#options.mayMove?.() !== false) {
      const card = cards().find((each) => each.dataset['question'] === askId && isOpen(each));
      // Of several calls on one card, all are meant.
      (card?.closest<HTMLElement>('[data-together]') ?? card)?.focus({ preventScroll: true });
    }
  }

  #bringBack(changes: readonly MutationRecord[]): void {
    if (document.hasFocus() && isNowhere() && this.#last?.isConnected === false) {
      besideGone(this.#last, changes)?.focus();
      // What stands beside it may not take the focus.
      if (isNowhere()) {
        this.#goBack();
      }
    }
  }

  #goBack(): void {
    const before = this.#before?.isConnected === true ? this.#before : undefined;
    (before ?? this.#options.home())?.focus({ preventScroll: true });
  }
}

/** A question, or a card with several of them. */
const anyCard = '[data-question], [data-together]';

/** What is of the same kind as its neighbours, so that who was in one of them goes on in another. */
const neighbours = 'button, li, tr, ul, table';
const controls = 'button, a[href], input, select, textarea';

/** The first control in the neighbours behind the place of an element that is gone, such as the next row; else the last in those before it. */
function besideGone(gone: Element, changes: readonly MutationRecord[]): HTMLElement | undefined {
  for (const node of standing(gone, 'nextSibling', changes)) {
    const [first] = controlsIn(node);
    if (first !== undefined) {
      return first;
    }
  }
  for (const node of standing(gone, 'previousSibling', changes)) {
    const last = controlsIn(node).at(-1);
    if (last !== undefined) {
      return last;
    }
  }
  return undefined;
}

/** What is still in the page on one side of the place of an element that is gone, the nearest first. */
function* standing(gone: Element, side: 'nextSibling' | 'previousSibling', changes: readonly MutationRecord[]): Generator<Node> {
  let at: Node | null = gone;
  for (const change of changes) {
    // A neighbour may have gone in the same drawing: then its own neighbour is the nearest.
    if (at?.isConnected === false && [...change.removedNodes].some((node) => node.contains(at))) {
      at = change[side];
    }
  }
  while (at?.isConnected === true) {
    yield at;
    at = at[side];
  }
}

function controlsIn(node: Node): readonly HTMLElement[] {
  return node instanceof HTMLElement && node.matches(neighbours)
    ? [node, ...node.querySelectorAll<HTMLElement>('*')].filter((each) => each.matches(controls) && each.tabIndex >= 0)
    : [];
}

function isBehind(card: Element, other: Element): boolean {
  return (other.compareDocumentPosition(card) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

function cards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-question]')];
}

/** Whether the focus is in an open question: a key meant for that one must not answer, or arm, another. */
function isInQuestion(): boolean {
  const card = document.activeElement?.closest<HTMLElement>(anyCard) ?? null;
  return card !== null && isOpen(card);
}

function isOpen(card: HTMLElement): boolean {
  return card.dataset['answered'] === undefined;
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Whether somebody is in the middle of a text, which would go on into the card and be lost. */
function isTyping(): boolean {
  const { activeElement } = document;
  const isText = activeElement?.matches('textarea, input:not([type="radio"], [type="checkbox"])') === true;
  return isText && (activeElement as HTMLInputElement).value !== '';
}

/** Where the focus of the person is. */
export interface FocusNow {
  /** Whether the page has the focus at all. */
  readonly isHere: boolean;
  /** Whether it is in a text that they have begun. */
  readonly isTyping: boolean;
  /** Whether it is inside a question that is still open: a key they press is meant for that one. */
  readonly isInQuestion: boolean;
}

/** Decides which question gets the focus: each at most once, and never from somebody who is busy. */
export class FreshQuestions {
  #known: ReadonlySet<string> = new Set();
  /** A question that came while the page did not have the focus; VS Code may be about to give it. */
  #owed: string | undefined;

  /** The question to focus now. `own` are all open questions that the person's own action caused. */
  take(own: readonly string[], now: FocusNow): string | undefined {
    const fresh = own.find((askId) => !this.#known.has(askId));
    this.#known = new Set(own);
    this.#owed = now.isHere ? undefined : (fresh ?? this.#owed);
    return now.isHere && !now.isTyping && !now.isInQuestion ? fresh : undefined;
  }

  /** The question to focus when the page has just got the focus; `isNowhere` says that no element of the page has it. */
  takeOwed(isNowhere: boolean): string | undefined {
    const owed = this.#owed;
    this.#owed = undefined;
    return isNowhere && owed !== undefined && this.#known.has(owed) ? owed : undefined;
  }
}
