import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../../src/base/json.ts';
import { HostRoots } from '../../../src/bridge/hostRoots.ts';
import { Offline } from '../../../src/bridge/offline.ts';
import { Relay } from '../../../src/bridge/relay.ts';
import type { OfflineAnswers } from '../../../src/contract/bridgeFiles.ts';
import { runCore } from '../server/support/runningCore.ts';
import { FakeConnector, FakeLink } from './support/fakeWindow.ts';

const long = 60_000;
const timings = {
  ...{ connect: long, listHold: long, reloadHold: long, twinHold: long, rootsHold: long, callPatience: long },
  ...{ silenceCheck: long, maxSilence: 0, minRetryDelay: 1, maxRetryDelay: 1, restingRetryDelay: 1, shutdownGrace: long },
};

/** What a build records, as far as these tests need it. */
const answers: OfflineAnswers = {
  entries: [],
  revisions: Object.fromEntries(
    ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'].map((revision) => [
      revision,
      { initialize: { rest: { protocolVersion: revision } }, 'tools/list': { rest: { tools: [] } } },
    ]),
  ),
};

const request = (id: unknown, method: string, params: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id: id as string,
  method,
  params,
});
const list = (id: unknown): JsonObject => request(id, 'tools/list');
const call = (id: unknown): JsonObject => request(id, 'tools/call', { name: 'x' });
const cancelled = (requestId: number): JsonObject => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
const initialize = (id: unknown, protocolVersion: string, more: JsonObject = {}): JsonObject =>
  request(id, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' }, ...more });

/** Parts of handshakes that no window accepts. */
const unsound: readonly JsonObject[] = [
  { clientInfo: { name: 'x' } },
  { clientInfo: { name: 'x', version: '1', icons: [{}] } },
  { capabilities: 5 },
  { capabilities: { roots: {}, experimental: { x: true } } },
  { capabilities: { roots: { listChanged: 'yes' } } },
];

describe('Without a window, the bridge', () => {
  let connector: FakeConnector;
  let link: FakeLink;
  let toHost: JsonObject[];
  let relay: Relay;
  let running: Promise<void>;

  beforeEach(() => {
    connector = new FakeConnector();
    link = new FakeLink();
    toHost = [];
    const hear = (text: string): boolean => toHost.push(JSON.parse(text) as JsonObject) > 0;
    relay = new Relay({
      offline: new Offline(answers),
      connector,
      roots: new HostRoots({ toHost: hear, isWanted: true, holdMs: long }),
      toHost: hear,
      readHost: () => undefined,
      complain: () => undefined,
      timings,
    });
    running = relay.run();
  });
  afterEach(async () => {
    relay.stop();
    link.drop();
    connector.answerNow({ kind: 'unavailable', reason: '' });
    await running;
  });

  const say = (message: unknown): void => relay.fromHost(JSON.stringify(message));
  const findNone = (): Promise<void> => connector.findNone('Nothing is open.\n');
  /** What the host was told since it was asked last: by id the error code, or that it was answered. */
  const told = (): unknown[] => toHost.splice(0).map(summaryOf);

  it('answers at once what every window would refuse as no message, and holds the rest', async () => {
    say(initialize(0, '2025-11-25'));
    say({ jsonrpc: '2.0', id: null, method: 'tools/list' });
    say({ jsonrpc: '2.0', id: 9, method: 5 });
    say({ id: 10, method: 'tools/list' });
    say(request(1.5, 'tools/list'));
    say({ jsonrpc: '2.0', id: 11, method: 'tools/list', params: [] });
    say({ jsonrpc: '2.0', id: 12 });
    say(5);
    assert.deepEqual(told(), [
      [null, -32600],
      [9, -32600],
      [10, -32600],
      [null, -32600],
      [11, -32600],
      [12, -32600],
      [null, -32600],
    ]);
    await findNone();
    assert.deepEqual(told(), [[0, 'answered']]);
  });

  it('refuses an id that is still in use, and answers the request that has it once', async () => {
    say(initialize(0, '2025-11-25'));
    say(call(1));
    say(list(1));
    assert.deepEqual(told(), [[1, -32600]]);
    await connector.find(link);
    assert.deepEqual(link.sent, [initialize(0, '2025-11-25'), call(1)]);
    link.drop();
    await turn();
    assert.deepEqual(told(), [
      [0, 'answered'],
      [1, -32603],
    ]);
    say(list(1));
    assert.deepEqual(told(), [[1, 'answered']]);
  });

  it('accepts one handshake, which the next window hears, and the first with sound parameters', async () => {
    await findNone();
    say(initialize(1, '2025-11-25', { clientInfo: { name: 'x' } }));
    say(initialize(2, '2025-11-25', { capabilities: 5 }));
    say(list(3));
    say(initialize(4, '2025-03-26'));
    say(initialize(5, '2025-11-25'));
    say([list(6)]);
    assert.deepEqual(told(), [[1, -32602], [2, -32602], [3, -32600], [4, 'answered'], [5, -32600], [[6, 'answered']]]);
    await connector.find(link);
    assert.deepEqual(
      link.sent.map(({ params }) => (params as JsonObject).protocolVersion),
      ['2025-03-26'],
    );
  });

  it('says what is wrong with a handshake as a window says it', async () => {
    const core = await runCore();
    await findNone();
    for (const more of unsound) {
      const opening = initialize(1, '2025-11-25', more);
      say(opening);
      assert.deepEqual(toHost.splice(0), [(await core.peer().post(opening)).json]);
    }
    await core.close();
  });

  it('takes a handshake in a batch for none, and refuses the batch whole', async () => {
    await findNone();
    say([initialize(1, '2025-03-26'), list(2)]);
    say(list(3));
    say(initialize(4, '2025-03-26'));
    say([initialize(5, '2025-03-26'), list(6)]);
    assert.deepEqual(told(), [
      [null, -32600],
      [3, -32600],
      [4, 'answered'],
      [null, -32600],
    ]);
    await relay.end(); // it does not wait for answers to what was refused
  });

  for (const [version, isRefused] of [
    ['2024-11-05', false],
    ['2025-03-26', false],
    ['2025-06-18', true],
    ['2025-11-25', true],
  ] as const) {
    it(`${isRefused ? 'refuses' : 'answers'} batches once ${version} is negotiated`, async () => {
      say([list(0)]);
      assert.deepEqual(told(), [[null, -32600]], 'before the handshake there are none');
      say(initialize(1, version));
      say([list(2), { ...list(3), id: null }, 'junk', list(2), { jsonrpc: '2.0', method: 'notifications/initialized' }]);
      await findNone();
      const batch = [
        [2, 'answered'],
        [null, -32600],
        [null, -32600],
        [2, -32600],
      ];
      const first = [1, 'answered'];
      assert.deepEqual(told(), isRefused ? [[null, -32600], first] : [first, batch]);
      say([]);
      say(Array.from({ length: 101 }, (_item, index) => list(index)));
      assert.deepEqual(told(), [
        [null, -32600],
        [null, -32600],
      ]);
    });
  }

  it('holds a batch that begins with a cancellation, and the cancellation has its effect', async () => {
    say(initialize(0, '2025-03-26'));
    say(call(1));
    say(call(2));
    say([cancelled(1), list(3)]);
    say([list(4), cancelled(2)]);
    await findNone();
    assert.deepEqual(told(), [[0, 'answered'], [[3, 'answered']], [[4, 'answered']]]);
  });

  it('holds a request that only looks like a cancellation', async () => {
    say(initialize(0, '2025-11-25'));
    say({ ...cancelled(0), id: 1 });
    await findNone();
    assert.deepEqual(told(), [
      [0, 'answered'],
      [1, -32603],
    ]);
  });

  it('sends a window what it refuses itself, and waits for no answer to that', async () => {
    await connector.find(link);
    say(initialize(0, '2025-11-25'));
    link.say({ jsonrpc: '2.0', id: 0, result: {} });
    say([list(1), call(2)]);
    say({ id: 3, method: 'tools/list' });
    assert.equal(link.sent.length, 3);
    told();
    link.drop();
    await turn();
    assert.deepEqual(told(), []);
  });

  for (const more of unsound) {
    it(`leaves a handshake to the window that it would refuse, although the host has roots: ${JSON.stringify(more)}`, async () => {
      const opening = initialize(0, '2025-11-25', { capabilities: { roots: {} }, ...more });
      say(opening);
      assert.deepEqual(told(), []);
      await connector.find(link);
      assert.deepEqual(link.sent, [opening]);
    });
  }

  for (const [how, end] of [
    ['refuses the handshake', () => link.say({ jsonrpc: '2.0', id: 'duplex-bridge-replay-1', error: { code: -32602, message: 'no' } })],
    ['closes instead of answering the handshake', () => undefined],
  ] as const) {
    it(`lets no call wait for a window that ${how}`, async () => {
      say(initialize(0, '2025-11-25', { capabilities: { roots: {} } }));
      assert.deepEqual(told(), [[0, 'answered']]);
      say(call(1));
      await connector.find(link);
      end();
      await turn();
      link.drop();
      await turn();
      assert.match(JSON.stringify(toHost), /did not take up the conversation/);
      assert.deepEqual(told(), [[1, 'answered']]);
    });
  }
});

describe('Without recorded answers, the bridge', () => {
  it('refuses batches by the revision that the host asked for', () => {
    for (const [version, why] of [
      ['2024-11-05', undefined],
      ['2025-03-26', undefined],
      ['2025-06-18', 'batches are not part of this protocol revision'],
    ] as const) {
      const offline = new Offline({ entries: [], revisions: {} });
      const { id, method, params } = initialize(0, version);
      offline.noteHandshake({ id: id as number, method: method as string, params: params as JsonObject });
      assert.equal(offline.problemWithBatch([list(1)]), why, version);
    }
  });
});

function summaryOf(message: JsonObject): unknown {
  if (Array.isArray(message)) {
    return (message as readonly JsonObject[]).map(summaryOf);
  }
  return [message.id, message.error === undefined ? 'answered' : (message.error as JsonObject).code];
}
