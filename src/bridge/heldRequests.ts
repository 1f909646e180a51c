import type { JsonObject } from '../base/json.ts';
import { toRequest, type RequestId } from './messages.ts';

/** A line of the host: a message, or a batch of them. */
export interface HostLine {
  readonly text: string;
  readonly items: readonly JsonObject[];
  readonly isBatch: boolean;
  /** The answers to those items that every window would refuse. */
  readonly refused: ReadonlyMap<JsonObject, string>;
}

export interface HoldTimings {
  readonly listHold: number;
  readonly reloadHold: number;
}

/** The most messages of the host that wait for a window; further ones are answered at once, without a window. */
const maxHeld = 1_000;

interface Entry {
  readonly line: HostLine;
  /** Whether the line can be answered well without a window. */
  readonly isKnown: boolean;
}

type Hold =
  /** Everything waits, because it is not known yet whether there is a window. */
  | { readonly kind: 'starting'; readonly timer: NodeJS.Timeout }
  /** Finding out takes longer: what can be answered well without a window no longer waits. */
  | { readonly kind: 'startingSlowly' }
  /** A window has taken over, and what is asked goes there. */
  | { readonly kind: 'connected' }
  /** The window went away and may be back in a moment. */
  | { readonly kind: 'reloading'; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'offline' };

/**
 * Holds what the host asks while a window is on its way: at the start until it is known whether there is one, and after a
 * reload for as long as that takes. What has waited long enough is given back to be answered without a window.
 */
export class HeldRequests {
  readonly #timings: HoldTimings;
  readonly #giveBack: (line: HostLine) => void;
  #entries: readonly Entry[] = [];
  #hold: Hold;

  constructor(timings: HoldTimings, giveBack: (line: HostLine) => void) {
    this.#timings = timings;
    this.#giveBack = giveBack;
    this.#hold = { kind: 'starting', timer: setTimeout(() => this.#change({ kind: 'startingSlowly' }), timings.listHold) };
  }

  add(line: HostLine, isKnown: boolean): void {
    this.#entries = [...this.#entries, { line, isKnown }];
    this.#settle();
  }

  cancel(id: RequestId): void {
    this.#entries = this.#entries.filter(({ line }) => line.isBatch || line.items.every((item) => toRequest(item)?.id !== id));
  }

  ids(): ReadonlySet<RequestId> {
    const requests = this.#entries.flatMap(({ line }) => line.items.map(toRequest));
    return new Set(requests.flatMap((request) => (request === undefined ? [] : [request.id])));
  }

  /** Called when there is a window; returns everything that waits, in its order. */
  release(): readonly HostLine[] {
    const lines = this.#entries.map(({ line }) => line);
    this.#entries = [];
    this.#change({ kind: 'connected' });
    return lines;
  }

  noWindow(): void {
    // While a window reloads there is none for a moment, which changes nothing.
    if (this.#hold.kind !== 'reloading') {
      this.#change({ kind: 'offline' });
    }
  }

  windowLost(): void {
    this.#change({ kind: 'reloading', timer: setTimeout(() => this.#change({ kind: 'offline' }), this.#timings.reloadHold) });
  }

  close(): void {
    this.#change({ kind: 'offline' });
  }

  #change(hold: Hold): void {
    if (this.#hold.kind === 'starting' || this.#hold.kind === 'reloading') {
      clearTimeout(this.#hold.timer);
    }
    this.#hold = hold;
    this.#settle();
  }

  #settle(): void {
    const isHeld = ({ isKnown }: Entry, place: number): boolean => place < maxHeld && this.#holds(isKnown);
    const released = this.#entries.filter((entry, place) => !isHeld(entry, place));
    this.#entries = this.#entries.filter(isHeld);
    for (const { line } of released) {
      this.#giveBack(line);
    }
  }

  #holds(isKnown: boolean): boolean {
    switch (this.#hold.kind) {
      case 'starting':
      case 'connected':
        return true;
      case 'startingSlowly':
      case 'reloading':
        return !isKnown;
      case 'offline':
        return false;
    }
  }
}
