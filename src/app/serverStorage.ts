import * as path from 'node:path';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { TextInMemory, type SharedText } from '../base/sharedText.ts';
import { SharedFile } from '../platform/sharedFile.ts';
import type { ClientTokens } from '../server/access/clientTokens.ts';
import type { OauthStorage } from '../server/oauth/issuedTokensFile.ts';

/** What the embedded server keeps for longer than a window lives, in files that all windows share. Opened on first use. */
export class ServerStorage implements Disposable {
  readonly #folder: string;
  readonly #log: Log;
  readonly #lifetime = new DisposableStore();
  #tokens: Promise<ClientTokens> | undefined;
  #oauth: Promise<SharedText> | undefined;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  clientTokens(): Promise<ClientTokens> {
    this.#tokens ??= this.#openTokens();
    return this.#tokens;
  }

  oauth(): Promise<OauthStorage> {
    this.#oauth ??= this.#open('oauthClients.json');
    return this.#oauth;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #openTokens(): Promise<ClientTokens> {
    const [{ ClientTokens }, storage] = await Promise.all([import('../server/access/clientTokens.ts'), this.#open('clientTokens.json')]);
    return this.#lifetime.add(await ClientTokens.open({ storage, log: this.#log }));
  }

  /** Without a place to keep them, tokens live as long as the window. */
  async #open(name: string): Promise<SharedText> {
    try {
      return this.#lifetime.add(await SharedFile.open(path.join(this.#folder, name), this.#log));
    } catch (error) {
      this.#log.error(`${name} cannot be stored.`, error);
      return new TextInMemory();
    }
  }
}
