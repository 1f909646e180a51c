import assert from 'node:assert/strict';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { TextInMemory } from '../../../../src/base/sharedStorage.ts';
import { ClientTokens } from '../../../../src/server/access/clientTokens.ts';
import { CredentialStore } from '../../../../src/server/access/credentials.ts';
import { IssuedCredentials, ServerStorage } from '../../../../src/server/window/issuedCredentials.ts';
import { Person } from '../support/person.ts';

describe('Credentials that were given out', () => {
  let lifetime: DisposableStore;
  let person: Person;
  let tokens: ClientTokens;
  let credentials: CredentialStore;
  let rotations: number;
  let issued: IssuedCredentials;

  beforeEach(async () => {
    lifetime = new DisposableStore();
    person = lifetime.add(new Person());
    tokens = lifetime.add(await ClientTokens.open({ storage: new TextInMemory(), log: silentLog }));
    credentials = lifetime.add(new CredentialStore());
    rotations = 0;
    issued = new IssuedCredentials({ permissions: person.permissions, clientTokens: () => Promise.resolve(tokens) });
    const server = {
      credentials,
      oauthClients: () => [{ id: 'oauth-1', label: 'Registered' }],
      rotateWindowToken: () => {
        rotations += 1;
        return Promise.resolve();
      },
    };
    lifetime.add(issued.admitTo(server, tokens));
  });
  afterEach(() => lifetime.dispose());

  it('are the tokens of copied configurations and the OAuth registrations', async () => {
    const { id } = await tokens.mint('Host');
    assert.deepEqual(issued.list(), [
      { credentialId: id, credentialKind: 'clientToken', label: 'Host' },
      { credentialId: 'oauth-1', credentialKind: 'oauth', label: 'Registered' },
    ]);
  });

  it('are taken back with all that was allowed to them', async () => {
    const { id, token } = await tokens.mint('Host');
    const client = { credentialId: id, credentialKind: 'clientToken', sessionId: 's', isStateless: false } as const;
    await person.permissions.changeRole(client, 'editor');
    await issued.revoke(client);
    assert.deepEqual([credentials.verify(token), tokens.list(), person.ledger.answers(), rotations], [undefined, [], [], 0]);
  });

  it('are valid from the moment they are handed over', async () => {
    let wasValid = false;
    const given = await issued.mintFor('Host', (token) => {
      wasValid = credentials.verify(token) !== undefined;
      return Promise.resolve();
    });
    assert.deepEqual([wasValid, issued.list()[0]], [true, given]);
  });

  it('that did not arrive are taken back, with all that was allowed to them meanwhile', async () => {
    let given = '';
    const deliver = async (token: string): Promise<void> => {
      given = token;
      const credentialId = tokens.list()[0]?.id ?? '';
      await person.permissions.changeRole({ credentialId, credentialKind: 'clientToken', sessionId: 's', isStateless: false }, 'editor');
      throw new Error('no clipboard');
    };
    await assert.rejects(issued.mintFor('Host', deliver), /no clipboard/);
    assert.deepEqual([credentials.verify(given), tokens.list(), person.ledger.answers()], [undefined, [], []]);
  });

  it('of the window are taken from all its clients at once', async () => {
    const client = { credentialId: 'window-1', credentialKind: 'windowToken', sessionId: 's', isStateless: false } as const;
    await person.permissions.changeRole(client, 'editor');
    await issued.revoke(client);
    assert.deepEqual([rotations, person.ledger.answers()], [1, []]);
  });
});

describe('What the server keeps', () => {
  it('is opened on first use, and once', async () => {
    const opened: string[] = [];
    const openFile = (name: string): Promise<TextInMemory & { dispose(): void }> => {
      opened.push(name);
      return Promise.resolve(Object.assign(new TextInMemory(), { dispose: () => undefined }));
    };
    const storage = new ServerStorage(openFile, silentLog);
    assert.deepEqual(opened, []);
    assert.equal(await storage.clientTokens(), await storage.clientTokens());
    assert.equal(await storage.oauth(), await storage.oauth());
    assert.deepEqual(opened, ['clientTokens.json', 'oauthClients.json']);
    storage.dispose();
  });

  it('lives as long as the window where nothing can be stored', async () => {
    const storage = new ServerStorage(() => Promise.reject(new Error('read-only')), silentLog);
    const tokens = await storage.clientTokens();
    const { id } = await tokens.mint('Host');
    assert.deepEqual(
      tokens.list().map((token) => token.id),
      [id],
    );
    storage.dispose();
  });
});
