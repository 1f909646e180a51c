import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { Late } from '../../base/late.ts';
import type { Log } from '../../base/log.ts';
import { type SharedText, TextInMemory } from '../../base/sharedStorage.ts';
import type { ClientPermissions } from '../access/clientPermissions.ts';
import type { ClientTokens } from '../access/clientTokens.ts';
import type { OauthStorage } from '../oauth/issuedTokens.ts';
import type { Credential } from '../seen/viewer.ts';
import type { EmbeddedServer } from './serverCore.ts';

/** A credential that was issued, whether or not its client is connected. */
export interface IssuedCredential {
  readonly credentialId: string;
  readonly credentialKind: 'clientToken' | 'oauth';
  /** What the person knows the credential by. */
  readonly label: string;
}

export interface IssuedCredentialsOptions {
  readonly permissions: Pick<ClientPermissions, 'forgetClient' | 'forgetWindowTokens'>;
  readonly clientTokens: () => Promise<ClientTokens>;
}

/** The part of the server that knows which credentials are valid. */
type ServingEditor = Pick<EmbeddedServer, 'credentials' | 'oauthClients' | 'rotateWindowToken'>;

/** The credentials that this editor has issued: it lists, makes and revokes them. */
export class IssuedCredentials {
  readonly #options: IssuedCredentialsOptions;
  #server: ServingEditor | undefined;
  #tokens: ClientTokens | undefined;

  constructor(options: IssuedCredentialsOptions) {
    this.#options = options;
  }

  /** Makes the server accept the client tokens. */
  admitTo(server: ServingEditor, tokens: ClientTokens): Disposable {
    this.#server = server;
    this.#tokens = tokens;
    return tokens.admitTo(server.credentials);
  }

  list(): readonly IssuedCredential[] {
    const tokens = this.#tokens?.list() ?? [];
    const registered = this.#server?.oauthClients() ?? [];
    return [
      ...tokens.map(({ id, label }) => ({ credentialId: id, credentialKind: 'clientToken' as const, label })),
      ...registered.map(({ id, label }) => ({ credentialId: id, credentialKind: 'oauth' as const, label })),
    ];
  }

  /** Makes a client token and hands it to `deliver`; if that fails, the token is revoked. */
  async mintFor(label: string, deliver: (token: string) => PromiseLike<void>): Promise<IssuedCredential> {
    const { id, token } = await (await this.#options.clientTokens()).mint(label);
    const issued = { credentialId: id, credentialKind: 'clientToken', label } as const;
    try {
      await deliver(token);
    } catch (error) {
      await this.revoke(issued);
      throw error;
    }
    return issued;
  }

  /** Revokes a credential. The window token identifies no single client: it is revoked for all of them, and a new one is made. */
  async revoke({ credentialId, credentialKind }: { credentialId: string; credentialKind: Credential['kind'] }): Promise<void> {
    if (credentialKind === 'windowToken') {
      await this.rotateWindowToken();
    } else {
      this.#server?.credentials.revoke(credentialId);
      try {
        if (credentialKind === 'clientToken') {
          await (await this.#options.clientTokens()).revoke(credentialId);
        }
      } finally {
        await this.#options.permissions.forgetClient(credentialId);
      }
    }
  }

  async rotateWindowToken(): Promise<void> {
    await this.#server?.rotateWindowToken();
    this.#options.permissions.forgetWindowTokens();
  }
}

/** Opens a file that all windows share. */
export type OpenSharedFile = (name: string) => Promise<SharedText & Disposable>;

/** The files in which the server keeps what outlives a window. All windows share them; they are opened on first use. */
export class ServerStorage implements Disposable {
  readonly #openFile: OpenSharedFile;
  readonly #log: Log;
  readonly #lifetime = new DisposableStore();
  readonly #tokens = new Late(() => this.#openTokens());
  readonly #oauth = new Late(() => this.#open('oauthClients.json'));

  constructor(openFile: OpenSharedFile, log: Log) {
    this.#openFile = openFile;
    this.#log = log;
  }

  clientTokens(): Promise<ClientTokens> {
    return this.#tokens.get();
  }

  oauth(): Promise<OauthStorage> {
    return this.#oauth.get();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #openTokens(): Promise<ClientTokens> {
    const [{ ClientTokens }, storage] = await Promise.all([import('../access/clientTokens.ts'), this.#open('clientTokens.json')]);
    return this.#lifetime.add(await ClientTokens.open({ storage, log: this.#log }));
  }

  /** Opens a file; if that fails, its content lives in memory, for as long as the window. */
  async #open(name: string): Promise<SharedText> {
    try {
      return this.#lifetime.add(await this.#openFile(name));
    } catch (error) {
      this.#log.error(`${name} cannot be stored.`, error);
      return new TextInMemory();
    }
  }
}
