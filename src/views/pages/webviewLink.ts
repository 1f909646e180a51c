import type * as vscode from 'vscode';
import type * as z from 'zod';
import { type Clock, systemClock } from '../../base/clock.ts';
import { Late } from '../../base/late.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { type MessageOf, type MessageSet, parseMessage } from '../../contract/pages/messageLink.ts';

export type Handlers<S extends MessageSet> = { readonly [K in keyof S & string]: (body: z.infer<S[K]>) => void };

/**
 * The extension host's end of the link to a page. What is not exactly a known message is dropped and logged. VS Code names no
 * sender: only the page itself can send, because its policy forbids frames, or allows only those whose content has no origin and so
 * cannot reach what sends.
 */
export class WebviewLink<ToHost extends MessageSet, ToView extends MessageSet> implements Disposable {
  readonly #webview: vscode.Webview;
  readonly #lifetime = new DisposableStore();

  /**
   * A `toHost` that is `Late` is loaded with the first message. `report` gets what a handler throws or rejects with, and why
   * messages cannot be read.
   */
  constructor(
    webview: vscode.Webview,
    toHost: ToHost | Late<ToHost>,
    handlers: Handlers<ToHost>,
    log: Log,
    report?: (error: unknown) => void,
    clock: Clock = systemClock,
  ) {
    const tell = report ?? ((error: unknown) => log.error('What a page asked for failed.', error));
    this.#webview = webview;
    const hear = (messages: ToHost, raw: unknown): void => {
      const message = parseMessage(messages, raw);
      if (message === undefined) {
        log.warn('A page sent something that is not one of its messages; it was dropped.');
        return;
      }
      void handled(() => handlers[message.name](message.body)).catch(tell);
    };
    if (toHost instanceof Late) {
      const kept = this.#lifetime.add(new KeptMessages({ needed: toHost, hear, tell, clock, log }));
      this.#lifetime.add(webview.onDidReceiveMessage((raw: unknown) => kept.receive(raw)));
    } else {
      this.#lifetime.add(webview.onDidReceiveMessage((raw: unknown) => hear(toHost, raw)));
    }
  }

  post<K extends keyof ToView & string>(name: K, body: z.infer<ToView[K]>): void {
    void this.#webview.postMessage({ name, body } satisfies { name: string; body: MessageOf<ToView>['body'] });
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

/** Calls a handler at once, so that messages stay in order. A handler whose type returns nothing may still return a promise. */
async function handled(handle: () => unknown): Promise<void> {
  await handle();
}

export interface KeptMessagesOptions<T> {
  /** The schemas without which no message can be read. */
  readonly needed: Late<T>;
  readonly hear: (needed: T, raw: unknown) => void;
  readonly tell: (error: unknown) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** How many messages are kept until they can be read; no page sends more before it gets an answer. */
const maxKept = 100;
/** When loading is tried again, in ms: a page that waits for an answer sends nothing more that would cause it. */
const retryMs: readonly number[] = [1_000, 5_000, 30_000];

/** Keeps the messages of a page until they can be read, and then handles them in order. */
class KeptMessages<T> implements Disposable {
  readonly #options: KeptMessagesOptions<T>;
  readonly #kept: unknown[] = [];
  #retry: Disposable | undefined;
  #isLoading = false;
  #isOver = false;

  constructor(options: KeptMessagesOptions<T>) {
    this.#options = options;
  }

  receive(raw: unknown): void {
    const { needed, log } = this.#options;
    if (this.#kept.length < maxKept || needed.made !== undefined) {
      this.#kept.push(raw);
    } else {
      log.warn('A page sent more than can be kept until it can be read; it was dropped.');
    }
    if (needed.made !== undefined) {
      this.#hearAll(needed.made);
    } else if (!this.#isLoading) {
      void this.#load(retryMs);
    }
  }

  dispose(): void {
    this.#isOver = true;
    this.#retry?.dispose();
  }

  /** Loads what is needed, with retries. Never rejects. The person is told of the first failure only. */
  async #load(retries: readonly number[]): Promise<void> {
    const { needed, tell, clock } = this.#options;
    this.#retry?.dispose();
    this.#isLoading = true;
    try {
      this.#hearAll(await needed.get());
    } catch (error) {
      const [next, ...others] = retries;
      if (retries === retryMs) {
        tell(error);
      }
      if (next !== undefined && !this.#isOver) {
        this.#retry = clock.schedule(next, () => void this.#load(others));
      }
    } finally {
      this.#isLoading = false;
    }
  }

  #hearAll(needed: T): void {
    this.#retry?.dispose();
    for (const raw of this.#kept.splice(0)) {
      if (!this.#isOver) {
        this.#options.hear(needed, raw);
      }
    }
  }
}
