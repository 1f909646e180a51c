import type { JSX, RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../shared/elements.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';

/** The attributes of an element at the end of everything that must have been in view before Allow is armed. */
export const endMark = { class: 'end-mark', 'data-end': '' } as const;

type Reading =
  /** Nobody has looked yet: nothing can be allowed, and nothing is said about it. */
  | { readonly kind: 'begins' }
  | { readonly kind: 'hidden'; readonly lines: number; readonly where: 'below' | 'above' }
  /** All was in view; `hadMore` says that some of it was not at first. */
  | { readonly kind: 'whole'; readonly hadMore: boolean };

interface ReadingOfCard {
  readonly reading: Reading;
  /** Scrolls one page on, for those who do not scroll by hand. */
  readonly goOn: () => void;
}

/** Follows how far the person has had the card in view. An end that was seen stays seen. `extent` changes when the card gets other ends. */
export function useReading(card: RefObject<HTMLElement | null>, extent: string): ReadingOfCard {
  const [reading, setReading] = useState<Reading>({ kind: 'begins' });
  const seen = useRef(new WeakSet<Element>());
  useEffect(() => {
    const element = card.current;
    if (element === null) {
      return undefined;
    }
    setReading({ kind: 'begins' });
    // Only the browser knows what clips a page in all the frames around it.
    const onScreen = new Set<Element>();
    const look = (): void => {
      if (document.visibilityState === 'visible') {
        [...onScreen].filter(isUncovered).forEach((mark) => seen.current.add(mark));
        setReading((before) => nextReading(before, element, seen.current, onScreen));
      }
    };
    const observer = new IntersectionObserver((entries) => {
      entries.forEach(({ target, isIntersecting }) => (isIntersecting ? onScreen.add(target) : onScreen.delete(target)));
      look();
    });
    marksOf(element).forEach((mark) => observer.observe(mark));
    const resizes = new ResizeObserver(look);
    resizes.observe(element);
    // Captured, so that it is heard whatever element around the card scrolls.
    document.addEventListener('scroll', look, { capture: true, passive: true });
    document.addEventListener('visibilitychange', look);
    return () => {
      observer.disconnect();
      resizes.disconnect();
      document.removeEventListener('scroll', look, { capture: true });
      document.removeEventListener('visibilitychange', look);
    };
  }, [card, extent]);

  const goOn = useCallback(() => {
    const [next] = card.current === null ? [] : marksOf(card.current).filter((mark) => !seen.current.has(mark));
    if (card.current !== null && next !== undefined) {
      scrollTowards(next, card.current);
    }
  }, [card]);
  return { reading, goOn };
}

function marksOf(card: Element): readonly Element[] {
  return [...card.querySelectorAll('[data-end]')];
}

/** Whether a mark is not covered by anything, such as the buttons of the card. */
function isUncovered(mark: Element): boolean {
  const { left, top, width, height } = mark.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) === mark;
}

function nextReading(before: Reading, card: Element, seen: WeakSet<Element>, onScreen: ReadonlySet<Element>): Reading {
  const unseen = marksOf(card).filter((mark) => !seen.has(mark));
  const last = unseen.at(-1);
  if (last === undefined) {
    return before.kind === 'whole' ? before : { kind: 'whole', hadMore: before.kind === 'hidden' };
  }
  const sight = sightOf(card);
  const end = last.getBoundingClientRect().bottom;
  const isInSight = end > sight.top && end <= sight.bottom;
  if (isInSight && !onScreen.has(last)) {
    return before; // where it can be seen, which the browser has yet to confirm
  }
  // The mark is on the screen and still not seen: something lies over it, if only by a part of a pixel.
  const lines = Math.max(isInSight ? 1 : 0, Math.ceil((end - sight.bottom) / lineHeightOf(card)));
  const where = lines > 0 ? 'below' : 'above';
  return before.kind === 'hidden' && before.lines === lines && before.where === where ? before : { kind: 'hidden', lines, where };
}

/** The part of the page in which the card can be seen: inside the scrolling element, above the buttons that stick to its end. */
function sightOf(card: Element): { readonly top: number; readonly bottom: number } {
  const scroller = scrollerOf(card);
  const page = { top: 0, bottom: window.innerHeight };
  const frame = scroller === document.documentElement ? page : scroller.getBoundingClientRect();
  const [top, bottom] = [Math.max(page.top, frame.top), Math.min(page.bottom, frame.bottom)];
  const cover = card.querySelector('[data-covers]')?.getBoundingClientRect();
  return { top, bottom: cover === undefined ? bottom : Math.min(bottom, cover.top) };
}

function scrollTowards(mark: Element, card: Element): void {
  const { top, bottom } = sightOf(card);
  const distance = mark.getBoundingClientRect().bottom - bottom;
  const page = Math.max(2 * lineHeightOf(card), bottom - top - 2 * lineHeightOf(card));
  // Backwards it scrolls at once, forwards no further than can be read.
  const scroller = scrollerOf(card);
  scroller.scrollTop += distance < 0 ? mark.getBoundingClientRect().bottom - top - page : Math.min(page, distance + lineHeightOf(card));
}

function scrollerOf(card: Element): Element {
  let around = card.parentElement;
  while (around !== null && !/auto|scroll/.test(getComputedStyle(around).overflowY)) {
    around = around.parentElement;
  }
  return around ?? document.documentElement;
}

function lineHeightOf(card: Element): number {
  const height = Number.parseFloat(getComputedStyle(card).lineHeight);
  return Number.isFinite(height) && height > 0 ? height : 20;
}

interface MoreToReadProps {
  readonly id: string;
  readonly reading: Reading;
  /** The problem that keeps Allow from being armed once all was seen. */
  readonly problem?: string | undefined;
  readonly onGoOn: () => void;
}

/** Says how much of the card has not been in view yet, and scrolls there. It stays when all was seen, so that nothing jumps. */
export function MoreToRead({ id, reading, problem, onGoOn }: MoreToReadProps): JSX.Element | null {
  if (reading.kind === 'whole' && problem !== undefined) {
    return (
      <div id={id} class="more-to-read" data-covers="">
        <Icon name="error" tone="error" />
        {problem}
      </div>
    );
  }
  if (reading.kind === 'begins' || (reading.kind === 'whole' && !reading.hadMore)) {
    return null;
  }
  return (
    <button type="button" id={id} class="more-to-read" data-covers="" aria-disabled={reading.kind === 'whole'} onClick={onGoOn}>
      <Icon name={reading.kind === 'whole' ? 'check' : reading.where === 'below' ? 'arrow-down' : 'arrow-up'} />
      {wordsOf(reading)}
    </button>
  );
}

function wordsOf(reading: Exclude<Reading, { kind: 'begins' }>): string {
  if (reading.kind === 'whole') {
    return t('All that is unfolded was in view');
  }
  if (reading.where === 'above') {
    return t('Lines further up are still to see');
  }
  return plural(
    reading.lines,
    () => t('1 more line to see first'),
    (count) => t('{0} more lines to see first', count),
  );
}
