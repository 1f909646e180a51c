// oauth/: an OAuth 2.1 authorization server on the same listener, for clients to which no token can be handed: registration,
// sign-in with a pairing code that the person compares, tokens, and what of them is stored.
import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import { productName } from '../../contract/identity.ts';
import type { ClientApproval } from '../access/clientApproval.ts';
import type { CredentialStore } from '../access/credentials.ts';
import { grantedScopes, allRoles } from '../access/roles.ts';
import type { OpenIncoming, OpenRouteHandler, OpenRoutes } from '../wire/http/incoming.ts';
import { codeLocation } from './authorizationRequest.ts';
import { AuthorizeEndpoint } from './authorizeEndpoint.ts';
import { IssuedTokens, type IssuedTokensFile, type OauthState } from './issuedTokens.ts';
import { OauthError, parseJson, sendOauthJson, takeBody } from './oauthAnswers.ts';
import { englishPages, type PageLanguage } from './oauthPages.ts';
import { PendingAuthorizations } from './pendingAuthorizations.ts';
import { Registrations } from './registrations.ts';
import type { SignInPause } from './signInPause.ts';
import { Codes, TokenEndpoint } from './tokenEndpoint.ts';

export interface OauthOptions {
  readonly approval: Pick<ClientApproval, 'ask'>;
  readonly credentials: CredentialStore;
  readonly pause: SignInPause;
  readonly clock: Clock;
  readonly log: Log;
  /** The language of the pages that a person sees; English when not given. */
  readonly pageLanguage?: PageLanguage | undefined;
}

const retryAfterRegistrationsSeconds = 60;

/** OAuth 2.1 for the listener. Who gets a token is decided by the person in VS Code, never here. */
export class OauthProvider implements Disposable {
  readonly routes: OpenRoutes;
  readonly #owned = new DisposableStore();
  readonly #registrations: Registrations;
  readonly #grants: IssuedTokens;
  #store: IssuedTokensFile | undefined;
  /** All addresses of this server, given the one that the client used. */
  #bases: (base: string) => readonly string[] = (base) => [base];

