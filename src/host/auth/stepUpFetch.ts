import type { FetchLike } from './authPorts.ts';
import type { Challenge } from './authorizationMetadata.ts';

const maxStepUps = 2;

export interface StepUpOptions {
  readonly serverUrl: URL;
  /** A token with the scopes asked for; undefined leaves the refusal as it is. */
  readonly stepUp: (challenge: Challenge) => Promise<string | undefined>;
  /** Told which token a refused request carried: by the time it is refused, another may be in use. */
  readonly refused: (response: Response, token: string) => void;
}

/** Answers `insufficient_scope` with a wider sign-in and another try. Sends the token to the server's own origin only. */
export function createStepUpFetch(next: FetchLike, { serverUrl, stepUp, refused }: StepUpOptions): FetchLike {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    const isOwn = new URL(String(input)).origin === serverUrl.origin;
    if (!isOwn) {
      headers.delete('authorization');
      return next(input, { ...init, headers });
    }
    let response = await next(input, init);
    for (let tries = 0; tries < maxStepUps && headers.has('authorization'); tries++) {
      const challenge = await scopeChallenge(response);
      const token = challenge === undefined ? undefined : await stepUp(challenge);
      if (token === undefined) {
        break;
      }
      await response.body?.cancel();
      headers.set('authorization', `Bearer ${token}`);
      response = await next(input, { ...init, headers });
    }
    const sent = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
    if (response.status === 401 && sent !== undefined) {
      refused(response, sent);
    }
    return response;
  };
}

async function scopeChallenge(response: Response): Promise<Challenge | undefined> {
  if (response.status !== 403) {
    return undefined;
  }
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client');
  const { error, resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return error === 'insufficient_scope' ? { resourceMetadataUrl, scope } : undefined;
}
