import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import type { OauthErrorCode } from './oauthAnswers.ts';
import { findRedirect, type OauthRegistration, type Registrations } from './registrations.ts';
import { readScope } from '../access/roles.ts';

/** A complete and valid request for a code, about which the person has not been asked yet. */
export interface AuthorizationRequest {
  readonly registration: OauthRegistration;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly challenge: string;
  readonly scopes: readonly Role[];
  readonly resource: string | undefined;
  /** The address of this server, as the browser was sent to it. */
  readonly issuer: string;
}

export type AuthorizationReading =
  | { readonly kind: 'ready'; readonly request: AuthorizationRequest }
  /** The browser cannot be sent back to the program, so the page has to tell the person. */
  | { readonly kind: 'unusable'; readonly reason: 'unknownClient' | 'wrongRedirect' }
  | { readonly kind: 'refused'; readonly location: string };

/** The longest `state` parameter of a sign-in. */
const maxStateLength = 2_000;

export function readAuthorization(
  parameters: ReadonlyMap<string, string>,
  context: { readonly registrations: Registrations; readonly issuer: string; readonly isResource: (resource: string) => boolean },
): AuthorizationReading {
  const registration = context.registrations.find(parameters.get('client_id'));
  if (registration === undefined) {
    return { kind: 'unusable', reason: 'unknownClient' };
  }
  const redirectUri = findRedirect(registration, parameters.get('redirect_uri'));
  if (redirectUri === undefined) {
    return { kind: 'unusable', reason: 'wrongRedirect' };
  }
  const state = parameters.get('state');
  const back = { redirectUri, state, issuer: context.issuer };
  const challenge = parameters.get('code_challenge');
  const resource = parameters.get('resource');
  const refused = (error: OauthErrorCode, description: string): AuthorizationReading => ({
    kind: 'refused',
    location: errorLocation(back, error, description),
  });
  if (parameters.get('response_type') !== 'code') {
    return refused('unsupported_response_type', 'only code is supported');
  }
  if (parameters.get('code_challenge_method') !== 'S256' || challenge === undefined || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    return refused('invalid_request', 'a code_challenge of the method S256 is needed');
  }
  if (resource !== undefined && !context.isResource(resource)) {
    return refused('invalid_target', 'this server is another resource');
  }
  if (state !== undefined && state.length > maxStateLength) {
    return refused('invalid_request', 'the state is too long');
  }
  const scopes = readScope(parameters.get('scope'));
  return { kind: 'ready', request: { registration, challenge, resource, scopes, ...back } };
}

export type WayBack = Pick<AuthorizationRequest, 'redirectUri' | 'state' | 'issuer'>;

export function codeLocation(back: WayBack, code: string): string {
  return locationOf(back, { code });
}

export function errorLocation(back: WayBack, error: OauthErrorCode, description: string): string {
  return locationOf(back, { error, error_description: description });
}

/** Adds the answer to the return address. `iss` names this server, so that a client of several servers does not mix them up. */
function locationOf({ redirectUri, state, issuer }: WayBack, answer: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({
    ...answer,
    ...(state === undefined || state.length > maxStateLength ? {} : { state }),
    iss: issuer,
  })) {
    url.searchParams.set(name, value);
  }
  return url.href;
}
