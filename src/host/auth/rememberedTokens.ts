import type { KnownSecrets } from '../../definitions/knownSecrets.ts';
import type { SignInRecord, TokenStore } from './authPorts.ts';

/** The same store; what is secret in each sign-in that passes is known from then on. A server can say its token in any message. */
export function rememberedTokens(store: TokenStore, known: KnownSecrets): TokenStore {
  const note = (serverId: string, { accessToken, refreshToken, client }: SignInRecord): void =>
    [accessToken, refreshToken, client.clientSecret].forEach((secret) => known.add(serverId, secret));
  return {
    get: async (serverId, issuer) => {
      const record = await store.get(serverId, issuer);
      if (record !== undefined) {
        note(serverId, record);
      }
      return record;
    },
    set: async (serverId, record) => {
      note(serverId, record);
      await store.set(serverId, record);
    },
    delete: (serverId, issuer) => store.delete(serverId, issuer),
    issuerOf: (serverId) => store.issuerOf(serverId),
  };
}
