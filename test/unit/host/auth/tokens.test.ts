import assert from 'node:assert/strict';
import type { SignInRecord } from '../../../../src/host/auth/authPorts.ts';
import type { SignInGuard } from '../../../../src/host/auth/signInGuard.ts';
import { refreshTokens, revokeTokens } from '../../../../src/host/auth/tokens.ts';

describe('The client of a sign-in', () => {
  it('shows the same secret where tokens are renewed and where they are revoked', async () => {
    const issuer = 'https://auth.example';
    const record: SignInRecord = {
      issuer,
      serverUrl: 'https://mcp.example/mcp',
      endpoints: {
        authorizationServerUrl: issuer,
        tokenEndpoint: `${issuer}/token`,
        revocationEndpoint: `${issuer}/revoke`,
        tokenAuthMethods: ['client_secret_basic'],
      },
      client: {
        clientId: 'https://app.example/client',
        clientSecret: 'a+b/c=d:e%20',
        authMethod: 'client_secret_basic',
        redirectUrl: 'http://127.0.0.1:1/callback',
        origin: 'registered',
      },
      accessToken: 'access',
      refreshToken: 'refresh',
    };
    const shown: (string | null)[] = [];
    const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
      shown.push(new Headers(init?.headers).get('authorization'));
      return Promise.resolve(Response.json({ access_token: 'next', token_type: 'Bearer' }));
    };
    const guard = { fetch } as unknown as SignInGuard;
    await refreshTokens(record, {}, guard, 0);
    assert.equal(await revokeTokens(record, {}, guard), true);
    assert.deepEqual(
      shown,
      Array.from({ length: 3 }, () => `Basic ${btoa('https://app.example/client:a+b/c=d:e%20')}`),
    );
  });
});
