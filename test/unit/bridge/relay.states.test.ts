import assert from 'node:assert/strict';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../../src/base/json.ts';
import { HostRoots } from '../../../src/bridge/hostRoots.ts';
import { Offline } from '../../../src/bridge/offline.ts';
import { Relay } from '../../../src/bridge/relay.ts';
import type { BridgeTimings } from '../../../src/bridge/timings.ts';
import { FakeLink, FakeConnector, until } from './support/fakeWindow.ts';

const call = (id: number): JsonObject => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x' } });
const answer = (id: number | string, result: JsonObject = {}): JsonObject => ({ jsonrpc: '2.0', id, result });
const ping = (id: number): JsonObject => ({ jsonrpc: '2.0', id, method: 'ping' });
const initialize: JsonObject = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
const initialized: JsonObject = { jsonrpc: '2.0', method: 'notifications/initialized' };
const replayed: JsonObject = { ...initialize, id: 'duplex-bridge-replay-1' };
const long = 60_000;

describe('A relay', () => {
  let connector: FakeConnector;
  let link: FakeLink;
  let toHost: JsonObject[];
  let complaints: string[];
  let isHostSlow: boolean;
  let isReading: boolean;
  let relay: Relay;
  let running: Promise<void>;
  let isOver: boolean;

  beforeEach(() => start());
  afterEach(async () => {
    relay.stop();
    link.drop();
    await running;
  });

  function start(timings: Partial<BridgeTimings> = {}): void {
    connector = new FakeConnector();
    link = new FakeLink();
    toHost = [];
    complaints = [];
    isHostSlow = false;
    isReading = true;
    isOver = false;
    relay = new Relay({
      offline: new Offline({ entries: [], revisions: {} }),
      connector,
      roots: new HostRoots({ toHost: (text) => toHost.push(JSON.parse(text) as JsonObject), isWanted: true, holdMs: long }),
      toHost: (text) => {
        toHost.push(JSON.parse(text) as JsonObject);
        return !isHostSlow;
      },
      readHost: (isWanted) => (isReading = isWanted),
      complain: (text) => complaints.push(text),
      timings: {
        connect: long,
        listHold: long,
        reloadHold: long,
        twinHold: long,
        rootsHold: long,
        callPatience: long,
        silenceCheck: 1,
        maxSilence: 0,
        minRetryDelay: 1,
        maxRetryDelay: 1,
        restingRetryDelay: 1,
        shutdownGrace: long,
        ...timings,
      },
    });
    running = relay.run().then(() => void (isOver = true));
  }

  async function restart(timings: Partial<BridgeTimings>): Promise<void> {
    relay.stop();
    await running;
    start(timings);
  }

  const ask = (message: JsonObject): void => relay.fromHost(JSON.stringify(message));

  /** A window that has heard and answered the host's handshake. */
  async function serve(): Promise<void> {
    await connector.find(link);
    ask(initialize);
    link.say(answer(0));
    ask(initialized);
    toHost.length = 0;
    link.sent.length = 0;
  }

  /** The window is lost, and the next one hears the handshake again. */
  async function reconnect(): Promise<void> {
    link.drop();
    link = new FakeLink();
    await connector.find(link);
    toHost.length = 0;
  }

  it('keeps what the host asks while a window is looked for, and hands it over in order', async () => {
    ask(call(1));
    ask(call(2));
    assert.deepEqual(toHost, []);
    await connector.find(link);
    assert.deepEqual(link.sent, [call(1), call(2)]);
    link.say(answer(1));
    assert.deepEqual(toHost, [answer(1)]);
  });

  it('answers what it kept when no window is found, and tells the host to look again when one is', async () => {
    ask(ping(1));
    ask(initialized);
    assert.deepEqual(toHost, []);
    await connector.findNone('Nothing is open.\n');
    ask(ping(2));
    assert.deepEqual(toHost.splice(0), [answer(1), answer(2)]);
    await connector.find(link);
    assert.deepEqual(
      toHost.map(({ method }) => method),
      ['tools', 'prompts', 'resources'].map((part) => `notifications/${part}/list_changed`),
    );
  });

  it('says each reason for having no window once', async () => {
    await connector.findNone('One.\n');
    await connector.findNone('One.\n');
    await connector.findNone('Two.\n');
    assert.deepEqual(complaints, ['One.\n', 'Two.\n']);
  });

  it('forgets what the host cancels before there is a window', async () => {
    ask(call(1));
    ask({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    await connector.find(link);
    assert.deepEqual(link.sent, []);
  });

  it('keeps what the host asks while a new window hears the handshake again, of which the host hears nothing', async () => {
    await serve();
    await reconnect();
    ask(call(1));
    assert.deepEqual(link.sent, [replayed]);
    link.say(answer('duplex-bridge-replay-1'));
    await turn();
    assert.deepEqual(link.sent, [replayed, initialized, call(1)]);
    assert.equal(JSON.stringify(toHost).includes('duplex-bridge-replay'), false);
  });

  it('passes on what a window says by itself before it has taken up the conversation', async () => {
    await serve();
    await reconnect();
    const notice = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
    link.say(notice);
    assert.deepEqual(toHost, [notice]);
  });

  it('hands what it kept to the next window when one goes before it has taken up the conversation', async () => {
    await serve();
    await reconnect();
    assert.equal(connector.losses, 1);
    ask(call(1));
    await reconnect();
    assert.equal(connector.losses, 1);
    link.say(answer('duplex-bridge-replay-1'));
    await turn();
    assert.deepEqual(link.sent.slice(-1), [call(1)]);
  });

  it('leaves a window that does not take up the conversation, and looks again', async () => {
    await serve();
    await reconnect();
    ask(call(1));
    const refusing = link;
    refusing.say({ jsonrpc: '2.0', id: 'duplex-bridge-replay-1', error: { code: -32603, message: 'no' } });
    await turn();
    assert.deepEqual([refusing.closes, complaints.at(-1)], [1, 'The VS Code window did not take up the conversation.\n']);
    await reconnect();
    link.say(answer('duplex-bridge-replay-1'));
    await turn();
    assert.deepEqual(link.sent.slice(-1), [call(1)]);
  });

  it('leaves a window that does not answer the handshake in time', async () => {
    await restart({ connect: 1 });
    await serve();
    await reconnect();
    await until(() => link.closes > 0);
    assert.equal(complaints.at(-1), 'The VS Code window did not answer in time.\n');
  });

  it('subscribes again where the person was still being asked, once the list changes, unless the host has left it', async () => {
    await serve();
    const request = (id: number | string, method: string, uri: string): JsonObject => ({ jsonrpc: '2.0', id, method, params: { uri } });
    const refused = (id: string, reason: string): JsonObject => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32603, message: 'no', data: { reason } },
    });
    for (const [id, uri] of ['a:kept', 'a:left', 'a:denied'].entries()) {
      ask(request(id, 'resources/subscribe', uri));
      link.say(answer(id));
    }
    await reconnect();
    link.say(answer('duplex-bridge-replay-1'));
    await turn();
    link.say(refused('duplex-bridge-replay-2', 'waiting'));
    link.say(refused('duplex-bridge-replay-3', 'waiting'));
    link.say(refused('duplex-bridge-replay-4', 'denied'));
    ask(request(9, 'resources/unsubscribe', 'a:left'));
    link.say(answer(9));
    [link.sent.length, toHost.length] = [0, 0];
    const changed = { jsonrpc: '2.0', method: 'notifications/resources/list_changed' };
    link.say(changed);
    link.say(changed);
    assert.deepEqual(link.sent, [request('duplex-bridge-replay-5', 'resources/subscribe', 'a:kept')]);
    link.say(answer('duplex-bridge-replay-5'));
    const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'a:kept' } };
    assert.deepEqual(toHost, [changed, changed, updated]);
  });

  it('fails what was under way when the window goes, and keeps what is asked then', async () => {
    await serve();
    ask(call(1));
    link.drop();
    await turn();
    assert.deepEqual([toHost.map(({ id }) => id), connector.losses], [[1], 1]);
    ask(call(2));
    assert.equal(toHost.length, 1);
  });

  it('leaves a window that lets a call wait while its page does not answer, and says why', async () => {
    await restart({ callPatience: 1 });
    await serve();
    connector.silences = [true, true];
    ask(call(1));
    await until(() => link.closes > 0);
    link.drop();
    await turn();
    assert.deepEqual([toHost.length, toHost[0]?.id, connector.losses], [1, 1, 1]);
    assert.match(JSON.stringify(toHost[0]?.error), /window does not answer.*may or may not have been done.*open another/);
  });

  it('stays with a window whose page was away for less than is forgiven, with calls under way', async () => {
    await restart({ callPatience: 1, maxSilence: long });
    await serve();
    connector.silences = Array.from({ length: 20 }, () => true);
    ask(call(1));
    await until(() => connector.looks > 22);
    link.say(answer(1));
    assert.deepEqual([link.closes, toHost], [0, [answer(1)]]);
  });

  it('leaves a window that was silent during a call for too long, though the call has ended by then', async () => {
    await restart({ callPatience: 1, maxSilence: 30 });
    await serve();
    connector.silences = Array.from({ length: 1_000 }, () => true);
    ask(call(1));
    await until(() => connector.looks > 0);
    link.say(answer(1));
    await until(() => link.closes > 0);
  });

  it('stays with a window that is busy for a moment, however long a call takes', async () => {
    await restart({ callPatience: 1 });
    await serve();
    connector.silences = [true, false, true, false];
    ask(call(1));
    await until(() => connector.looks > 5);
    assert.equal(link.closes, 0);
    link.say(answer(1));
    assert.deepEqual(toHost, [answer(1)]);
  });

  it('asks nothing of a window that owes no answer', async () => {
    await restart({ callPatience: 1 });
    await serve();
    ask(call(1));
    link.say(answer(1));
    const { looks } = connector;
    connector.silences = [true, true];
    await pause(20);
    assert.deepEqual([connector.looks, link.closes], [looks, 0]);
  });

  it('pauses a window that says more than the host reads, also before it serves', async () => {
    isHostSlow = true;
    await serve();
    assert.equal(link.isPaused, true);
    relay.hostDrained();
    assert.equal(link.isPaused, false);
    await reconnect();
    link.say({ jsonrpc: '2.0', method: 'notifications/message' });
    assert.equal(link.isPaused, true);
    relay.hostDrained();
    assert.equal(link.isPaused, false);
    assert.equal(isReading, true);
  });

  it('that is stopped while it looks for a window ends at once, and closes one that is found later', async () => {
    relay.stop();
    relay.stop();
    await running;
    await connector.find(link);
    assert.equal(link.closes, 1);
  });

  it('that is stopped the moment a window is found closes it and ends', async () => {
    connector.answerNow({ kind: 'connected', link });
    relay.stop();
    await running;
    assert.equal(link.closes, 1);
  });

  it('that is stopped while a window hears the handshake closes it and ends with it', async () => {
    await serve();
    await reconnect();
    relay.stop();
    assert.deepEqual([link.closes, isOver], [1, false]);
    link.say(answer('duplex-bridge-replay-1'));
    await turn();
    link.drop();
    await running;
    assert.equal(connector.losses, 1);
  });

  it('that is stopped while it serves passes on the last words of the window and ends with it', async () => {
    await serve();
    ask(call(1));
    relay.stop();
    assert.deepEqual([link.closes, isOver], [1, false]);
    link.say(answer(1));
    link.drop();
    await running;
    assert.deepEqual([toHost, connector.losses], [[answer(1)], 0]);
  });

  it('ends at once with a host that waits for nothing', async () => {
    await serve();
    await relay.end();
    assert.equal(link.closes, 1);
  });

  it('ends with a host that still waits once the answer is there', async () => {
    await serve();
    ask(call(1));
    let hasEnded = false;
    const ending = relay.end().then(() => (hasEnded = true));
    await turn();
    assert.deepEqual([hasEnded, link.closes], [false, 0]);
    link.say(answer(1));
    await ending;
    assert.deepEqual([toHost, link.closes], [[answer(1)], 1]);
  });

  it('ends with a host that waits for an answer which does not come in time', async () => {
    await restart({ shutdownGrace: 1 });
    await serve();
    ask(call(1));
    await relay.end();
    assert.equal(link.closes, 1);
  });

  it('answers what it kept without a window when the host has no more to say and none comes', async () => {
    await restart({ shutdownGrace: 1 });
    ask(call(1));
    await relay.end();
    await running;
    assert.deepEqual(
      toHost.map(({ id }) => id),
      [1],
    );
  });

  it('that is ended and stopped twice closes its window once', async () => {
    await serve();
    ask(call(1));
    const ending = [relay.end(), relay.end()];
    link.say(answer(1));
    await Promise.all(ending);
    relay.stop();
    await relay.end();
    link.drop();
    await running;
    assert.deepEqual([toHost, link.closes], [[answer(1)], 1]);
  });

  it('that is told to stop does not wait for what the host still waits for', async () => {
    await serve();
    ask(call(1));
    const ending = relay.end();
    relay.stop();
    await ending;
    link.drop();
    await running;
    assert.deepEqual(toHost, []);
  });
});
