import type { CredentialStore } from '../access/credentials.ts';
import type { OpenIncoming } from '../wire/http/incoming.ts';
import type { Codes } from './codes.ts';
import type { IssuedTokens, Tokens } from './issuedTokens.ts';
import { OauthError, readParameters, sendOauthJson, takeBody } from './oauthAnswers.ts';
import type { Registrations } from './registrations.ts';
import { readScope } from './scopes.ts';

export interface TokenOptions {
  readonly registrations: Registrations;
  readonly codes: Codes;
  readonly grants: IssuedTokens;
  readonly credentials: CredentialStore;
  readonly isResource: (base: string, resource: string) => boolean;
  /** Something happened that a listener with a fixed port remembers. */
  readonly changed: () => void;
}

const form = 'application/x-www-form-urlencoded';
type Parameters = ReadonlyMap<string, string>;

/** `/token` and `/revoke`, for clients without a secret of their own. */
export class TokenEndpoint {
  readonly #options: TokenOptions;

  constructor(options: TokenOptions) {
    this.#options = options;
  }

  exchange(incoming: OpenIncoming): void {
    takeBody(incoming, form, (text) => {
      const parameters = readParameters(new URLSearchParams(text));
      const tokens = this.#grant(parameters, incoming.base);
      this.#options.changed();
      sendOauthJson(incoming, 200, {
        access_token: tokens.accessToken,
        token_type: 'Bearer',
        expires_in: tokens.expiresInSeconds,
        refresh_token: tokens.refreshToken,
        scope: tokens.scopes.join(' '),
      });
    });
  }

  revoke(incoming: OpenIncoming): void {
    takeBody(incoming, form, (text) => {
      const parameters = readParameters(new URLSearchParams(text));
      this.#options.grants.revokeByToken(required(parameters, 'token'), parameters.get('client_id'));
      sendOauthJson(incoming, 200, {});
    });
  }

  #grant(parameters: Parameters, base: string): Tokens {
    const { registrations, grants, isResource } = this.#options;
    const type = required(parameters, 'grant_type');
    if (type !== 'authorization_code' && type !== 'refresh_token') {
      throw new OauthError('unsupported_grant_type', 'only authorization_code and refresh_token are supported');
    }
    const registration = registrations.find(required(parameters, 'client_id'));
    if (registration === undefined) {
      throw new OauthError('invalid_client', 'the client is not registered');
    }
    const resource = parameters.get('resource');
    if (resource !== undefined && !isResource(base, resource)) {
      throw new OauthError('invalid_target', 'this server is another resource');
    }
    const { clientId } = registration;
    const scope = parameters.get('scope');
    const tokens =
      type === 'authorization_code'
        ? this.#redeem(parameters, clientId, resource)
        : grants.refresh(clientId, required(parameters, 'refresh_token'), scope === undefined ? undefined : readScope(scope));
    registrations.touch(clientId);
    return tokens;
  }

  #redeem(parameters: Parameters, clientId: string, resource: string | undefined): Tokens {
    const { codes, grants, credentials } = this.#options;
    const given = {
      code: required(parameters, 'code'),
      clientId,
      redirectUri: parameters.get('redirect_uri'),
      verifier: parameters.get('code_verifier'),
      resource,
    };
    const { label, scopes } = codes.redeem(given, (replayed) => credentials.revoke(replayed));
    return grants.open(clientId, label, scopes);
  }
}

function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) {
    throw new OauthError('invalid_request', `${name} is missing`);
  }
  return value;
}
