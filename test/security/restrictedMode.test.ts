import assert from 'node:assert/strict';
import { Emitter } from '../../src/base/events.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Principal } from '../../src/consent/consentModel.ts';
import { PermissionOffers } from '../../src/host/reports/notices.ts';
import { StartOffers } from '../../src/host/starting/startOffers.ts';
import { runningServer } from '../../src/host/tools/runTool.ts';
import { SignedInServers } from '../../src/host/starting/signedInServers.ts';
import { createTestHost, scriptedServer, type TestHost } from '../unit/host/support.ts';

const { signal } = new AbortController();

/** What came of it, as far as there is somebody to tell: the code of the failure, or `nothing`. */
type Entry = (host: TestHost, id: string) => Promise<string>;

const codeOf = (error: unknown): string => (error as { readonly code?: string }).code ?? String(error);
const stateOf = (state: { readonly kind: string }): string => ('error' in state ? codeOf(state.error) : state.kind);

const callAs =
  (principal: Principal): Entry =>
  async (host, id) => {
    const outcome = await host.call('echo', { text: 'x' }, { principal, serverId: id });
    return outcome.kind === 'failed' ? outcome.error.code : outcome.kind;
  };
const byName: Entry = async (host, id) => {
  try {
    await runningServer(host.registry, host.registry.labelOf(id), host.ask);
    return 'running';
  } catch (error) {
    return codeOf(error);
  }
};

/** Every way to start a server, or to call one. */
const entries: Readonly<Record<string, { readonly enter: Entry; readonly tells: string }>> = {
  'the window opens': { enter: (host) => host.registry.startApproved().then(() => 'nothing'), tells: 'nothing' },
  'Start in the tree, the palette or a code lens': {
    enter: async (host, id) => stateOf(await host.registry.start(id, { ask: host.ask, signal })),
    tells: 'host.notTrusted',
  },
  Restart: { enter: async (host, id) => stateOf(await host.registry.restart(id, { ask: host.ask, signal })), tells: 'host.notTrusted' },
  'a message in the chat': {
    enter: async (host) => {
      await new StartOffers(host.registry).offer({ message: 'run anything', needsAny: true, ask: host.ask, signal });
      return 'nothing';
    },
    tells: 'nothing',
  },
  'the notification of servers that wait': {
    enter: async (host) => {
      const told: string[] = [];
      await new PermissionOffers({
        servers: () => host.registry.servers().map((server) => ({ ...server, state: { kind: 'stopped', reason: 'needsConsent' } })),
        show: () => Promise.resolve(true),
        start: async (server) => told.push(stateOf(await host.registry.start(server.id, { ask: host.ask, signal }))),
        tellSettled: () => undefined,
      }).offer();
      return told[0] ?? 'nothing';
    },
    tells: 'host.notTrusted',
  },
  'a sign-in that is done, also through a link': {
    enter: async (host, id) => {
      const signedIn = new Emitter<string>();
      const signIns = {
        state: () => Promise.resolve({ kind: 'signedIn' } as never),
        look: () => Promise.resolve(),
        isSignedIn: () => true,
        signOut: () => Promise.resolve({ revoked: true } as never),
        onDidChange: signedIn.event,
      };
      const needy = { ...host.registry.servers()[0], id, state: { kind: 'failed', error: { code: 'host.unauthorized' } } };
      const registry = {
        servers: () => [needy] as never,
        start: host.registry.start.bind(host.registry),
        restart: host.registry.restart.bind(host.registry),
      };
      const servers = new SignedInServers({
        registry,
        signIns,
        onDidChangeKept: new Emitter<void>().event,
        onStartFailed: (error) => assert.fail(String(error)),
        log: silentLog,
      });
      signedIn.fire(id);
      await new Promise(setImmediate);
      servers.dispose();
      return 'nothing';
    },
    tells: 'nothing',
  },
  'a server by its name, for a key, another extension or a task': { enter: byName, tells: 'host.notTrusted' },
  'a call of the chat': { enter: callAs('chat'), tells: 'host.notTrusted' },
  'a call with Run Tool': { enter: callAs('palette'), tells: 'host.notTrusted' },
  'a call of a key or another extension': { enter: callAs('command'), tells: 'host.notTrusted' },
  'a call of a task': { enter: callAs('task'), tells: 'host.notTrusted' },
};

