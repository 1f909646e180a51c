import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

const nearBottom = 24;
const cardMargin = 8;

export interface Follow {
  /** True while the person reads further up: then nothing scrolls by itself. */
  readonly isAway: boolean;
  readonly jump: () => void;
}

/**
 * How far down to scroll: to the end, but not past the beginning of a permission question, which is what must be read first.
 */
function followTarget(frame: HTMLElement): number {
  if (frame.querySelector('.message') === null) {
    return 0; // an empty chat is read from its beginning
  }
  const end = frame.scrollHeight - frame.clientHeight;
  const call = openCard(frame)?.parentElement;
  if (call === null || call === undefined) {
    return end;
  }
  return Math.min(end, frame.scrollTop + call.getBoundingClientRect().top - frame.getBoundingClientRect().top - cardMargin);
}

function openCard(frame: HTMLElement): Element | null {
  return frame.querySelector('[data-question]:not([data-answered])');
}

function isInView(frame: HTMLElement, element: Element | null): boolean {
  const [outer, inner] = [frame.getBoundingClientRect(), element?.getBoundingClientRect()];
  return inner !== undefined && inner.top < outer.bottom && inner.bottom > outer.top;
}

/** Keeps the newest text in view, but only for somebody who is at the bottom already. */
export function useFollow(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>): Follow {
  const isPinned = useRef(true);
  const placed = useRef(new WeakSet<Element>());
  const [isAway, setAway] = useState(false);

  useEffect(() => {
    const [frame, inner] = [scroller.current, content.current];
    if (frame === null || inner === null) {
      return undefined;
    }
    const look = (): void => {
      isPinned.current = followTarget(frame) - frame.scrollTop < nearBottom;
      // The button would cover those of a card.
      setAway(!isPinned.current && !isInView(frame, openCard(frame)));
    };
    // Opening a card is the person's own change: it must not scroll its first line away.
    const onClick = (event: Event): void => {
      if (event.target instanceof Element && event.target.closest('[aria-expanded], [data-grows]') !== null) {
        isPinned.current = false;
        requestAnimationFrame(() => requestAnimationFrame(look));
      }
    };
    const observer = new ResizeObserver(() => {
      if (isPinned.current) {
        const card = openCard(frame);
        const isNew = card !== null && !placed.current.has(card);
        // The browser may have scrolled a new card to its end already; later on, further down is where the person went.
        frame.scrollTop = isNew ? followTarget(frame) : Math.max(frame.scrollTop, followTarget(frame));
        if (card !== null) {
          placed.current.add(card);
        }
      } else {
        look();
      }
    });
    observer.observe(inner);
    observer.observe(frame);
    frame.addEventListener('scroll', look, { passive: true });
    frame.addEventListener('click', onClick, { capture: true });
    return () => {
      observer.disconnect();
      frame.removeEventListener('scroll', look);
      frame.removeEventListener('click', onClick, { capture: true });
    };
  }, [scroller, content]);

  const jump = useCallback(() => {
    isPinned.current = true;
    setAway(false);
    if (scroller.current !== null) {
      scroller.current.scrollTop = followTarget(scroller.current);
    }
  }, [scroller]);
  return { isAway, jump };
}
