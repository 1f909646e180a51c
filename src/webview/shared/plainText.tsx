import { createContext, type JSX } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { revealInContent } from '../../base/visibleText.ts';
import { type Slice, sliceText } from '../markdown/slices.ts';
import { t } from './localize.ts';
import { pure } from './page.tsx';

/** Whether everything is to be drawn as plain text, because drawing it in any other way once did not come to an end. */
export const PlainContext = createContext(false);

/** How much is drawn in one frame, all slices of the page together. */
const weightPerFrame = 500;
/** How many of those that wait get their turn in one frame. */
const maxTurns = 16;

/** Shares the time of the page: so much is drawn in a frame, the rest in the next ones. */
class FrameBudget {
  #left = weightPerFrame;
  #isFrameAsked = false;
  readonly #waiting = new Set<() => void>();

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  get isUsedUp(): boolean {
    return this.#left <= 0;
  }

  use(weight: number): void {
    this.#left -= weight;
    this.#askFrame();
  }

  /** Calls back once, in one of the next frames; not if the returned function is called before. */
  wait(draw: () => void): () => void {
    this.#waiting.add(draw);
    this.#askFrame();
    return () => this.#waiting.delete(draw);
  }

  #askFrame(): void {
    if (!this.#isFrameAsked) {
      this.#isFrameAsked = true;
      // After the frame and not in it, so that what was drawn is laid out and the person's input is heard first.
      requestAnimationFrame(() => setTimeout(() => this.#begin(), 0));
    }
  }

  #begin(): void {
    this.#isFrameAsked = false;
    this.#left = weightPerFrame;
    for (const draw of [...this.#waiting].slice(0, maxTurns)) {
      this.#waiting.delete(draw);
      draw();
    }
    if (this.#waiting.size > 0) {
      this.#askFrame();
    }
  }
}

const budget = new FrameBudget();

/** Whether all that the page has to draw is drawn. */
export function isAllDrawn(): boolean {
  return budget.isIdle;
}

/** The slices that can be drawn by now: all of a short text at once, those of a long one over several frames. */
export function useSlices<T>(slices: readonly Slice<T>[]): readonly Slice<T>[] {
  const drawn = useRef<readonly Slice<T>[]>([]);
  const [, drawAgain] = useReducer<number, void>((times) => times + 1, 0);
  const next: Slice<T>[] = [];
  let isWhole = true;
  for (const [index, slice] of slices.entries()) {
    const before = drawn.current[index];
    if (before?.value === slice.value) {
      next.push(before);
    } else if (!budget.isUsedUp || index === 0) {
      budget.use(slice.weight);
      next.push(slice);
    } else {
      isWhole = false;
      if (before === undefined) {
        break;
      }
      next.push(before);
    }
  }
  drawn.current = next;
  useEffect(() => (isWhole ? undefined : budget.wait(() => drawAgain())));
  return next;
}

/** How many pieces are drawn before somebody asks for more: over half a million characters. */
const piecesAtOnce = 400;

/** The attribute of what is not drawn to its end yet. As long as there is any in a card, none of its ends counts as seen. */
export const drawingMark = { 'data-drawing': '' } as const;

/** A stranger's text, however long it is: in pieces, of which only those in sight are laid out. Its element keeps white space. */
export function PlainText({ text }: { readonly text: string }): JSX.Element {
  const [limit, setLimit] = useState(piecesAtOnce);
  const all = useMemo(() => sliceText(text), [text]);
  const slices = useMemo(() => all.slice(0, limit), [all, limit]);
  const drawn = useSlices(slices);
  return slices.length < 2 ? (
    <>{revealInContent(drawn[0]?.value ?? '')}</>
  ) : (
    <>
      {drawn.map(({ value }, index) => (
        <TextPiece key={index} text={value} />
      ))}
      {all.length > limit && (
        <button type="button" class="button is-quiet" data-grows onClick={() => setLimit(limit + piecesAtOnce)}>
          {t('Show more')}
        </button>
      )}
    </>
  );
}

const TextPiece = pure(({ text }: { readonly text: string }) => <span class="text-piece">{revealInContent(text)}</span>);

/** The most characters of a text that are shown where only its beginning has room. */
const maxShort = 2_000;

/** A text that is one sentence or two, or else the beginning of it. */
export function shortened(text: string): string {
  return text.length > maxShort ? `${text.slice(0, maxShort)}…` : text;
}

/** Returns those of many cheap things that can be drawn by now; the rest follow in later slices. */
export function useMany<T>(all: readonly T[], weight: number): readonly T[] {
  return useSlices(useMemo(() => all.map((value) => ({ value, weight })), [all, weight])).map(({ value }) => value);
}
