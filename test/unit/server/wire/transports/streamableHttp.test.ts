import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { deferred, type Deferred } from '../../support/deferred.ts';
import { FakeClock } from '../../../../support/fakeClock.ts';
import { FakeApproval, type FakeEditor } from '../../support/fakePorts.ts';
import { parseEvents } from '../../support/httpPeer.ts';
import { runServer, type RunningServer } from '../../support/runningServer.ts';

/** Holds every diagnostics answer back until the test lets it go. */
function holdDiagnostics(editor: FakeEditor): { readonly started: Deferred; readonly aborted: Deferred; readonly go: Deferred } {
  const held = { started: deferred(), aborted: deferred(), go: deferred() };
  editor.answerDiagnostics = async (_query, signal) => {
    signal.addEventListener('abort', held.aborted.resolve);
    held.started.resolve();
    await held.go.promise;
    return { diagnostics: [], documents: [], settled: true };
  };
  return held;
}

describe('Streamable HTTP', () => {
  let running: RunningServer;
  afterEach(() => running.close());

  it('answers a plain call as JSON', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    const answer = await peer.callTool('list_workspace_folders');
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/json']);
    assert.deepEqual((answer.json.result as JsonObject).structuredContent, { folders: running.editor.folders });
  });

  it('answers by a stream a client that takes only streams', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    const answer = await peer.request('ping', undefined, { accept: 'text/event-stream' });
    assert.deepEqual([answer.headers['content-type'], answer.json.result], ['text/event-stream', {}]);
  });

  it('refuses a client that takes neither JSON nor streams', async () => {
    running = await runServer();
    assert.equal((await running.peer().request('ping', undefined, { accept: 'text/html' })).status, 406);
  });

  it('turns to a stream when progress comes before the answer', async () => {
    const clock = new FakeClock();
    running = await runServer({ clock, approval: new FakeApproval() });
    const peer = running.peer();
    await peer.initialize();
    const answering = peer.callTool('list_open_editors', {}, { _meta: { progressToken: 'p' } });
    await running.approval.untilAsked(1);
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    const events = parseEvents((await answering).text).filter(({ data }) => data !== '');
    const [progress, result] = events.map(({ data }) => JSON.parse(data) as JsonObject);
    assert.deepEqual(progress?.params, { progressToken: 'p', progress: 1, message: 'waiting for approval in VS Code' });
    assert.deepEqual((result?.result as JsonObject).structuredContent, { editors: running.editor.editors });
  });

  it('cancelling a request aborts its work and ends its POST without an answer', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    const held = holdDiagnostics(running.editor);
    const answering = peer.post({
      jsonrpc: '2.0',
      id: 'c',
      method: 'tools/call',
      params: { name: 'get_diagnostics', arguments: { waitMs: 1 } },
    });
    await held.started.promise;
    await peer.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'c' } });
    await held.aborted.promise;
    const answer = await answering;
    assert.deepEqual([answer.status, answer.json], [200, {}]);
    held.go.resolve();
  });

  it('a second GET is refused and the first stream goes on', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    const first = await peer.stream();
    await peer.request('resources/subscribe', { uri: 'workspace://folders' });
    assert.equal((await peer.stream()).status, 409);
    running.editor.didChangeWorkspaceFolders.fire();
    const methods = await untilUpdated(first);
    assert.equal(methods.at(-1), 'notifications/resources/updated');
  });

  it('what was said while no stream was open comes when one opens', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    await peer.request('resources/subscribe', { uri: 'workspace://folders' });
    running.editor.didChangeWorkspaceFolders.fire();
    assert.equal((await untilUpdated(await peer.stream())).at(-1), 'notifications/resources/updated');
  });

  it('Last-Event-ID replays what came after, and takes over a stream that is still open', async () => {
    running = await runServer({ timings: { updateInterval: 0 } });
    const peer = running.peer();
    await peer.initialize();
    await peer.request('resources/subscribe', { uri: 'workspace://folders' });
    const first = await peer.stream();
    running.editor.didChangeWorkspaceFolders.fire();
    running.editor.didChangeWorkspaceFolders.fire();
    const seen = [await first.next(), await first.next(), await first.next()];
    const second = await peer.stream('/mcp', { 'last-event-id': seen[1]?.id });
    assert.deepEqual(await second.next(), seen[2]);
    assert.equal(await first.next(), undefined);
  });

  it('Last-Event-ID takes over a stream on its own place, when all places are taken', async () => {
    running = await runServer({ limits: { streams: 1 } });
    const peer = running.peer();
    await peer.initialize();
    const first = await peer.stream();
    const second = await peer.stream('/mcp', { 'last-event-id': 's_0' });
    assert.deepEqual([first.status, second.status, await first.next()], [200, 200, undefined]);
    assert.equal((await running.peer(running.otherToken()).stream('/sse')).status, 429, 'and it still has no more than one');
  });

  it('the answer of a broken POST stream can be had by Last-Event-ID', async () => {
    running = await runServer({ approval: new FakeApproval() });
    const peer = running.peer();
    await peer.initialize();
    const breaking = running.peer();
    breaking.sessionId = peer.sessionId;
    const call = { name: 'list_open_editors', _meta: { progressToken: 1 } };
    const lost = breaking.request('tools/call', call).catch((error: unknown) => error);
    await running.approval.untilAsked(1);
    // The first POST stream of a session is p1; its priming event is p1_0.
    const resumed = await peer.stream('/mcp', { 'last-event-id': 'p1_0' });
    breaking.close();
    await lost;
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    const messages = [await resumed.nextMessage(), await resumed.nextMessage()];
    assert.equal(messages[0]?.method, 'notifications/progress');
    assert.deepEqual((messages[1]?.result as JsonObject).structuredContent, { editors: running.editor.editors });
    assert.equal(await resumed.next(), undefined);
  });

  it('Last-Event-ID brings back one stream only, and only to the credential that had it', async () => {
    running = await runServer({ approval: new FakeApproval() });
    const peer = running.peer();
    await peer.initialize();
    const call = (progressToken: string): JsonObject => ({ name: 'list_workspace_folders', _meta: { progressToken } });
    const both = [peer.request('tools/call', call('one')), running.peer()] as const;
    both[1].sessionId = peer.sessionId;
    await running.approval.untilAsked(1);
    const second = both[1].request('tools/call', call('two'));
    const stranger = running.peer(running.otherToken());
    stranger.sessionId = peer.sessionId;
    assert.equal((await stranger.stream('/mcp', { 'last-event-id': 'p1_0' })).status, 404);
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    await Promise.all([both[0], second]);
    const replayed = await peer.stream('/mcp', { 'last-event-id': 'p1_0' });
    const tokens: unknown[] = [];
    for (let event = await replayed.next(); event !== undefined; event = await replayed.next()) {
      const { params } = JSON.parse(event.data) as { params?: { progressToken: string } };
      tokens.push(params?.progressToken);
    }
    assert.deepEqual(tokens, ['one', undefined]);
  });

  it('DELETE ends the session and its stream', async () => {
    running = await runServer();
    const peer = running.peer();
    await peer.initialize();
    const stream = await peer.stream();
    const session = { 'mcp-session-id': peer.sessionId };
    assert.equal((await peer.send('DELETE', '/mcp', session)).status, 204);
    assert.equal(await stream.next(), undefined);
    assert.equal((await peer.request('ping')).status, 404);
    assert.deepEqual(running.server.clients.snapshot(), []);
  });

  it('GET and DELETE without a session are 400, with an unknown one 404', async () => {
    running = await runServer();
    const peer = running.peer();
    const statuses: number[] = [];
    for (const method of ['GET', 'DELETE']) {
      for (const id of [undefined, 'nobody']) {
        statuses.push((await peer.send(method, '/mcp', { 'mcp-session-id': id, accept: 'text/event-stream' })).status);
      }
    }
    assert.deepEqual(statuses, [400, 404, 400, 404]);
  });

  it('an idle session ends, one with an open stream does not', async () => {
    const clock = new FakeClock();
    running = await runServer({ clock });
    const [idle, streaming] = [running.peer(), running.peer()];
    await idle.initialize();
    await streaming.initialize();
    await streaming.stream();
    clock.advance(31 * 60_000);
    assert.deepEqual([(await idle.request('ping')).status, (await streaming.request('ping')).status], [404, 200]);
  });

  it('a session becomes idle when its stream or its call ends, and not when that began', async () => {
    const clock = new FakeClock();
    running = await runServer({ clock, limits: { streams: 1 } });
    const [streaming, calling, other] = [running.peer(), running.peer(), running.peer(running.otherToken())];
    await streaming.initialize();
    await calling.initialize();
    const stream = await streaming.stream();
    const held = holdDiagnostics(running.editor);
    const answering = calling.callTool('get_diagnostics', { waitMs: 1 });
    await held.started.promise;
    clock.advance(40 * 60_000);
    held.go.resolve();
    await answering;
    stream.close();
    await until(async () => (await other.stream('/sse')).status === 200); // its place is free: the server knows that it is closed
    clock.advance(60_000);
    const statuses = async (): Promise<number[]> => [(await streaming.request('ping')).status, (await calling.request('ping')).status];
    assert.deepEqual(await statuses(), [200, 200]);
    clock.advance(31 * 60_000);
    assert.deepEqual(await statuses(), [404, 404]);
  });

  it('many idle sessions end in portions, and one that is used again meanwhile stays', async () => {
    const clock = new FakeClock();
    running = await runServer({ clock });
    const tokens = [running.otherToken(), running.otherToken(), running.otherToken()];
    const peers = tokens.flatMap((token) => Array.from({ length: 20 }, () => running.peer(token)));
    for (const peer of peers) {
      await peer.initialize();
    }
    const count = (): number => running.server.clients.snapshot().length;
    await turn();
    clock.advance(31 * 60_000);
    assert.equal(count(), 35);
    clock.advance(-31 * 60_000); // as if they had been used just now
    for (let each = 0; each < 10; each += 1) {
      await turn();
    }
    assert.equal(count(), 35);
    clock.advance(33 * 60_000);
    assert.equal(count(), 10);
  });
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) {
    await turn();
  }
}

async function untilUpdated(stream: { nextMessage(): Promise<JsonObject> }): Promise<unknown[]> {
  const methods: unknown[] = [];
  while (methods.at(-1) !== 'notifications/resources/updated') {
    methods.push((await stream.nextMessage()).method);
  }
  return methods;
}