describe('Before the workspace is trusted nothing starts, nothing is asked, and whoever wants it is told to trust it:', () => {
  let host: TestHost;
  let isTrusted: boolean;

  const definition = { command: 'node', args: [scriptedServer, 'normal'] };
  const running = (): readonly string[] => host.registry.servers().flatMap(({ label, state }) => (state.kind === 'stopped' ? [] : [label]));

  beforeEach(async () => {
    isTrusted = true;
    host = await createTestHost({ environment: { isTrusted: () => isTrusted } });
  });
  afterEach(() => host.close());

  for (const [entry, { enter, tells }] of Object.entries(entries)) {
    it(`${entry}, whatever was allowed before`, async () => {
      await host.startScripted();
      await host.call('echo', { text: 'x' });
      await host.registry.stop(host.server('scripted').id);
      await host.configure({ scripted: definition, fresh: definition });
      host.asked.length = 0;
      isTrusted = false;
      for (const label of ['scripted', 'fresh']) {
        assert.equal(await enter(host, host.server(label).id), tells);
      }
      assert.deepEqual([host.asked, running()], [[], []]);
    });
  }

  it('a server that was lost and would come back by itself', async () => {
    await host.startScripted();
    const lost = await host.call('die', {}, { onStart: () => (isTrusted = false) });
    assert.equal(lost.kind, 'failed');
    await host.until(() => stateOf(host.server('scripted').state) === 'host.notTrusted', 'the next try');
  });

  it('a call to a server that runs', async () => {
    await host.startScripted();
    host.asked.length = 0;
    isTrusted = false;
    for (const principal of ['chat', 'palette', 'command', 'task'] as const) {
      assert.equal(await callAs(principal)(host, host.server('scripted').id), 'host.notTrusted');
    }
    assert.deepEqual(host.asked, []);
  });
});

describe('A stored refusal comes before every allow and every question:', () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost();
  });
  afterEach(() => host.close());

  for (const principal of ['chat', 'palette', 'command', 'task'] as const) {
    it(`a call of ${principal}, also when the tool was allowed and when it has changed since`, async () => {
      await host.startScripted();
      // The widest on offer for any call: a task is allowed for the session at most.
      host.answer = ({ choices }) => choices.filter((choice) => choice !== 'allowWhen').at(-1) ?? 'deny';
      await host.call('echo', { text: 'x' }, { principal });
      const allowed = host.ledger.answers().find(({ action }) => action === 'callTool');
      assert.ok(allowed !== undefined);
      const { action, subject, fingerprint, material } = allowed;
      await host.ledger.remember({ principal, action, subject: subject.slice(0, 2), fingerprint, material }, 'deny', 'always');
      host.asked.length = 0;
      assert.deepEqual(await host.call('echo', { text: 'x' }, { principal }), { kind: 'denied', by: 'ledger' });
      assert.deepEqual(await host.call('cancellations', {}, { principal }), { kind: 'denied', by: 'ledger' });
      assert.deepEqual(host.asked, []);
    });
  }

  it('a start, from every entry, also when it was allowed', async () => {
    await host.startScripted();
    await host.registry.stop(host.server('scripted').id);
    const start = host.ledger.answers().find(({ action }) => action === 'startServer');
    assert.ok(start !== undefined);
    await host.ledger.remember(start, 'deny', 'always');
    host.asked.length = 0;
    const { id } = host.server('scripted');
    for (const { enter } of Object.values(entries)) {
      await enter(host, id);
      assert.notEqual(host.server('scripted').state.kind, 'ready');
    }
    assert.deepEqual(host.asked, []);
  });
});
