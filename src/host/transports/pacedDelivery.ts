import type { JSONRPCMessage } from '../shared/sdk.ts';

/** A server that floods is not held back for: the order stays, only the pause is left out. */
const maxHeld = 1_000;

/**
 * The SDK hands a notice on a moment later, but an answer at once, and an answer ends the listening for its progress. So
 * that a last step of progress is not lost, an answer that comes right behind a notice waits for the next turn. The order
 * of messages never changes.
 */
export class PacedDelivery {
  readonly #deliver: (message: JSONRPCMessage) => void;
  #held: JSONRPCMessage[] = [];
  #hasNotice = false;
  #turn: NodeJS.Immediate | undefined;

  constructor(deliver: (message: JSONRPCMessage) => void) {
    this.#deliver = deliver;
  }

  push(message: JSONRPCMessage): void {
    const mustWait = this.#held.length > 0 || (this.#hasNotice && isAnswer(message));
    if (mustWait) {
      this.#held.push(message);
      if (this.#held.length > maxHeld) {
        this.flush();
      }
      return;
    }
    if (isNotice(message)) {
      this.#hasNotice = true;
      this.#turn ??= setImmediate(() => this.#nextTurn());
    }
    this.#deliver(message);
  }

  /** Everything that waits, now: nothing more comes. */
  flush(): void {
    clearImmediate(this.#turn);
    this.#turn = undefined;
    this.#hasNotice = false;
    const held = this.#held;
    this.#held = [];
    held.forEach((message) => this.#deliver(message));
  }

  #nextTurn(): void {
    this.#turn = undefined;
    this.#hasNotice = false;
    const held = this.#held;
    this.#held = [];
    held.forEach((message) => this.push(message));
  }
}

function isNotice(message: JSONRPCMessage): boolean {
  return 'method' in message && !('id' in message);
}

function isAnswer(message: JSONRPCMessage): boolean {
  return !('method' in message);
}
