import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { MessageTransport } from '../../../../../src/base/transport.ts';
import { FakeApproval } from '../../support/fakePorts.ts';
import { initializeParams } from '../../support/httpPeer.ts';
import { runServer, type RunningServer } from '../../support/runningServer.ts';

function ask(link: MessageTransport, message: JsonObject): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    link.onmessage = resolve;
    link.send(message).catch(reject);
  });
}

describe("the chat's in-memory link", () => {
  let running: RunningServer;
  afterEach(() => running.close());

  it('calls tools without a connect question and hands out copies', async () => {
    running = await runServer({ approval: new FakeApproval() });
    const link = running.server.connectInMemory();
    await link.start();
    const opened = await ask(link, { jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-11-25') });
    assert.equal((opened.result as JsonObject).protocolVersion, '2025-11-25');
    const called = await ask(link, { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_workspace_folders' } });
    const output = (called.result as { structuredContent: { folders: unknown[] } }).structuredContent;
    assert.deepEqual(output.folders, running.editor.folders);
    assert.notEqual(output.folders[0], running.editor.folders[0]);
    assert.deepEqual(running.approval.asked, []);
    assert.deepEqual(running.server.clients.snapshot(), [], 'the chat is no outside client');
    await link.close();
  });

  it('outlives the listener and closes with the server', async () => {
    running = await runServer();
    const link = running.server.connectInMemory();
    await link.start();
    await running.server.stop();
    const opened = await ask(link, { jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-11-25') });
    assert.ok(opened.result);
    let closed = 0;
    link.onclose = () => (closed += 1);
    running.server.dispose();
    assert.equal(closed, 1);
    await assert.rejects(link.send({ jsonrpc: '2.0', id: 2, method: 'ping' }), { code: 'server.link.closed' });
  });
});
