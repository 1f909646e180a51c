import type { RefObject } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

/** How much of a group of messages is drawn: nothing yet, its words, or all of it. It never becomes less. */
export type Drawn = 'nothing' | 'words' | 'whole';

/** How far, in pixels, around the visible part messages are drawn whole, so that whoever scrolls finds them ready. */
const nearMargin = 800;
/** How many groups of messages are drawn as words in one step, before the page can react again. */
const maxGroupsPerStep = 16;
/** After so many characters of text a step of drawing words ends. */
const maxTextPerStep = 50_000;
/** How long, in ms, a step of drawing words waits for the page to be idle. */
const maxIdleWaitMs = 200;

interface Watched {
  readonly textLength: number;
  readonly draw: (drawn: Drawn) => void;
}

/**
 * Decides when each group of a long conversation is drawn. A group that comes near the visible part is drawn whole, one group per
 * frame and the nearest first: whoever jumps into the middle does not wait for everything there. The words of the others follow
 * when the page has time, the newest first, so that they can be found and read out.
 */
export class DrawingOrder {
  readonly #root: () => Element | null;
  readonly #watched = new Map<Element, Watched>();
  /** Groups whose words are not drawn yet, in the order of the conversation. */
  readonly #wordless: Element[] = [];
  /** Groups that are to be drawn whole, with their distance from the visible part. */
  readonly #near = new Map<Element, number>();
  #observer: IntersectionObserver | undefined;
  #isFrameAsked = false;
  #idle: number | undefined;

  constructor(root: () => Element | null) {
    this.#root = root;
  }

  /** Watches the place of a group until the returned function is called. */
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
    // Drawn after the frame and not in it, because the layout follows in the next one.
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

export function useDrawingOrder(scroller: RefObject<HTMLElement | null>): DrawingOrder {
  return useMemo(() => new DrawingOrder(() => scroller.current), [scroller]);
}

/** How much of a group is drawn. A group that was drawn once stays, with all that was opened in it. */
export function useDrawn(order: DrawingOrder, place: RefObject<HTMLElement | null>, isFirst: boolean, textLength: number): Drawn {
  const [drawn, setDrawn] = useState<Drawn>(isFirst ? 'whole' : 'nothing');
  const isWhole = drawn === 'whole';
  useEffect(() => {
    const { current } = place;
    return isWhole || current === null ? undefined : order.watch(current, { textLength, draw: setDrawn });
    // The length of the text is only a first measure, so a changed length does not count.
  }, [order, place, isWhole]);
  return drawn;
}
