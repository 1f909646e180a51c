import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

/** How much of a group of messages is drawn: nothing yet, its words, or all of it. It never becomes less. */
export type Drawn = 'nothing' | 'words' | 'whole';

/** How far around what is in view messages are drawn whole: who turns the wheel finds them ready. */
const nearMargin = 800;
/** The words of so many groups, or of so much text, and then it is the person's turn. */
const maxGroupsPerStep = 16;
const maxTextPerStep = 50_000;
const maxIdleWaitMs = 200;

interface Watched {
  readonly textLength: number;
  readonly draw: (drawn: Drawn) => void;
}

/**
 * Whose turn it is to be drawn in a long conversation. What comes near to what is in view is drawn whole, one group with each
 * frame and the nearest first: who jumps into the middle is not held up by all that stands there. The words of the others follow
 * when the page has time, the newest first, so that they can be found and read out.
 */
export class DrawingTurns {
  readonly #root: () => Element | null;
  readonly #watched = new Map<Element, Watched>();
  /** In the order of the conversation. */
  readonly #wordless: Element[] = [];
  /** Those whose turn it is to be drawn whole, with their distance from what is in view. */
  readonly #near = new Map<Element, number>();
  #observer: IntersectionObserver | undefined;
  #isFrameAsked = false;
  #idle: number | undefined;

  constructor(root: () => Element | null) {
    this.#root = root;
  }

  /** The function returned ends it. */
  watch(place: Element, watched: Watched): () => void {
    this.#observer ??= new IntersectionObserver((entries) => this.#see(entries), {
      root: this.#root(),
      rootMargin: `${nearMargin}px 0px`,
    });
    this.#watched.set(place, watched);
    this.#wordless.push(place);
    this.#observer.observe(place);
    this.#drawWordsSoon();
    return () => this.#forget(place);
  }

  #forget(place: Element): void {
    this.#watched.delete(place);
    this.#near.delete(place);
    this.#observer?.unobserve(place);
  }

  #see(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting, boundingClientRect: box, rootBounds } of entries) {
      if (isIntersecting && this.#watched.has(target)) {
        const above = (rootBounds?.top ?? 0) + nearMargin - box.bottom;
        const below = box.top - ((rootBounds?.bottom ?? 0) - nearMargin);
        this.#near.set(target, Math.max(0, above, below));
      } else {
        this.#near.delete(target);
      }
    }
    this.#drawNearestSoon();
  }

  #drawNearestSoon(): void {
    if (this.#isFrameAsked || this.#near.size === 0) {
      return;
    }
    this.#isFrameAsked = true;
    // After the frame, and not in it: what is drawn is laid out in the next one.
    requestAnimationFrame(() =>
      setTimeout(() => {
        this.#isFrameAsked = false;
        const [nearest] = [...this.#near].reduce<[Element?, number?]>(
          (best, each) => (best[1] === undefined || each[1] < best[1] ? each : best),
          [],
        );
        const watched = nearest === undefined ? undefined : this.#watched.get(nearest);
        if (nearest !== undefined) {
          this.#forget(nearest);
        }
        watched?.draw('whole');
        this.#drawNearestSoon();
      }, 0),
    );
  }

  #drawWordsSoon(): void {
    if (this.#idle === undefined && this.#wordless.length > 0) {
      this.#idle = requestIdleCallback(() => this.#drawWords(), { timeout: maxIdleWaitMs });
    }
  }

  #drawWords(): void {
    this.#idle = undefined;
    let [groups, text] = [0, 0];
    while (groups < maxGroupsPerStep && text < maxTextPerStep && this.#wordless.length > 0) {
      const place = this.#wordless.pop();
      const watched = place === undefined ? undefined : this.#watched.get(place);
      groups += watched === undefined ? 0 : 1;
      text += watched?.textLength ?? 0;
      watched?.draw('words');
    }
    this.#drawWordsSoon();
  }
}

export function useDrawingTurns(scroller: RefObject<HTMLElement | null>): DrawingTurns {
  return useMemo(() => new DrawingTurns(() => scroller.current), [scroller]);
}

/** What was drawn once stays, with all that was opened in it. */
export function useDrawn(turns: DrawingTurns, place: RefObject<HTMLElement | null>, isFirst: boolean, textLength: number): Drawn {
  const [drawn, setDrawn] = useState<Drawn>(isFirst ? 'whole' : 'nothing');
  const isWhole = drawn === 'whole';
  useEffect(() => {
    const { current } = place;
    return isWhole || current === null ? undefined : turns.watch(current, { textLength, draw: setDrawn });
    // The length is a measure for the first time and need not be exact.
  }, [turns, place, isWhole]);
  return drawn;
}
