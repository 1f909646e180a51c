import type * as vscode from 'vscode';
import type * as z from 'zod';
import { Late } from '../base/late.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { parseMessage, type MessageOf, type MessageSet } from '../contract/messageLink.ts';

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
    const hearLater = async (messages: Promise<ToHost>, raw: unknown): Promise<void> => {
      const loaded = await messages;
      if (!this.#lifetime.isDisposed) {
        hear(loaded, raw);
      }
    };
    this.#lifetime.add(
      webview.onDidReceiveMessage((raw: unknown) => {
        const known = toHost instanceof Late ? toHost.made : toHost;
        if (known !== undefined) {
          hear(known, raw);
        } else if (toHost instanceof Late) {
          // Those that come meanwhile wait for the same, and are heard in their order.
          void hearLater(toHost.get(), raw).catch(tell);
        }
      }),
    );
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
