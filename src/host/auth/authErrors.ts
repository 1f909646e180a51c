import { errorMaker, isAbort, isAppError, messageOf, type AppError, type SentenceTable } from '../../base/errors.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { hostError, type HostErrorCode } from '../shared/hostErrors.ts';

/** The ways in which signing in to a server fails. The codes are stable. */
export const authErrorTable = {
  'auth.unknownServer': 'Start the server before you sign in.',
  'auth.clientNeeded': '{host} registers no clients by itself: configure auth.clientId for this server.',
  'auth.registrationRefused': '{host} did not register Duplex as a client.',
  'auth.browserNotOpened': 'The browser was not opened.',
  'auth.timeout': 'The sign-in was not finished in time.',
  'auth.cancelled': 'The sign-in was cancelled.',
  'auth.issuerMismatch': 'The answer does not come from {host}, where the sign-in was started.',
  'auth.resourceMismatch': 'The server asks for tokens of another server: {host}.',
  // The scheme is not known when the SDK, not this side, refused the address.
  'auth.insecureAddress': {
    ifGiven: 'scheme',
    text: "The server's sign-in uses an address that is not secure: {scheme}://{host}.",
    otherwise: 'The sign-in at {host} uses an address that is not secure.',
  },
  'auth.privateAddress': "The server's sign-in points at an address inside your network: {host}.",
  'auth.issuerNotAllowed': 'The sign-in at {host} was not allowed.',
  'auth.noPkce': '{host} does not protect the sign-in with PKCE (S256).',
  'auth.noAnswer': '{host} did not answer in time.',
  'auth.unreachable': '{host} could not be reached.',
  'auth.refused': '{host} refused: {reason}.',
  'auth.badAnswer': '{host} gave an answer that does not follow OAuth.',
  'auth.answerTooLarge': '{host} answered with more than a sign-in needs.',
  'auth.notRevoked': 'The authorization server did not revoke the sign-in.',
  'auth.failed': '{reason}',
} as const satisfies SentenceTable;

export const authError = errorMaker(authErrorTable);

/** Why a sign-in ended. An error that is not ours yet becomes `auth.failed` and keeps its own words. */
export function toAuthError(error: unknown): AppError {
  if (isAbort(error)) {
    return authError('auth.cancelled');
  }
  return isAppError(error) ? error : authError('auth.failed', { reason: messageOf(error) }, { cause: error });
}

/** The most characters that are shown of an unusual error code of an authorization server. */
const maxCodeLength = 100;

/**
 * Translates an error of the SDK or the network into one of ours. Neither the authorization server's free text nor the cause
 * is kept: both may repeat the code, the verifier or a token.
 */
export function fromAuthError(error: unknown, issuer: string): AppError {
  if (isAppError(error)) {
    return error;
  }
  if (isAbort(error)) {
    return authError('auth.cancelled');
  }
  const host = hostOf(issuer);
  if (error instanceof Error && error.name === 'TimeoutError') {
    return authError('auth.noAnswer', { host });
  }
  switch (brandOf(error)) {
    case 'mcp.IssuerMismatchError':
      return issuerMismatch(issuer);
    case 'mcp.InsecureTokenEndpointError':
      return authError('auth.insecureAddress', { host });
    case 'mcp.RegistrationRejectedError':
      return authError('auth.registrationRefused', { host });
  }
  const code = codeOf(error);
  if (code !== undefined) {
    return authError('auth.refused', { host, reason: code });
  }
  if (error instanceof TypeError) {
    return authError('auth.unreachable', { host });
  }
  return authError('auth.badAnswer', { host });
}

export function issuerMismatch(issuer: string): AppError {
  return authError('auth.issuerMismatch', { host: hostOf(issuer) });
}

/**
 * The code of an error that only a sign-in by the person can mend. It is the same as for a refusal without any sign-in,
 * because views offer a sign-in for both.
 */
export const signInNeededCode = 'host.unauthorized' satisfies HostErrorCode;

export function signInNeeded(serverUrl: string, scope?: string): AppError {
  const { origin } = new URL(serverUrl);
  return hostError(signInNeededCode, { status: 401, origin, canSignIn: true, ...(scope === undefined ? {} : { scope }) });
}

/**
 * OAuth's own code for the error (`access_denied`). It is shown to people, so anything that does not look like such a code
 * is made harmless.
 */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return brandOf(error) === 'mcp.OAuthError' && typeof code === 'string' ? errorWord(code) : undefined;
}

/** The SDK's own mark on its errors. Class names cannot serve, because the bundler changes them. */
function brandOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error.constructor, 'mcpBrand') : undefined;
}

export function errorWord(code: string): string {
  return /^[a-z_]{1,60}$/.test(code) ? code : revealInvisible(code).slice(0, maxCodeLength);
}

export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