  constructor({ approval, credentials, pause, clock, log, pageLanguage = englishPages }: OauthOptions) {
    const now = sleeplessTime(clock);
    const registrations = new Registrations(now);
    const codes = new Codes(now);
    this.#registrations = registrations;
    this.#grants = this.#owned.add(new IssuedTokens({ credentials, clock, now }));
    const pending = this.#owned.add(
      new PendingAuthorizations({
        approval,
        registrations,
        pause,
        clock,
        now,
        log,
        accept: (request, { role }) => {
          const { clientId, name } = request.registration;
          registrations.touch(clientId);
          this.#save();
          const { redirectUri, challenge, resource } = request;
          const scopes = grantedScopes(request.scopes, role);
          return codeLocation(request, codes.make({ clientId, label: name, redirectUri, challenge, resource, scopes }));
        },
      }),
    );
    this.#owned.add(
      credentials.onDidRevoke((id) => {
        codes.dropClient(id);
        this.#grants.dropClient(id);
        this.#save();
      }),
    );
    const isResource = (base: string, resource: string): boolean => this.#bases(base).some((each) => isResourceOf(each, resource));
    const authorize = new AuthorizeEndpoint({ pending, registrations, isResource, log, pageLanguage });
    const changed = (): void => this.#save();
    const token = new TokenEndpoint({ registrations, codes, grants: this.#grants, credentials, isResource, changed });
    this.routes = new Map<string, ReadonlyMap<string, OpenRouteHandler>>([
      ['/.well-known/oauth-protected-resource', get((base) => protectedResourceMetadata(base, ''))],
      ['/.well-known/oauth-protected-resource/mcp', get((base) => protectedResourceMetadata(base, '/mcp'))],
      ['/.well-known/oauth-protected-resource/sse', get((base) => protectedResourceMetadata(base, '/sse'))],
      ['/.well-known/oauth-authorization-server', get(authorizationServerMetadata)],
      ['/register', new Map([['POST', (incoming: OpenIncoming) => this.#register(incoming)]])],
      ['/authorize', new Map([['GET', (incoming: OpenIncoming) => authorize.visit(incoming)]])],
      ['/token', new Map([['POST', (incoming: OpenIncoming) => token.exchange(incoming)]])],
      ['/revoke', new Map([['POST', (incoming: OpenIncoming) => token.revoke(incoming)]])],
    ]);
  }

  /** Begins with the addresses of the listener. With a store, what was issued before the listener was restarted is valid again. */
  begin(ownBases: readonly string[], store: IssuedTokensFile | undefined): void {
    this.#bases = (base) => [...ownBases, base];
    if (store !== undefined) {
      this.#registrations.restore(store.initial.registrations);
      this.#grants.restore(store.initial.grants);
      this.#store = store;
    }
  }

  /** The clients that can get a token without a new question. */
  clients(): readonly { readonly id: string; readonly label: string }[] {
    return this.#registrations
      .approved()
      .filter(({ clientId }) => this.#grants.hasClient(clientId))
      .map(({ clientId, name }) => ({ id: clientId, label: name }));
  }

  /** Resolves when everything is stored. */
  async settled(): Promise<void> {
    await this.#store?.settled();
  }

  dispose(): void {
    const last = this.#state();
    this.#store?.save(() => last);
    this.#store = undefined;
    this.#owned.dispose();
  }

  #register(incoming: OpenIncoming): void {
    takeBody(incoming, 'application/json', (text) => {
      try {
        const { clientId, name, redirectUris, registeredAt } = this.#registrations.register(parseJson(text));
        sendOauthJson(incoming, 201, {
          client_id: clientId,
          client_id_issued_at: Math.floor(registeredAt / 1_000),
          client_name: name,
          redirect_uris: redirectUris,
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
          scope: 'reader editor runner',
        });
      } catch (error) {
        if (error instanceof OauthError && error.error === 'temporarily_unavailable') {
          incoming.refuse({ status: 429, retryAfterSeconds: retryAfterRegistrationsSeconds });
          return;
        }
        throw error;
      }
    });
  }

  #save(): void {
    this.#store?.save(() => this.#state());
  }

  #state(): OauthState {
    return { registrations: this.#registrations.approved(), grants: this.#grants.stored() };
  }
}

function get(content: (base: string) => JsonObject): ReadonlyMap<string, OpenRouteHandler> {
  return new Map([['GET', (incoming: OpenIncoming) => sendOauthJson(incoming, 200, content(incoming.base))]]);
}

const resourcePaths = ['', '/', '/mcp', '/sse', '/messages', '/ws'];
/** The paths that switch to WebSocket. */
const webSocketPaths = ['/ws', '/mcp'];

/** The metadata of RFC 9728. `resource` is the address as the client spells it, because the client compares the two. */
function protectedResourceMetadata(base: string, path: '' | '/mcp' | '/sse'): JsonObject {
  return {
    resource: `${base}${path}`,
    authorization_servers: [base],
    scopes_supported: allRoles,
    bearer_methods_supported: ['header'],
    resource_name: productName,
  };
}

/** The metadata of RFC 8414. */
function authorizationServerMetadata(base: string): JsonObject {
  return {
    issuer: base,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    revocation_endpoint: `${base}/revoke`,
    scopes_supported: allRoles,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Whether `resource` is exactly one of this server's own addresses; those for WebSocket have a scheme of their own. */
function isResourceOf(base: string, resource: string): boolean {
  const webSocketBase = base.replace(/^http/, 'ws');
  return [...resourcePaths.map((path) => `${base}${path}`), ...webSocketPaths.map((path) => `${webSocketBase}${path}`)].includes(resource);
}

/**
 * Makes a clock in milliseconds since 1970 that never goes back. The clock of a process may stand still while the machine sleeps,
 * and the system time can be set back: whichever is later counts.
 */
export function sleeplessTime(clock: Clock, wall: () => number = Date.now): () => number {
  let began = wall() - clock.now();
  return () => {
    began = Math.max(began, wall() - clock.now());
    return began + clock.now();
  };
}
