import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { Link, LinkListener } from '../../../../src/bridge/windowLink.ts';
import type { ConnectResult } from '../../../../src/bridge/windowConnector.ts';
import type { WindowsFolderWatch } from '../../../../src/bridge/findWindows.ts';

/** A connection to a window whose every word and end a test decides. */
export class FakeLink implements Link {
  readonly sent: JsonObject[] = [];
  closes = 0;
  isPaused = false;
  #listener: LinkListener | undefined;

  listen(listener: LinkListener): void {
    this.#listener = listener;
  }

  send(text: string): boolean {
    this.sent.push(JSON.parse(text) as JsonObject);
    return true;
  }

  onDrain(): void {
    throw new Error('Nothing ever waits to be sent.');
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  close(): void {
    this.closes += 1;
  }

  say(message: JsonObject): void {
    this.#listener?.text(JSON.stringify(message));
  }

  /** The connection is gone. */
  drop(code = 1006): void {
    this.#listener?.closed(code, '');
  }
}

/** Finds what a test tells it to, when a test tells it to. */
export class FakeConnector {
  losses = 0;
  /** What the window's page does when it is asked, one by one; then it answers. */
  silences: boolean[] = [];
  looks = 0;
  #connected: ((result: ConnectResult) => void) | undefined;

  /** Says that a window has opened or closed. */
  change: () => void = () => undefined;
  watches = 0;

  watch(): WindowsFolderWatch {
    this.watches += 1;
    let isClosed = false;
    const close = (): void => {
      this.watches -= isClosed ? 0 : 1;
      isClosed = true;
    };
    return { changed: new Promise((resolve) => (this.change = resolve)), close };
  }

  connect(): Promise<ConnectResult> {
    return new Promise((resolve) => (this.#connected = resolve));
  }

  isSilent(): Promise<boolean> {
    this.looks += 1;
    return Promise.resolve(this.silences.shift() ?? false);
  }

  windowLost(): void {
    this.losses += 1;
  }

  async find(link: FakeLink): Promise<void> {
    await this.#answer({ kind: 'connected', link });
  }

  async findNone(reason: string): Promise<void> {
    await this.#answer({ kind: 'unavailable', reason });
  }

  async #answer(result: ConnectResult): Promise<void> {
    await until(() => this.#connected !== undefined);
    this.answerNow(result);
    await turn();
  }

  /** Nothing has followed from it when this returns. */
  answerNow(result: ConnectResult): void {
    this.#connected?.(result);
    this.#connected = undefined;
  }
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await turn();
  }
}
