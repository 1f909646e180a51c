import assert from 'node:assert/strict';
import { CredentialStore, hashToken } from '../../../../src/server/access/credentials.ts';

describe('CredentialStore', () => {
  it('knows a token by its hash, the first time and afterwards', () => {
    const store = new CredentialStore();
    const credential = { id: 'client-1', kind: 'clientToken', label: 'Cursor' } as const;
    const admitted = store.admit(hashToken('secret'), credential);
    assert.deepEqual([store.verify('secret'), store.verify('secret'), store.verify('secrets')], [credential, credential, undefined]);
    admitted.dispose();
    assert.equal(store.verify('secret'), undefined);
    store.dispose();
  });

  it('revoking a credential takes all its tokens and says so once; others stay', () => {
    const store = new CredentialStore();
    const revoked: string[] = [];
    const listening = store.onDidRevoke((id) => revoked.push(id));
    const own = [store.mint({ id: 'a', kind: 'oauth' }), store.mint({ id: 'a', kind: 'oauth' })];
    const other = store.mint({ id: 'b', kind: 'oauth' });
    store.revoke('a');
    assert.deepEqual(
      [...own, other].map(({ token }) => store.verify(token)?.id),
      [undefined, undefined, 'b'],
    );
    assert.deepEqual(revoked, ['a']);
    listening.dispose();
    [...own, other].forEach(({ withdraw }) => withdraw.dispose());
    store.dispose();
  });

  it('remembers when a credential was last used', () => {
    const store = new CredentialStore();
    const { token, withdraw } = store.mint({ id: 'a', kind: 'clientToken' });
    assert.equal(store.lastUsed('a'), undefined);
    const before = Date.now();
    store.verify(token);
    assert.ok((store.lastUsed('a') ?? 0) >= before);
    withdraw.dispose();
    store.dispose();
  });
});
