import type * as vscode from 'vscode';
import type * as z from 'zod';
import { systemClock, type Clock } from '../base/clock.ts';
import { Late } from '../base/late.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { parseMessage, type MessageOf, type MessageSet } from '../contract/messageLink.ts';
import { KeptMessages } from './keptMessages.ts';

export type Handlers<S extends MessageSet> = { readonly [K in keyof S & string]: (body: z.infer<S[K]>) => void };

/**
 * The extension host's end of a link to a page. What is not exactly a known message is dropped and said in the log. VS Code
 * names no sender here: that only the page itself can send is kept by its policy, which lets it hold no frame.
 */
export class WebviewLink<ToHost extends MessageSet, ToView extends MessageSet> implements Disposable {
  readonly #webview: vscode.Webview;
  readonly #lifetime = new DisposableStore();

  /**
   * `toHost` that is loaded late: with the first message. `report`: what a handler throws, or rejects with, and did not tell by
   * itself, and why messages cannot be read.
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

/** At once, so that messages stay in their order. A handler that is written as if it returned nothing may still return a promise. */
async function handled(handle: () => unknown): Promise<void> {
  await handle();
}
