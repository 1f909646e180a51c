import { AppError, isAbort } from '../../base/errors.ts';
import { revealInvisible } from '../../base/visibleText.ts';

const maxCodeLength = 100;

/**
 * What went wrong, in our words. Nothing of an authorization server's free text is kept, and no cause: both may repeat the
 * code, the verifier or a token.
 */
export function fromAuthError(error: unknown, issuer: string): AppError {
  if (error instanceof AppError) {
    return error;
  }
  if (isAbort(error)) {
    return new AppError('auth.cancelled', 'The sign-in was cancelled.');
  }
  const args = { host: hostOf(issuer) };
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new AppError('auth.noAnswer', `${args.host} did not answer in time.`, { args });
  }
  switch (brandOf(error)) {
    case 'mcp.IssuerMismatchError':
      return issuerMismatch(issuer);
    case 'mcp.InsecureTokenEndpointError':
      return new AppError('auth.insecureAddress', `The sign-in at ${args.host} uses an address that is not secure.`, { args });
    case 'mcp.RegistrationRejectedError':
      return new AppError('auth.registrationRefused', `${args.host} did not register Duplex as a client.`, { args });
  }
  const code = codeOf(error);
  if (code !== undefined) {
    return new AppError('auth.refused', `${args.host} refused: ${code}.`, { args: { ...args, reason: code } });
  }
  if (error instanceof TypeError) {
    return new AppError('auth.unreachable', `${args.host} could not be reached.`, { args });
  }
  return new AppError('auth.badAnswer', `${args.host} gave an answer that does not follow OAuth.`, { args });
}

export function issuerMismatch(issuer: string): AppError {
  const host = hostOf(issuer);
  return new AppError('auth.issuerMismatch', `The answer does not come from ${host}, where the sign-in was started.`, { args: { host } });
}

/** Only the person can help. The same code as a refusal without any sign-in: views offer one for both. */
export const signInNeededCode = 'host.unauthorized';

export function signInNeeded(serverUrl: string, scope?: string): AppError {
  const origin = new URL(serverUrl).origin;
  return new AppError(signInNeededCode, `The server at ${origin} wants you to sign in.`, {
    args: { status: 401, origin, canSignIn: true, ...(scope === undefined ? {} : { scope }) },
  });
}

/** OAuth's own word for the error (`access_denied`). Only what looks like one: it is shown. */
export function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return brandOf(error) === 'mcp.OAuthError' && typeof code === 'string' ? errorWord(code) : undefined;
}

/** The SDK's own mark on its errors: class names do not survive the bundler. */
function brandOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error.constructor, 'mcpBrand') : undefined;
}

export function errorWord(code: string): string {
  return /^[a-z_]{1,60}$/.test(code) ? code : revealInvisible(code).slice(0, maxCodeLength);
}

export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : '';
}
