import type * as vscode from 'vscode';
import type { Browser } from '../host/auth/authPorts.ts';

type BrowserEnv = Pick<typeof vscode.env, 'openExternal' | 'asExternalUri'>;

/** The person's own browser. */
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

  /** Opens exactly the address that was shown; `otherAddress` if VS Code would open another one, and then nothing is opened. */
  async openAsShown(href: string): Promise<'asked' | 'otherAddress'> {
    if (!(await this.#keepsSpelling(href))) {
      return 'otherAddress';
    }
    await this.#openText(href);
    return 'asked';
  }

  /**
   * An address that VS Code forwards (a loopback port of a remote machine, also one named in the query) is written anew, with
   * what `%26` or `%23` stand for set free. Every other one opens as it is written.
   */
  async #keepsSpelling(href: string): Promise<boolean> {
    const uri = this.#uri.parse(href, true);
    if (encodeURI(uri.toString(true)) === href) {
      return true;
    }
    // Rejects where nobody forwards the address.
    const outside = await Promise.resolve(this.#env.asExternalUri(uri)).catch(() => uri);
    return outside.toString() === uri.toString();
  }

  /** As text, which the editor takes too: a Uri object would decode the query and lose what `%26` and `+` stand for. */
  async #openText(href: string): Promise<boolean> {
    const address: unknown = href;
    return this.#env.openExternal(address as vscode.Uri);
  }
}
