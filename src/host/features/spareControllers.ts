import type { CallTimer } from './callTimer.ts';

/** More requests are seldom under way at a time. */
const maxSpare = 32;

/** A signal takes as long to make as a third of a call; one that never fired serves the next request as well. */
export class SpareControllers {
  readonly #spare: AbortController[] = [];

  /** One request, which is told when the call is over. It must have taken its listener away when it settles. */
  async during<T>(timer: CallTimer, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = this.#spare.pop() ?? new AbortController();
    timer.request = controller;
    try {
      return await request(controller.signal);
    } finally {
      timer.request = undefined;
      if (!controller.signal.aborted && this.#spare.length < maxSpare) {
        this.#spare.push(controller);
      }
    }
  }
}
