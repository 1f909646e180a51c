import type * as vscode from 'vscode';
import { DisposableStore, toDisposable, type Disposable } from '../base/lifecycle.ts';
import { extensionId } from '../contract/identity.ts';
import type { RedirectReceiver } from '../host/auth/authPorts.ts';
import { isSameSecret } from '../platform/randomSecrets.ts';

const oauthPath = '/oauth';

interface Waiting {
  readonly state: string;
  readonly resolve: (params: URLSearchParams) => void;
}

/**
 * The way back from the browser through the editor itself (`vscode://…/oauth`), for where no page can reach this machine's
 * loopback address. Any program can open such an address: only an answer with the state of an open sign-in counts.
 */
export class UriRedirects implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #waiting = new Set<Waiting>();
  readonly #redirectUrl: string;

  /** `scheme` is the editor's own: `vscode`, `vscode-insiders`, … */
  constructor(window: Pick<typeof vscode.window, 'registerUriHandler'>, scheme: string) {
    this.#redirectUrl = `${scheme}://${extensionId}${oauthPath}`;
    this.#lifetime.add(window.registerUriHandler({ handleUri: (uri) => this.#handle(uri) }));
  }

  readonly open = (): Promise<RedirectReceiver> => {
    const receiver = new DisposableStore();
    return Promise.resolve({
      redirectUrl: this.#redirectUrl,
      answer: (state, signal) => this.#answer(state, signal, receiver),
      dispose: () => receiver.dispose(),
    });
  };

  dispose(): void {
    this.#lifetime.dispose();
  }

  #answer(state: string, signal: AbortSignal, receiver: DisposableStore): Promise<URLSearchParams> {
    return new Promise((resolve, reject) => {
      const waiting = { state, resolve };
      this.#waiting.add(waiting);
      const onAbort = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', onAbort, { once: true });
      receiver.add(
        toDisposable(() => {
          this.#waiting.delete(waiting);
          signal.removeEventListener('abort', onAbort);
        }),
      );
    });
  }

  #handle(uri: Pick<vscode.Uri, 'path' | 'query'>): void {
    if (uri.path !== oauthPath) {
      return;
    }
    // The editor has decoded the query once: a plus sign is a plus sign.
    const params = new URLSearchParams(uri.query.replaceAll('+', '%2B'));
    const state = params.get('state');
    for (const waiting of this.#waiting) {
      if (state !== null && isSameSecret(state, waiting.state)) {
        this.#waiting.delete(waiting);
        waiting.resolve(params);
      }
    }
  }
}
