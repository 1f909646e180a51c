import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { TextInMemory, type SharedText } from '../../base/sharedText.ts';
import type { ClientTokens } from '../access/clientTokens.ts';
import type { OauthStorage } from '../oauth/issuedTokensFile.ts';

/** Opens a file of that name that all windows share. */
export type OpenSharedFile = (name: string) => Promise<SharedText & Disposable>;

/** What the embedded server keeps for longer than a window lives, in files that all windows share. Opened on first use. */
export class ServerStorage implements Disposable {
  readonly #openFile: OpenSharedFile;
  readonly #log: Log;
  readonly #lifetime = new DisposableStore();
  #tokens: Promise<ClientTokens> | undefined;
  #oauth: Promise<SharedText> | undefined;

  constructor(openFile: OpenSharedFile, log: Log) {
    this.#openFile = openFile;
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
    const [{ ClientTokens }, storage] = await Promise.all([import('../access/clientTokens.ts'), this.#open('clientTokens.json')]);
    return this.#lifetime.add(await ClientTokens.open({ storage, log: this.#log }));
  }

  /** Without a place to keep them, tokens live as long as the window. */
  async #open(name: string): Promise<SharedText> {
    try {
      return this.#lifetime.add(await this.#openFile(name));
    } catch (error) {
      this.#log.error(`${name} cannot be stored.`, error);
      return new TextInMemory();
    }
  }
}
