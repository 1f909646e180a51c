import type { JsonObject } from '../base/json.ts';
import { toRequest, type RequestId } from './messages.ts';

/** A line of the host for which there was no window. */
export interface Waiting {
  readonly text: string;
  readonly items: readonly JsonObject[];
  readonly isBatch: boolean;
}

export interface HoldTimings {
  readonly listHold: number;
  readonly reloadHold: number;
}

const mostWaiting = 1_000;

interface Entry {
  readonly waiting: Waiting;
  /** It can be answered well without a window. */
  readonly isKnown: boolean;
}

/**
 * Holds what the host asks while a window is on its way: at the start until it is known whether there is one, and after a
 * reload for as long as that takes. Then what waits is answered without.
 */
export class WaitingRoom {
  readonly #timings: HoldTimings;
  readonly #giveUp: (waiting: Waiting) => void;
  #entries: Entry[] = [];
  #holdsKnown = true;
  #holdsOthers = true;
  #isReloading = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(timings: HoldTimings, giveUp: (waiting: Waiting) => void) {
    this.#timings = timings;
    this.#giveUp = giveUp;
    this.#startTimer(timings.listHold, () => {
      this.#holdsKnown = false;
    });
  }

  add(waiting: Waiting, isKnown: boolean): void {
    this.#entries.push({ waiting, isKnown });
    this.#settle();
  }

  cancel(id: RequestId): void {
    this.#entries = this.#entries.filter(({ waiting }) => waiting.isBatch || waiting.items.every((item) => toRequest(item)?.id !== id));
  }

  ids(): ReadonlySet<RequestId> {
    const requests = this.#entries.flatMap(({ waiting }) => waiting.items.map(toRequest));
    return new Set(requests.flatMap((request) => (request === undefined ? [] : [request.id])));
  }

  /** There is a window: everything that waits, in its order. */
  open(): readonly Waiting[] {
    clearTimeout(this.#timer);
    this.#isReloading = false;
    const waiting = this.#entries.map((entry) => entry.waiting);
    this.#entries = [];
    return waiting;
  }

  noWindow(): void {
    this.#holdsKnown = false;
    if (!this.#isReloading) {
      this.#holdsOthers = false;
    }
    this.#settle();
  }

  /** It may come back in a moment. */
  windowLost(): void {
    this.#holdsKnown = false;
    this.#holdsOthers = true;
    this.#isReloading = true;
    this.#startTimer(this.#timings.reloadHold, () => {
      this.#isReloading = false;
      this.#holdsOthers = false;
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#holdsKnown = false;
    this.#holdsOthers = false;
    this.#settle();
  }

  #startTimer(ms: number, action: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      action();
      this.#settle();
    }, ms);
  }

  #settle(): void {
    const isHeld = ({ isKnown }: Entry, place: number): boolean => place < mostWaiting && (isKnown ? this.#holdsKnown : this.#holdsOthers);
    const released = this.#entries.filter((entry, place) => !isHeld(entry, place));
    this.#entries = this.#entries.filter(isHeld);
    for (const { waiting } of released) {
      this.#giveUp(waiting);
    }
  }
}
