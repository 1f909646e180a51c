import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How long, in ms, the answers must have stood still in view before one that allows something counts. */
const armingDelay = 500;
/** How often, in ms, their places are looked at, besides at every press and whatever is known to move them. */
const lookingInterval = 100;
/** How far, in pixels, they may be from where they were and still count as still. */
const maxDrift = 2;
/** How far, in pixels, a pointer may seem to travel over the page while it rests on the screen. */
const restlessness = 4;
/** How much further than on the screen a pointer may travel in the page's own pixels, which depends on the zoom. */
const maxZoomOut = 4;

export interface Arming {
  readonly isArmed: boolean;
  /** Whether a click counts: all was still before it was aimed, since then, and until now. */
  readonly takes: (event: Event) => boolean;
  /** Whether Ctrl+Enter or Cmd+Enter counts for a button: the same, and all keys were released since the card appeared and got the focus. */
  readonly takesKeys: (button: Element) => boolean;
}

/**
 * Arms the answers of a card. They are not armed until they have stood still in view for a moment, and again whenever one of them
 * has moved on the screen for whatever reason, was covered, came back into view, or the questions on the page changed: a click
 * means what was under the pointer when it was aimed.
 */
export function useArming(card: RefObject<HTMLElement | null>, generation: string): Arming {
  const [armedFor, setArmedFor] = useState<string | undefined>(undefined);
  const watch = useRef<AnswerWatch | undefined>(undefined);
  // Not later than the drawing: a click may come before the next frame.
  useLayoutEffect(() => {
    if (card.current === null) {
      return undefined;
    }
    const made = new AnswerWatch(card.current, (isArmed) => setArmedFor(isArmed ? generation : undefined));
    watch.current = made;
    return () => {
      watch.current = undefined;
      made.dispose();
    };
  }, [card, generation]);
  return {
    isArmed: armedFor === generation,
    takes: (event) => watch.current?.takes(event) === true,
    takesKeys: (button) => watch.current?.takesKeys(button) === true,
  };
}

/** The attribute of a row of answers, and how such rows are found. */
export const answerRow = { 'data-answers': '' } as const;
const answerRows = '[data-answers]';

/** A press of a button or key that may become a click. */
interface Press {
  /** Since when all had stood still when it began; undefined when that was not long enough. */
  readonly stillSince: number | undefined;
}

/** Follows where the answers of one card stand on the screen, and what is pressed. Times are those of `performance.now()`. */
class AnswerWatch {
  readonly #card: HTMLElement;
  readonly #tell: (isArmed: boolean) => void;
  readonly #ending = new AbortController();
  readonly #observer: IntersectionObserver;
  readonly #sizes: ResizeObserver;
  readonly #timer: ReturnType<typeof setInterval>;
  /** When each key that is down was first pressed. */
  readonly #held = new Map<string, number>();
  /** When the card appeared, or got the focus last. */
  #enteredAt = performance.now();
  /** The rows of answers that are in view. */
  readonly #inView = new Set<Element>();
  #places: readonly Place[] | undefined;
  #stillSince = performance.now();
  #press: Press | undefined;
  #pointer: PointerEvent | undefined;
  /** The answer that was under the pointer when it was last heard of. */
  #pointed: Element | undefined;
  /** Whether the pointer has left the page, which includes what VS Code draws over it. */
  #isPointerGone = false;

