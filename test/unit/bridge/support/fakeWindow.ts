import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { LinkListener, WindowLink } from '../../../../src/bridge/windowLink.ts';
import type { Sought } from '../../../../src/bridge/windowSeeker.ts';

/** A connection to a window whose every word and end a test decides. */
export class FakeLink {
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

  onRoom(): void {
    throw new Error('There is always room.');
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
export class FakeSeeker {
  losses = 0;
  #found: ((sought: Sought) => void) | undefined;

  seek(): Promise<Sought> {
    return new Promise((resolve) => (this.#found = resolve));
  }

  lost(): void {
    this.losses += 1;
  }

  async find(link: FakeLink): Promise<void> {
    await this.#answer({ kind: 'found', link: link as unknown as WindowLink });
  }

  async findNone(sentence: string): Promise<void> {
    await this.#answer({ kind: 'none', sentence });
  }

  async #answer(sought: Sought): Promise<void> {
    await until(() => this.#found !== undefined);
    this.#found?.(sought);
    this.#found = undefined;
    await turn();
  }
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await turn();
  }
}
