import assert from 'node:assert/strict';
import { connectRequest } from '../../../../src/server/access/connectQuestion.ts';
import { DisposableStore } from '../../../../src/base/lifecycle.ts';
import { ClientRegistry } from '../../../../src/server/protocol/clientRegistry.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { rightsOf } from '../support/fakeCall.ts';
import { TextInMemory } from '../../../../src/base/sharedStorage.ts';
import { Person } from '../support/person.ts';
import type { Viewer } from '../../../../src/server/seen/viewer.ts';

const ofWindow = { credentialId: 'window-1', credentialKind: 'windowToken', sessionId: 's1', isStateless: false } as const;
const ofToken = { credentialId: 'client-1', credentialKind: 'clientToken', sessionId: 's2', isStateless: false } as const;
const viewer = (id: string, kind: 'windowToken' | 'clientToken' = 'clientToken'): Viewer => ({
  credential: { id, kind },
  sessionId: 's',
  callsItself: 'x',
  transport: 'http',
  rights: rightsOf('reader'),
});

describe('The permissions of outside clients', () => {
  let lifetime: DisposableStore;
  let file: TextInMemory;
  let person: Person;
  beforeEach(() => {
    lifetime = new DisposableStore();
    file = new TextInMemory();
    person = lifetime.add(new Person(file));
  });
  afterEach(() => lifetime.dispose());

  it('of a session are forgotten when it ends by itself', async () => {
    const clients = lifetime.add(new ClientRegistry(systemClock, 1_000));
    lifetime.add(person.permissions.forgetEnded(clients));
    await person.permissions.changeRole(ofWindow, 'reader');
    await person.permissions.changeRole(ofToken, 'reader');
    const credential = { id: 'window-1', kind: 'windowToken' } as const;
    const allowed = { kind: 'allowed', role: 'reader' } as const;
    const client = { id: 's1', credential, transport: 'http', callsItself: 'x', approvalState: allowed } as const;
    const registration = clients.add(client, () => undefined);
    assert.equal(person.ledger.answers().length, 2);
    registration.dispose();
    assert.deepEqual(
      person.ledger.answers().map(({ subject }) => subject),
      [['client', 'client-1']],
    );
  });

  it('are looked up in the ledger once, and again when it has other answers', async () => {
    const { gate } = person;
    const verdict = gate.verdict.bind(gate);
    let looks = 0;
    gate.verdict = (request) => {
      looks += 1;
      return verdict(request);
    };
    const client = viewer('client-1');
    const look = (): number => {
      looks = 0;
      person.permissions.grants.of(client);
      return looks;
    };
    assert.notEqual(look(), 0);
    assert.equal(look(), 0);
    await person.permissions.changeRole(ofWindow, 'reader');
    assert.notEqual(look(), 0);
    await file.modify(() => '');
    await person.ledger.load();
    assert.notEqual(look(), 0);
  });

  it('lift what is withheld for one credential, in every window, until taken back', async () => {
    const elsewhere = lifetime.add(new Person(file));
    await person.permissions.changeGrants(ofToken, { sensitive: true, outside: false });
    const seen = [person, elsewhere].map(({ permissions }) => permissions.grants.of(viewer('client-1')));
    assert.deepEqual(seen, [
      { sensitive: true, outside: false },
      { sensitive: true, outside: false },
    ]);
    assert.deepEqual(person.permissions.grants.of(viewer('client-2')), { sensitive: false, outside: false });
    await elsewhere.permissions.changeGrants(ofToken, { sensitive: false, outside: true });
    assert.deepEqual(person.permissions.grants.of(viewer('client-1')), { sensitive: false, outside: true });
  });

  it('lift nothing in another workspace, for the window token in another window, or for the chat', async () => {
    await person.permissions.changeGrants(ofToken, { sensitive: true, outside: true });
    await person.permissions.changeGrants(ofWindow, { sensitive: true, outside: true });
    const others = [lifetime.add(new Person(file, 'elsewhere')), lifetime.add(new Person(file))];
    await Promise.all(others.map(({ ledger }) => ledger.load()));
    const none = { sensitive: false, outside: false };
    assert.deepEqual(others[0]?.permissions.grants.of(viewer('client-1')), none);
    assert.deepEqual(others[1]?.permissions.grants.of(viewer('window-1', 'windowToken')), none);
    assert.deepEqual(person.permissions.grants.of({ ...viewer('x'), credential: { id: 'chat', kind: 'chat' } }), none);
  });

  it('lift nothing for another session of the window token, nor for its requests without one', async () => {
    await person.permissions.changeGrants(ofWindow, { sensitive: true, outside: true });
    await person.permissions.changeGrants({ ...ofWindow, isStateless: true }, { sensitive: true, outside: true });
    const seenBy = (sessionId: string | undefined): unknown =>
      person.permissions.grants.of({ ...viewer('window-1', 'windowToken'), sessionId });
    const none = { sensitive: false, outside: false };
    assert.deepEqual(['s1', 's2', undefined].map(seenBy), [{ sensitive: true, outside: true }, none, none]);
    await person.permissions.changeGrants(ofWindow, none);
    assert.deepEqual(seenBy('s1'), none);
  });

  it('let in whom the person had always denied, when they choose a role', async () => {
    const request = connectRequest(ofToken);
    await person.ledger.remember(request, 'deny', 'always');
    const client = { ...ofToken, callsItself: 'x', transport: 'http' } as const;
    assert.equal(person.permissions.standing.of(client)?.kind, 'denied');
    await person.permissions.changeRole(ofToken, 'editor');
    const standing = person.permissions.standing.of(client);
    assert.deepEqual(standing, { kind: 'allowed', role: 'editor', id: standing?.id });
  });

  it('let in whom the person had always denied where that could not be stored, or is stored for this workspace', async () => {
    const client = { ...ofToken, callsItself: 'x', transport: 'http' } as const;
    const request = connectRequest(ofToken);
    for (const scope of ['session', 'workspace'] as const) {
      await person.ledger.remember(request, 'deny', scope);
      assert.equal(person.permissions.standing.of(client)?.kind, 'denied', scope);
      await person.permissions.changeRole(ofToken, 'runner');
      const standing = person.permissions.standing.of(client);
      assert.deepEqual(standing, { kind: 'allowed', role: 'runner', id: standing?.id }, scope);
      await person.permissions.forgetClient('client-1');
    }
  });

  it('stay refused where a role cannot be stored', async () => {
    const client = { ...ofToken, callsItself: 'x', transport: 'http' } as const;
    await person.ledger.remember(connectRequest(ofToken), 'deny', 'workspace');
    await person.ledger.remember(connectRequest(ofToken), 'deny', 'session');
    file.modify = () => Promise.reject(new Error('ENOSPC: no space left on device'));
    await assert.rejects(person.permissions.changeRole(ofToken, 'runner'), /ENOSPC/);
    assert.equal(person.permissions.standing.of(client)?.kind, 'denied');
    assert.deepEqual(
      person.ledger.answers().map(({ answer, scope }) => [answer, scope]),
      [
        ['deny', 'workspace'],
        ['deny', 'session'],
      ],
    );
  });

  it('go with the credential', async () => {
    await person.permissions.changeRole(ofToken, 'editor');
    await person.permissions.changeGrants(ofToken, { sensitive: true, outside: true });
    await person.permissions.changeRole(ofWindow, 'runner');
    await person.permissions.forgetClient('client-1');
    assert.deepEqual(
      person.ledger.answers().map(({ principal }) => principal),
      ['client:window-1'],
    );
    person.permissions.forgetWindowTokens();
    assert.deepEqual(person.ledger.answers(), []);
  });
});
