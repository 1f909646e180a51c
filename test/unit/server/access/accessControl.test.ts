import assert from 'node:assert/strict';
import { AccessBench, clientToken, look, propose, reasonOf, tests, viewerOf, waiter, windowToken } from '../support/accessBench.ts';
import { TextInMemory } from '../../../../src/base/sharedStorage.ts';
import { Person } from '../support/person.ts';
import type { Credential } from '../../../../src/server/seen/viewer.ts';

let bench: AccessBench;
function useBench(): void {
  beforeEach(() => {
    bench = new AccessBench();
  });
  afterEach(() => bench.dispose());
}

describe('The connect question', () => {
  useBench();
  it('is asked for each session of the window token, with a role to choose and never "always"', async () => {
    const first = bench.session(windowToken, 's1');
    const admitting = first.admit(look, waiter());
    const { detail, choices } = await bench.person.untilAsked();
    assert.deepEqual(choices, ['deny', 'allowSession']);
    assert.deepEqual(detail, {
      kind: 'connectClient',
      callsItself: 'peer 9',
      transport: 'http',
      credential: 'windowToken',
      credentialId: 'window-1',
      roles: ['reader', 'editor', 'runner'],
    });
    bench.person.answer('allowSession', 'editor');
    assert.equal(await admitting, 'allowed');
    assert.deepEqual(first.state, { kind: 'allowed', role: 'editor' });
    assert.equal(await bench.answered(bench.session(windowToken, 's2'), look, 'deny'), 'denied');
  });

  it('is asked once for all stateless requests of the window token, apart from its sessions', async () => {
    await bench.answered(bench.session(windowToken, 's1'), look, 'allowSession', 'runner');
    const stateless = bench.access.forStateless(viewerOf(windowToken));
    assert.equal(await bench.answered(stateless, look, 'allowSession', 'reader'), 'allowed');
    assert.equal(await bench.atOnce(bench.access.forStateless(viewerOf(windowToken)), look), 'allowed');
    assert.deepEqual(stateless.state, { kind: 'allowed', role: 'reader' });
  });

  it('is asked once for a client token, whatever it connects by', async () => {
    const first = bench.session(clientToken, 's1');
    const admitting = first.admit(look, waiter());
    assert.deepEqual((await bench.person.untilAsked()).choices, ['deny', 'allowSession', 'allowAlways', 'denyAlways']);
    bench.person.answer('allowSession', 'editor');
    await admitting;
    for (const other of [bench.session(clientToken, 's2'), bench.access.forStateless(viewerOf(clientToken))]) {
      assert.equal(await bench.atOnce(other, propose), 'allowed');
    }
  });

  it('remembers "Always allow" with its role for this workspace, in every window', async () => {
    const file = new TextInMemory();
    const windows = ['here', 'here', 'elsewhere'].map((workspace) => bench.add(new Person(file, workspace)));
    bench.person = windows[0] ?? bench.person;
    await bench.answered(bench.session(clientToken, 's1', bench.open(bench.person)), look, 'allowAlways', 'runner');
    const states = windows.slice(1).map((window) => bench.session(clientToken, 's2', bench.open(window)).state);
    assert.deepEqual(states, [{ kind: 'allowed', role: 'runner' }, { kind: 'notAsked' }]);
  });

  it('lets an answer that is taken back end the sessions at once, also in another window', async () => {
    const file = new TextInMemory();
    const other = bench.add(new Person(file));
    bench.person = bench.add(new Person(file));
    const here = bench.session(clientToken, 's1', bench.open(bench.person));
    await bench.answered(here, look, 'allowAlways', 'reader');
    const there = bench.session(clientToken, 's2', bench.open(other));
    await bench.person.ledger.revoke(bench.person.ledger.answers()[0]?.id ?? '');
    assert.deepEqual([here.state.kind, there.state.kind], ['notAsked', 'notAsked']);
    const expected = { credentialId: 'client-1', sessionId: undefined };
    assert.deepEqual(bench.revoked, [expected, expected]);
  });

  it('lets an "Always deny" in another window end the sessions here', async () => {
    const file = new TextInMemory();
    const other = bench.add(new Person(file, 'elsewhere'));
    bench.person = bench.add(new Person(file));
    const here = bench.session(clientToken, 's1', bench.open(bench.person));
    await bench.answered(here, look, 'allowSession', 'runner');
    const there = bench.session(clientToken, 's2', bench.open(other));
    bench.person = other;
    await bench.answered(there, look, 'denyAlways');
    assert.deepEqual([here.state.kind, bench.revoked], ['denied', [{ credentialId: 'client-1', sessionId: undefined }]]);
  });

  it('remembers "Always deny" until it is revoked', async () => {
    const client = bench.session(clientToken, 's1');
    assert.equal(await bench.answered(client, look, 'denyAlways'), 'denied');
    client.dispose();
    const next = bench.session(clientToken, 's2');
    assert.equal(await bench.atOnce(next, look), 'denied');
    await bench.person.ledger.revoke(bench.person.ledger.answers()[0]?.id ?? '');
    assert.equal(await bench.answered(next, look, 'allowSession'), 'allowed');
  });

  it('tells a client that a stored answer refuses it and where the person can take that back', async () => {
    const client = bench.session(clientToken, 's1');
    await bench.answered(client, look, 'denyAlways');
    client.dispose();
    const refusal = await bench.session(clientToken, 's2').admit(look, waiter());
    assert.ok(refusal !== 'allowed');
    assert.match(refusal.sentence, /stored “Always deny” .*“Duplex: Manage Permissions”/);
  });

  it('forgets a plain "Deny" of a client token with its last session', async () => {
    const client = bench.session(clientToken, 's1');
    assert.equal(await bench.answered(client, look, 'deny'), 'denied');
    assert.equal(await bench.atOnce(client, look), 'denied');
    client.dispose();
    bench.clock.advance(10_000);
    assert.equal(await bench.answered(bench.session(clientToken, 's2'), look, 'allowSession'), 'allowed');
  });

  it('is withdrawn with the last session of a client token, not before', async () => {
    const [one, two] = [bench.session(clientToken, 's1'), bench.session(clientToken, 's2')];
    const admitting = [one.admit(look, waiter()), two.admit(look, waiter())];
    one.dispose();
    assert.equal(bench.person.isAsked, true);
    two.dispose();
    assert.equal(bench.person.isAsked, false);
    await Promise.all(admitting);
  });

  it('is withdrawn when the credential is no longer valid', async () => {
    const admitting = bench.access.forStateless(viewerOf(windowToken)).admit(look, waiter());
    await bench.person.untilAsked();
    bench.access.forget('window-1');
    assert.equal(bench.person.isAsked, false);
    assert.equal(await admitting.then(reasonOf), 'waiting');
  });

  it('still comes to the sessions of the window token when its stateless requests lose what they had', async () => {
    await bench.answered(bench.access.forStateless(viewerOf(windowToken)), look, 'allowSession');
    const [one, two] = [bench.session(windowToken, 's1'), bench.session(windowToken, 's2')];
    const first = one.admit(look, waiter());
    const second = two.admit(look, waiter());
    await bench.person.untilAsked();
    await bench.person.ledger.revoke(bench.person.ledger.answers()[0]?.id ?? '');
    assert.deepEqual(bench.revoked, [{ credentialId: 'window-1', sessionId: undefined }]);
    bench.person.answer('allowSession');
    assert.equal(await first, 'allowed');
    await bench.person.untilAsked();
    bench.person.answer('allowSession');
    assert.equal(await second, 'allowed');
  });

  it('keeps the pause after a denial when stateless requests of the window token lose what they had', async () => {
    await bench.answered(bench.access.forStateless(viewerOf(windowToken)), look, 'allowSession');
    await bench.answered(bench.session(windowToken, 's1'), look, 'deny');
    const [allowed] = bench.person.ledger.answers();
    const admitting = bench.session(windowToken, 's2').admit(look, waiter());
    await bench.person.ledger.revoke(allowed?.id ?? '');
    bench.clock.advance(9_999);
    assert.equal(bench.person.isAsked, false);
    bench.clock.advance(1);
    await bench.person.untilAsked();
    bench.person.answer('allowSession');
    assert.equal(await admitting, 'allowed');
  });

  it('compares the pairing code each time, whatever was answered before', async () => {
    const oauth = {
      credentialId: 'oauth-1',
      credentialKind: 'oauth' as const,
      sessionId: undefined,
      callsItself: 'x',
      transport: 'http' as const,
    };
    const ask = (pairingCode: string): Promise<unknown> =>
      bench.person.approval.ask({ ...oauth, pairingCode }, new AbortController().signal);
    for (const code of ['1111', '2222']) {
      const asking = ask(code);
      const { detail } = bench.person.question;
      assert.equal(detail.kind === 'connectClient' && detail.pairingCode, code);
      bench.person.answer('allowAlways', 'reader');
      assert.deepEqual(await asking, { kind: 'allowed', role: 'reader' });
    }
    assert.deepEqual(bench.session({ id: 'oauth-1', kind: 'oauth' }, 's1').state, { kind: 'allowed', role: 'reader' });
  });

  it('gives no role beyond what the token was made for', async () => {
    const credential: Credential = { id: 'oauth-1', kind: 'oauth', roles: ['reader', 'editor'] };
    const client = bench.session(credential, 's1');
    const admitting = client.admit(look, waiter());
    const { detail } = await bench.person.untilAsked();
    assert.deepEqual(detail.kind === 'connectClient' && detail.roles, ['reader', 'editor']);
    bench.person.answer('allowSession', 'runner');
    await admitting;
    assert.deepEqual(client.state, { kind: 'allowed', role: 'reader' }, 'a role that was not on offer is none');
    assert.equal(await bench.confirmed(client, tests()), 'needs the role runner, which this token was not made for');
  });
});

