import type * as vscode from 'vscode';
import type { Browser } from '../host/auth/authPorts.ts';

/** The person's own browser. */
export class SystemBrowser implements Browser {
  readonly #env: Pick<typeof vscode.env, 'openExternal'>;

  constructor(env: Pick<typeof vscode.env, 'openExternal'>) {
    this.#env = env;
  }

  async open(url: URL): Promise<boolean> {
    // As text, which the editor takes too: a Uri object would decode the query and lose what `%26` and `+` stand for.
    const address: unknown = url.href.replaceAll('+', '%20');
    return this.#env.openExternal(address as vscode.Uri);
  }
}
