import type { OAuthTokens } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { once } from '../../base/once.ts';
import type { SignInRecord } from './authPorts.ts';

const earliestRefreshMs = 60_000;

/** The tokens of an answer as they are kept. A short life is renewed in its last quarter, a long one in its last minute. */
export function withTokens(
  base: Omit<SignInRecord, 'accessToken' | 'refreshToken' | 'expiresAt' | 'refreshAt'>,
  tokens: OAuthTokens,
  now: number,
): SignInRecord {
  const { expires_in: seconds } = tokens;
  const lifeMs = seconds === undefined ? undefined : Math.max(0, seconds) * 1_000;
  return {
    issuer: base.issuer,
    serverUrl: base.serverUrl,
    resource: base.resource,
    endpoints: base.endpoints,
    client: base.client,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    // An answer without a scope means: as asked for (RFC 6749, 5.1).
    scope: tokens.scope ?? base.scope,
    ...(lifeMs === undefined ? {} : { expiresAt: now + lifeMs, refreshAt: now + lifeMs - Math.min(earliestRefreshMs, lifeMs / 4) }),
  };
}

export function isExpired(record: SignInRecord, now: number): boolean {
  return record.expiresAt !== undefined && record.expiresAt <= now;
}

export function isDueForRefresh(record: SignInRecord, now: number): boolean {
  return record.refreshToken !== undefined && record.refreshAt !== undefined && record.refreshAt <= now;
}

/** Additive only: older windows read what newer ones wrote. */
const storedRecord = once(() =>
  z.object({
    issuer: z.string(),
    serverUrl: z.string(),
    resource: z.string().optional(),
    endpoints: z.object({
      authorizationServerUrl: z.string(),
      tokenEndpoint: z.string().optional(),
      revocationEndpoint: z.string().optional(),
      tokenAuthMethods: z.array(z.string()).optional(),
    }),
    client: z.object({
      clientId: z.string(),
      clientSecret: z.string().optional(),
      authMethod: z.string().optional(),
      redirectUrl: z.string(),
      origin: z.enum(['configured', 'registered']),
    }),
    accessToken: z.string(),
    refreshToken: z.string().optional(),
    scope: z.string().optional(),
    expiresAt: z.number().optional(),
    refreshAt: z.number().optional(),
  }),
);

/** Undefined for what is not, or no longer, a record: the person signs in again. */
export function readRecord(value: unknown): SignInRecord | undefined {
  const { success, data } = storedRecord().safeParse(value);
  return success ? data : undefined;
}