describe('A call above the role', () => {
  useBench();
  it('is asked about with its arguments, and "Allow once" lets this one through', async () => {
    const client = bench.session(windowToken, 's1');
    await bench.answered(client, look, 'allowSession', 'reader');
    const admitting = client.admit(propose, waiter());
    const { detail, choices } = await bench.person.untilAsked();
    assert.deepEqual(choices, ['deny', 'allowOnce', 'raiseRole']);
    assert.deepEqual(detail, {
      kind: 'clientAct',
      callsItself: 'peer 9',
      transport: 'http',
      credential: 'windowToken',
      credentialId: 'window-1',
      tool: 'propose_edit',
      role: 'reader',
      neededRole: 'editor',
      what: { kind: 'call', arguments: '{"path":"a.ts"}' },
    });
    bench.person.answer('allowOnce');
    assert.equal(await admitting, 'allowed');
    assert.equal(await bench.answered(client, propose, 'deny'), 'denied');
  });

  it('raises the role of that session of the window token, and of no other', async () => {
    const [one, two] = [bench.session(windowToken, 's1'), bench.session(windowToken, 's2')];
    await bench.answered(one, look, 'allowSession', 'reader');
    await bench.answered(two, look, 'allowSession', 'reader');
    assert.equal(await bench.answered(one, propose, 'raiseRole'), 'allowed');
    assert.equal(await bench.atOnce(one, propose), 'allowed');
    assert.deepEqual(
      [one.state, two.state].map((state) => state.kind === 'allowed' && state.role),
      ['editor', 'reader'],
    );
  });

  it('raises the role of a client token for all its sessions in this window, and stores nothing', async () => {
    const [one, two] = [bench.session(clientToken, 's1'), bench.session(clientToken, 's2')];
    await bench.answered(one, look, 'allowAlways', 'reader');
    assert.equal(await bench.answered(one, propose, 'raiseRole'), 'allowed');
    assert.equal(await bench.atOnce(two, propose), 'allowed');
    assert.deepEqual(
      bench.person.ledger.answers().map(({ role }) => role),
      ['reader'],
    );
  });

  it('never takes back a higher role that was raised before', async () => {
    const client = bench.session(windowToken, 's1');
    await bench.answered(client, look, 'allowSession', 'reader');
    const proposing = client.admit(propose, waiter());
    await bench.person.untilAsked();
    const terminal = { ...propose, role: 'runner', call: { tool: 'get_terminal_output', role: 'runner', arguments: '{}' } } as const;
    const looking = client.admit(terminal, waiter());
    await new Promise(setImmediate);
    const both = bench.person.questions.list().map(({ askId }) => askId);
    for (const askId of both.toReversed()) {
      assert.ok(bench.person.questions.answer({ askId, choice: 'raiseRole' }));
    }
    assert.deepEqual([await proposing, await looking, client.state], ['allowed', 'allowed', { kind: 'allowed', role: 'runner' }]);
  });

  it('never raises the role of stateless requests with the window token', async () => {
    const stateless = bench.access.forStateless(viewerOf(windowToken));
    await bench.answered(stateless, look, 'allowSession', 'reader');
    const admitting = stateless.admit(propose, waiter());
    assert.deepEqual((await bench.person.untilAsked()).choices, ['deny', 'allowOnce']);
    bench.person.answer('allowOnce');
    assert.equal(await admitting, 'allowed');
  });

  it('is refused at once again when the person lowers the role', async () => {
    const client = bench.session(windowToken, 's1');
    await bench.answered(client, look, 'allowSession', 'reader');
    await bench.answered(client, propose, 'raiseRole');
    const target = { credentialId: 'window-1', credentialKind: 'windowToken', sessionId: 's1', isStateless: false } as const;
    await bench.person.permissions.changeRole(target, 'reader');
    assert.deepEqual([client.state, bench.revoked], [{ kind: 'allowed', role: 'reader' }, []]);
    assert.equal(client.admitNow(propose), undefined);
  });

  it('changes a stored role in every window', async () => {
    const file = new TextInMemory();
    const other = bench.add(new Person(file));
    bench.person = bench.add(new Person(file));
    await bench.answered(bench.session(clientToken, 's1', bench.open(bench.person)), look, 'allowAlways', 'runner');
    const there = bench.session(clientToken, 's2', bench.open(other));
    const target = { credentialId: 'client-1', credentialKind: 'clientToken', sessionId: 's1', isStateless: false } as const;
    await bench.person.permissions.changeRole(target, 'reader');
    assert.deepEqual(there.state, { kind: 'allowed', role: 'reader' });
  });
});
