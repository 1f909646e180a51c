import type * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../base/lifecycle.ts';
import { extensionId } from '../contract/identity.ts';
import type { Browser, RedirectReceiver } from '../host/auth/authPorts.ts';
import { isSameSecret } from '../platform/randomSecrets.ts';

type BrowserEnv = Pick<typeof vscode.env, 'openExternal' | 'asExternalUri'>;

/** Opens addresses in the person's own browser. */
export class SystemBrowser implements Browser {
  readonly #env: BrowserEnv;
  readonly #uri: Pick<typeof vscode.Uri, 'parse'>;

  constructor(env: BrowserEnv, uri: Pick<typeof vscode.Uri, 'parse'>) {
    this.#env = env;
    this.#uri = uri;
  }

  async open(url: URL): Promise<boolean> {
    return this.#openText(url.href.replaceAll('+', '%20'));
  }

  /**
   * Opens exactly the address that was shown. The answer is `otherAddress`, and nothing is opened, if VS Code would open another
   * one.
   */
  async openAsShown(href: string): Promise<'asked' | 'otherAddress'> {
    if (!(await this.#keepsSpelling(href))) {
      return 'otherAddress';
    }
    await this.#openText(href);
    return 'asked';
  }

  /**
   * Whether VS Code opens the address as it is written. One that it forwards (a loopback port of a remote machine, also one named
   * in the query) is written anew, with `%26` and `%23` decoded; every other one stays as it is.
   */
  async #keepsSpelling(href: string): Promise<boolean> {
    const uri = this.#uri.parse(href, true);
    if (encodeURI(uri.toString(true)) === href) {
      return true;
    }
    // `asExternalUri` rejects where nobody forwards the address.
    const outside = await Promise.resolve(this.#env.asExternalUri(uri)).catch(() => uri);
    return outside.toString() === uri.toString();
  }

  /**
   * Opens an address given as text, which VS Code takes too: a Uri object would decode the query and lose what `%26` and `+`
   * stand for.
   */
  async #openText(href: string): Promise<boolean> {
    const address: unknown = href;
    return this.#env.openExternal(address as vscode.Uri);
  }
}

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

  /** `scheme` is the editor's own, such as `vscode` or `vscode-insiders`. */
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
      signal.throwIfAborted(); // a signal that fired before fires no more
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
    // VS Code has decoded the query once, so a plus sign is a plus sign and no space.
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
