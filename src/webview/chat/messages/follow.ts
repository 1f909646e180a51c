import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

const nearBottom = 24;
const cardMargin = 8;

export interface Follow {
  /** Whether the person reads further up: then nothing scrolls by itself. */
  readonly isAway: boolean;
  readonly jump: () => void;
}

/** Keeps the newest text in view for somebody who is at the bottom already, and an open question where it stands. */
export function useFollow(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>): Follow {
  const follower = useRef<Follower | undefined>(undefined);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const [frame, inner] = [scroller.current, content.current];
    if (frame === null || inner === null) {
      return undefined;
    }
    const made = new Follower(frame, inner, setAway);
    follower.current = made;
    return () => {
      follower.current = undefined;
      made.dispose();
    };
  }, [scroller, content]);
  // With each drawing, before anybody sees it.
  useLayoutEffect(() => follower.current?.update());
  const jump = useCallback(() => {
    setAway(false);
    follower.current?.jump();
  }, []);
  return { isAway, jump };
}

class Follower {
  readonly #frame: HTMLElement;
  readonly #inner: HTMLElement;
  readonly #tell: (isAway: boolean) => void;
  readonly #ending = new AbortController();
  readonly #resizes = new ResizeObserver(() => this.update());
  #isPinned = true;
  #held: HeldCard | undefined;

  constructor(frame: HTMLElement, inner: HTMLElement, tell: (isAway: boolean) => void) {
    this.#frame = frame;
    this.#inner = inner;
    this.#tell = tell;
    this.#resizes.observe(inner);
    this.#resizes.observe(frame);
    const { signal } = this.#ending;
    frame.addEventListener('scroll', () => this.#look(), { passive: true, signal });
    frame.addEventListener('click', (event) => this.#noticeClick(event), { capture: true, signal });
    this.update();
  }

  dispose(): void {
    this.#ending.abort();
    this.#resizes.disconnect();
    this.#held?.release();
  }

  jump(): void {
    this.#isPinned = true;
    this.#frame.scrollTop = followTarget(this.#frame);
  }

  /** Must be called after everything that may have changed heights. */
  update(): void {
    const frame = this.#frame;
    const card = openCard(frame);
    if (card !== (this.#held?.card ?? null)) {
      this.#hold(card);
    } else if (this.#held?.wasInView() === true) {
      this.#held.keep();
    } else if (this.#isPinned) {
      frame.scrollTop = Math.max(frame.scrollTop, followTarget(frame));
    } else {
      this.#look();
    }
  }

  #hold(card: HTMLElement | null): void {
    this.#held?.release();
    this.#held = undefined;
    if (this.#isPinned) {
      // The browser may have scrolled a new card to its end already.
      this.#frame.scrollTop = followTarget(this.#frame);
    }
    if (card !== null) {
      this.#held = new HeldCard(card, this.#frame, this.#inner, this.#resizes);
    }
  }

  #look(): void {
    this.#held?.noticeScroll();
    this.#isPinned = followTarget(this.#frame) - this.#frame.scrollTop < nearBottom;
    // The button for jumping down would cover the buttons of a card.
    this.#tell(!this.#isPinned && !isInView(this.#frame, openCard(this.#frame)));
  }

  /** When the person opens something, its first line must not scroll away, and what is below it moves as they expect. */
  #noticeClick({ target }: Event): void {
    if (target instanceof Element && target.closest('[aria-expanded], [data-grows]') !== null) {
      this.#isPinned = false;
      this.#held?.letGo();
      requestAnimationFrame(() => requestAnimationFrame(() => this.#look()));
    }
  }
}

/**
 * An open question that stays where it is on the screen while what is above it grows or shrinks unasked: nobody shall press what
 * was somewhere else a moment ago. It scrolls; where there is nothing to scroll, it makes room below, or above the card.
 */
class HeldCard {
  readonly card: HTMLElement;
  readonly #frame: HTMLElement;
  readonly #inner: HTMLElement;
  readonly #whole: HTMLElement;
  #top: number | undefined;
  #roomAbove = 0;
  #roomBelow = 0;
  /** How far it scrolled the frame itself. */
  #scrolledTo: number | undefined;

  constructor(card: HTMLElement, frame: HTMLElement, inner: HTMLElement, resizes: ResizeObserver) {
    this.card = card;
    this.#frame = frame;
    this.#inner = inner;
    this.#whole = card.closest<HTMLElement>('.call') ?? card;
    // The whole is as high as the frame at least, and does not grow with what is in a short conversation.
    for (let around = card.parentElement; around !== null && around !== inner; around = around.parentElement) {
      resizes.observe(around);
    }
    this.#stay();
  }

  /** Takes the place where somebody scrolled it to as its own. Its own scrolling is off by parts of a pixel, which must not add up. */
  noticeScroll(): void {
    if (this.#top === undefined || this.#frame.scrollTop !== this.#scrolledTo) {
      this.#stay();
    }
  }

  /** Lets it move until the next scrolling, or until somebody says that there was none. */
  letGo(): void {
    this.#top = undefined;
  }

  /** Whether it was in view before anything moved it: what grows above it may push it out at once. */
  wasInView(): boolean {
    const [outer, inner] = [this.#frame.getBoundingClientRect(), this.card.getBoundingClientRect()];
    const top = this.#top ?? inner.top;
    return top < outer.bottom && top + inner.height > outer.top;
  }

  keep(): void {
    const moved = this.#top === undefined ? 0 : this.card.getBoundingClientRect().top - this.#top;
    if (Math.abs(moved) < 1) {
      return;
    }
    const less = Math.min(Math.max(moved, 0), this.#roomAbove);
    const wanted = this.#frame.scrollTop + moved - less;
    const end = this.#frame.scrollHeight - less - this.#frame.clientHeight;
    this.#setRoom(this.#roomAbove - less + Math.max(0, -wanted), this.#roomBelow + Math.max(0, wanted - end));
    this.#frame.scrollTop = wanted;
    this.#scrolledTo = this.#frame.scrollTop;
  }

  release(): void {
    this.#setRoom(0, 0);
  }

  #stay(): void {
    this.#top = this.card.getBoundingClientRect().top;
  }

  #setRoom(above: number, below: number): void {
    this.#roomAbove = above;
    this.#roomBelow = below;
    this.#whole.style.marginBlockStart = above === 0 ? '' : `${above}px`;
    this.#inner.style.marginBlockEnd = below === 0 ? '' : `${below}px`;
  }
}

/** How far down to scroll: to the end, but not past the beginning of a permission question, which must be read first. */
function followTarget(frame: HTMLElement): number {
  if (frame.querySelector('.message') === null) {
    return 0; // an empty chat is read from its beginning
  }
  const end = frame.scrollHeight - frame.clientHeight;
  const card = openCard(frame);
  const call = card?.parentElement;
  if (card === null || call === null || call === undefined) {
    return end;
  }
  // What is above the card in its call is left out where it would cost the card room.
  const first = call.offsetHeight + cardMargin > frame.clientHeight ? card : call;
  const margin = first === card ? 0 : cardMargin;
  return Math.min(end, frame.scrollTop + first.getBoundingClientRect().top - frame.getBoundingClientRect().top - margin);
}

function openCard(frame: HTMLElement): HTMLElement | null {
  return frame.querySelector(':is([data-together], [data-question]):not([data-answered])');
}

function isInView(frame: HTMLElement, element: Element | null): boolean {
  const [outer, inner] = [frame.getBoundingClientRect(), element?.getBoundingClientRect()];
  return inner !== undefined && inner.top < outer.bottom && inner.bottom > outer.top;
}
