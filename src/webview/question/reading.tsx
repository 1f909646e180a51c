import type { JSX, RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../shared/elements.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { drawingMark } from '../shared/plainText.tsx';

/** The attributes of an element at the end of everything that must have been in view before Allow is armed. */
export const endMark = { class: 'end-mark', 'data-end': '' } as const;

export type Reading =
  /** Nobody has looked yet: nothing can be allowed, and nothing is said about it. */
  | { readonly kind: 'begins' }
  | { readonly kind: 'hidden'; readonly lines: number; readonly where: 'below' | 'above' }
  /** All was in view; `hadMore` says that some of it was not at first. */
  | { readonly kind: 'whole'; readonly hadMore: boolean };

export interface ReadingOfCard {
  readonly reading: Reading;
  /** Scrolls one page on, for those who do not scroll by hand; returns whether there was anywhere to scroll to. */
  readonly goOn: () => boolean;
  /** Scrolls one page towards a part of the card that is further on than can be seen; returns whether it did. */
  readonly goOnTo: (part: Element) => boolean;
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
      // A part that was folded has ends of its own.
      marksOf(element).forEach((mark) => observer.observe(mark));
      // Before a picture is there, it has no height, and what is below it would be in view too early.
      if (document.visibilityState === 'visible' && arePicturesThere(element)) {
        // Before a text is drawn to its end, more would push away what is in view.
        if (element.querySelector('[data-drawing]') === null) {
          [...onScreen].filter(isUncovered).forEach((mark) => seen.current.add(mark));
        }
        setReading((before) => nextReading(before, element, seen.current, onScreen));
      }
    };
    const observer = new IntersectionObserver((entries) => {
      entries.forEach(({ target, isIntersecting }) => (isIntersecting ? onScreen.add(target) : onScreen.delete(target)));
      look();
    });
    marksOf(element).forEach((mark) => observer.observe(mark));
    const stopWatching = watchCard(element, look);
    return () => {
      observer.disconnect();
      stopWatching();
    };
  }, [card, extent]);

  const goOn = useCallback(() => {
    const [next] = card.current === null ? [] : marksOf(card.current).filter((mark) => !seen.current.has(mark));
    return card.current !== null && next !== undefined && scrollTowards(next, card.current);
  }, [card]);
  const goOnTo = useCallback(
    (part: Element) =>
      card.current !== null && part.getBoundingClientRect().top > sightOf(card.current, part).bottom && scrollTowards(part, card.current),
    [card],
  );
  return { reading, goOn, goOnTo };
}

/** Calls back whenever what can be seen of a card may have changed, besides what the browser tells of its ends. */
function watchCard(card: Element, look: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const resizes = new ResizeObserver(look);
  resizes.observe(card);
  const drawings = new MutationObserver(look);
  drawings.observe(card, { subtree: true, attributeFilter: Object.keys(drawingMark) });
  // Captured, so that it is heard whatever element around the card scrolls.
  document.addEventListener('scroll', look, { capture: true, passive: true, signal });
  document.addEventListener('visibilitychange', look, { signal });
  for (const name of ['load', 'error']) {
    card.addEventListener(name, look, { capture: true, signal }); // of a picture
  }
  return () => {
    ending.abort();
    resizes.disconnect();
    drawings.disconnect();
  };
}

function marksOf(card: Element): readonly Element[] {
  return [...card.querySelectorAll('[data-end]')];
}

function arePicturesThere(card: Element): boolean {
  return [...card.querySelectorAll('img')].every(({ complete }) => complete);
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
  const sight = sightOf(card, last);
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

/** The attribute of the title, which sticks to the beginning of the page. */
export const lid = { 'data-lid': '' } as const;

/** Where the title of a card, or of the card around an element, ends; undefined where it does not stick. */
export function bottomOfLid(element: Element): number | undefined {
  return wholeCard(element)?.querySelector('[data-lid]')?.getBoundingClientRect().bottom;
}

/** The card around an element; of a row of several calls, the card with all rows, whose title and answers stick. */
function wholeCard(element: Element): Element | null {
  return element.closest('[data-together]') ?? element.closest('[data-question]');
}

interface Sight {
  readonly top: number;
  readonly bottom: number;
}

/**
 * The part of the page in which a mark of the card can be seen: inside the scrolling element, below the title, and on that side of the
 * answers on which the mark is, for they stick to both ends.
 */
function sightOf(card: Element, mark: Element): Sight {
  const scroller = scrollerOf(card);
  const page = { top: 0, bottom: window.innerHeight };
  const frame = scroller === document.documentElement ? page : scroller.getBoundingClientRect();
  const [top, bottom] = [Math.max(page.top, frame.top, bottomOfLid(card) ?? 0), Math.min(page.bottom, frame.bottom)];
  const whole = wholeCard(card) ?? card;
  const cover = whole.querySelector('[data-covers]');
  if (cover === null) {
    return { top, bottom };
  }
  const isBelow = (cover.compareDocumentPosition(mark) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const row = whole.querySelector('.question-answers') ?? cover;
  return isBelow
    ? { top: Math.max(top, row.getBoundingClientRect().bottom), bottom }
    : { top, bottom: Math.min(bottom, cover.getBoundingClientRect().top) };
}

function scrollTowards(mark: Element, card: Element): boolean {
  const { top, bottom } = sightOf(card, mark);
  const distance = mark.getBoundingClientRect().bottom - bottom;
  const page = Math.max(2 * lineHeightOf(card), bottom - top - 2 * lineHeightOf(card));
  // Backwards it scrolls at once, forwards no further than can be read.
  const scroller = scrollerOf(card);
  const before = scroller.scrollTop;
  scroller.scrollTop += distance < 0 ? mark.getBoundingClientRect().bottom - top - page : Math.min(page, distance + lineHeightOf(card));
  return scroller.scrollTop !== before;
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
  /** What is to be said right now, such as why a press did nothing. */
  readonly note?: string | undefined;
  readonly onGoOn: () => void;
}

/**
 * Says how much of the card has not been in view yet, and scrolls there. It stays when all was seen, so that nothing jumps. A note
 * takes its place; where there is none, the note floats above the buttons, over what was seen already.
 */
export function MoreToRead({ id, reading, problem, note, onGoOn }: MoreToReadProps): JSX.Element | null {
  const hasProblem = reading.kind === 'whole' && problem !== undefined;
  const hasLine = reading.kind === 'hidden' || (reading.kind === 'whole' && reading.hadMore);
  if (reading.kind !== 'hidden' && (hasProblem || note !== undefined)) {
    return (
      <div id={id} {...(hasProblem || hasLine ? { class: 'more-to-read', 'data-covers': '' } : { class: 'more-to-read is-floating' })}>
        <Icon name={note === undefined ? 'error' : 'info'} tone={note === undefined ? 'error' : 'warning'} />
        {note ?? problem}
      </div>
    );
  }
  if (reading.kind === 'begins' || !hasLine) {
    return null;
  }
  const isCalled = note !== undefined;
  return (
    <button
      type="button"
      id={id}
      class={isCalled ? 'more-to-read is-called' : 'more-to-read'}
      data-covers=""
      aria-disabled={reading.kind === 'whole'}
      onClick={onGoOn}
    >
      <Icon name={reading.kind === 'whole' ? 'check' : reading.where === 'below' ? 'arrow-down' : 'arrow-up'} />
      {isCalled ? note : readingWords(reading)}
    </button>
  );
}

export function readingWords(reading: Exclude<Reading, { kind: 'begins' }>): string {
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
