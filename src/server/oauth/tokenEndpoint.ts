import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import { digestOfSecret, isSameSecret, newSecret } from '../../platform/randomSecrets.ts';
import type { CredentialStore } from '../access/credentials.ts';
import { readScope } from '../access/roles.ts';
import type { OpenIncoming } from '../wire/http/incoming.ts';
import type { IssuedTokens, Tokens } from './issuedTokens.ts';
import { OauthError, readParameters, sendOauthJson, takeBody } from './oauthAnswers.ts';
import type { Registrations } from './registrations.ts';

export interface TokenOptions {
  readonly registrations: Registrations;
  readonly codes: Codes;
  readonly grants: IssuedTokens;
  readonly credentials: CredentialStore;
  readonly isResource: (base: string, resource: string) => boolean;
  /** Called when something changed that has to be stored. */
  readonly changed: () => void;
}

const form = 'application/x-www-form-urlencoded';
type Parameters = ReadonlyMap<string, string>;

/** Answers `/token` and `/revoke`, for clients without a secret of their own. */
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

/** What the person allowed, for which a code was issued. */
export interface CodeContent {
  readonly clientId: string;
  readonly label: string;
  readonly redirectUri: string;
  readonly challenge: string;
  /** The resource as the client spelled it; a code for one resource is not valid for another. */
  readonly resource: string | undefined;
  readonly scopes: readonly Role[];
}

interface Code {
  readonly content: CodeContent;
  readonly madeAt: number;
  isUsed: boolean;
}

/** How long a code is valid. */
const codeMs = 60_000;
/** How long a code is remembered, so that a second use of it is noticed, in ms. */
const rememberedMs = 10 * 60_000;
/** The most codes that are remembered. */
const maxCodes = 200;

export interface Redemption {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
  readonly resource: string | undefined;
}

/** Authorization codes, which can be used once and within a minute. */
export class Codes {
  readonly #now: () => number;
  readonly #codes = new Map<string, Code>();

  constructor(now: () => number) {
    this.#now = now;
  }

  make(content: CodeContent): string {
    const code = newSecret();
    this.#codes.set(digestOfSecret(code), { content, madeAt: this.#now(), isUsed: false });
    for (const [digest, { madeAt }] of [...this.#codes]) {
      if (this.#now() - madeAt >= rememberedMs || this.#codes.size > maxCodes) {
        this.#codes.delete(digest);
      }
    }
    return code;
  }

  /** Drops the unused codes of a client whose permission was taken back. */
  dropClient(clientId: string): void {
    for (const [digest, { content, isUsed }] of [...this.#codes]) {
      if (content.clientId === clientId && !isUsed) {
        this.#codes.delete(digest);
      }
    }
  }

  /** Redeems a code. `onReplay` is called if it was used before, because its tokens may be in the wrong hands. */
  redeem(given: Redemption, onReplay: (clientId: string) => void): CodeContent {
    const code = this.#codes.get(digestOfSecret(given.code));
    if (code === undefined || this.#now() - code.madeAt >= rememberedMs) {
      throw invalid('the code is not valid');
    }
    if (code.isUsed) {
      onReplay(code.content.clientId);
      throw invalid('the code is not valid');
    }
    if (this.#now() - code.madeAt >= codeMs) {
      throw invalid('the code is not valid');
    }
    try {
      check(code.content, given);
    } catch (error) {
      // Whoever has a code without its verifier has stolen it: from now on nobody can use it.
      this.#codes.delete(digestOfSecret(given.code));
      throw error;
    }
    code.isUsed = true;
    return code.content;
  }
}

function check(content: CodeContent, given: Redemption): void {
  const verifier = given.verifier ?? '';
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier) || !isSameSecret(digestOfSecret(verifier), content.challenge)) {
    throw invalid('the code_verifier does not fit');
  }
  // OAuth 2.1 clients no longer send the redirect URI here; the verifier protects the code instead.
  if (given.clientId !== content.clientId || (given.redirectUri !== undefined && given.redirectUri !== content.redirectUri)) {
    throw invalid('the code belongs to another request');
  }
  if (given.resource !== undefined && content.resource !== undefined && given.resource !== content.resource) {
    throw new OauthError('invalid_target', 'the code was made for another resource');
  }
}

function invalid(reason: string): OauthError {
  return new OauthError('invalid_grant', reason);
}