  constructor(card: HTMLElement, tell: (isArmed: boolean) => void) {
    this.#card = card;
    this.#tell = tell;
    // Only the browser knows what clips a page in all the frames around it.
    this.#observer = new IntersectionObserver((entries) => {
      entries.forEach(({ target, isIntersecting }) => (isIntersecting ? this.#inView.add(target) : this.#inView.delete(target)));
      this.#look();
    });
    this.#sizes = new ResizeObserver(() => this.#look());
    this.#sizes.observe(card);
    this.#timer = setInterval(() => this.#look(), lookingInterval);
    this.#look();
    const options = { capture: true, passive: true, signal: this.#ending.signal };
    document.addEventListener('pointermove', (event) => this.#follow(event), options);
    document.addEventListener('pointerdown', (event) => this.#follow(event, true), options);
    document.addEventListener('keydown', (event) => this.#pressKey(event), options);
    document.addEventListener('keyup', (event) => this.#releaseKey(event), options);
    document.documentElement.addEventListener('pointerleave', (event) => this.#leave(event), options);
    card.addEventListener('focusin', (event) => this.#noticeFocus(event), options);
    document.addEventListener('click', () => (this.#press = undefined), { signal: this.#ending.signal });
    document.addEventListener('visibilitychange', () => this.#look(), options);
    document.addEventListener('scroll', () => this.#look(), options);
    window.addEventListener('resize', () => this.#restart(), options);
    window.addEventListener('blur', ({ target }) => target === window && this.#held.clear(), options);
  }

  dispose(): void {
    this.#ending.abort();
    this.#observer.disconnect();
    this.#sizes.disconnect();
    clearInterval(this.#timer);
  }

  takes(event: Event): boolean {
    // A click without a press comes from a program that reads the page to somebody.
    const press = this.#press ?? this.#begin(event);
    this.#look();
    const { currentTarget } = event;
    return press.stillSince === this.#stillSince && currentTarget instanceof Element && isUncovered(currentTarget);
  }

  takesKeys(button: Element): boolean {
    this.#look();
    const areFresh = [...this.#held.values()].every((first) => first > this.#enteredAt);
    // A modifier that nobody saw going down was held before the card was there.
    const isModifierSeen = [...this.#held.keys()].some((code) => /^(Control|Meta|OS)/.test(code));
    return areFresh && isModifierSeen && this.#press?.stillSince === this.#stillSince && isUncovered(button);
  }

  #noticeFocus({ relatedTarget, timeStamp }: FocusEvent): void {
    if (!(relatedTarget instanceof Node && this.#card.contains(relatedTarget))) {
      this.#enteredAt = timeStamp;
    }
  }

  /** A page that slides away under a pointer at rest does not see it: only the pointer's two places tell. */
  #follow(event: PointerEvent, isPress = false): void {
    this.#look();
    const before = this.#pointer;
    const isBack = this.#isPointerGone && event.pointerType === 'mouse';
    this.#pointer = event;
    this.#pointed = this.#answerAt(event);
    this.#isPointerGone &&= !isBack;
    const hasMoved = before !== undefined && (hasSlid(before, event, 'X') || hasSlid(before, event, 'Y'));
    // Where it did not travel over the page, it was aimed at what covered the page until now.
    if (hasMoved || (isBack && this.#pointed !== undefined)) {
      this.#restart();
    }
    if (isPress) {
      this.#press = this.#begin(event);
    }
  }

  /** Notes that the pointer left; the browser tells of every element that it leaves. */
  #leave({ pointerType, target }: PointerEvent): void {
    this.#isPointerGone ||= pointerType === 'mouse' && target === document.documentElement;
  }

  #answerAt({ clientX, clientY }: PointerEvent): Element | undefined {
    const answer = document.elementFromPoint(clientX, clientY)?.closest(`${answerRows} button`) ?? undefined;
    return answer !== undefined && this.#card.contains(answer) ? answer : undefined;
  }

  #pressKey(event: KeyboardEvent): void {
    // A key that repeats, and was not seen going down, was down before.
    const first = this.#held.get(event.code) ?? (event.repeat ? 0 : event.timeStamp);
    this.#held.set(event.code, first);
    if (event.key === 'Enter' || event.key === ' ') {
      // A key that is pressed right after the focus came here was meant for what had it before.
      const isFresh = !event.repeat && first === event.timeStamp && event.timeStamp - this.#enteredAt >= armingDelay;
      this.#press = isFresh ? this.#begin(event) : { stillSince: undefined };
    }
  }

  #releaseKey({ code }: KeyboardEvent): void {
    this.#held.delete(code);
    if (/^(Meta|OS)/.test(code)) {
      this.#held.clear(); // macOS does not tell which other keys are released while this one is down
    }
  }

  #begin({ timeStamp }: Event): Press {
    this.#look();
    return { stillSince: timeStamp - this.#stillSince >= armingDelay ? this.#stillSince : undefined };
  }

  #restart(): void {
    this.#places = undefined;
    this.#look();
  }

  #look(): void {
    // Rows may come later, with what is unfolded.
    this.#card.querySelectorAll(answerRows).forEach((row) => this.#observer.observe(row));
    const isShown = this.#inView.size > 0 && document.visibilityState === 'visible';
    const places = isShown ? placesOf(this.#card) : undefined;
    const now = performance.now();
    // A pointer at rest: what is under it now, and was not when it came there, is not what it was aimed at.
    const pointed = this.#pointer === undefined || this.#isPointerGone ? undefined : this.#answerAt(this.#pointer);
    const isPushedUnder = pointed !== undefined && pointed !== this.#pointed;
    this.#pointed = pointed;
    if (places === undefined || this.#places === undefined || isPushedUnder || !areSame(this.#places, places)) {
      this.#places = places;
      this.#stillSince = now;
    }
    this.#tell(now - this.#stillSince >= armingDelay);
  }
}

/** Where an answer stands on the screen, and whether it can be seen there. */
interface Place {
  readonly label: string;
  readonly box: readonly number[];
  readonly isFree: boolean;
}

function placesOf(card: Element): readonly Place[] {
  const answers = [...card.querySelectorAll(`${answerRows} button`)].map((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return { label: button.textContent, box: [left, top, width, height], isFree: isUncovered(button) && isUncovered(button, edges) };
  });
  // Two fingers make a part of the page larger, without anything in it having another place.
  const { offsetLeft = 0, offsetTop = 0, scale = 1 } = window.visualViewport ?? {};
  return [...answers, { label: '', box: [offsetLeft, offsetTop, scale * window.innerWidth], isFree: true }];
}

/** Scrolling that keeps something in its place is off by a part of a pixel, which nobody sees. */
function areSame(before: readonly Place[], after: readonly Place[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ label, box, isFree }, index) => {
      const now = after[index];
      const isThere = now?.box.every((side, each) => Math.abs(side - (box[each] ?? 0)) <= maxDrift) === true;
      return isThere && now.label === label && now.isFree === isFree;
    })
  );
}

/** Points of a button, as parts of its width and height. */
type Points = readonly (readonly [across: number, down: number])[];
const middle: Points = [[0.5, 0.5]];
const edges: Points = [0.1, 0.3, 0.7, 0.9].flatMap((across) => [0.2, 0.8].map((down) => [across, down] as const));

function isUncovered(button: Element, points = middle): boolean {
  const { left, top, width, height } = button.getBoundingClientRect();
  return points.every(([across, down]) => button.contains(document.elementFromPoint(left + width * across, top + height * down)));
}

function hasSlid(before: PointerEvent, after: PointerEvent, axis: 'X' | 'Y'): boolean {
  const [onPage, onScreen] = [after[`client${axis}`] - before[`client${axis}`], after[`screen${axis}`] - before[`screen${axis}`]];
  return Math.abs(onPage) > maxZoomOut * Math.abs(onScreen) + restlessness;
}
