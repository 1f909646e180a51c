import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { deferred } from '../server/support/deferred.ts';
import { allowReader, FakeApproval } from '../server/support/fakePorts.ts';
import { answerOf, isError, textOf, useBridge, type BridgeBench } from './support/bridgeBench.ts';
import type { BridgePeer } from './support/bridgePeer.ts';

const modern = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} } };

describe('The bridge between a host and a window', function () {
  this.timeout(30_000);
  const bench = useBridge();
  const launch: BridgeBench['launch'] = (...start) => bench().launch(...start);
  const openWindow: BridgeBench['openWindow'] = (...window) => bench().openWindow(...window);
  const closeWindow: BridgeBench['closeWindow'] = (window) => bench().closeWindow(window);

  const errorOf = (answer: JsonObject): { code: number; message: string } => answer.error as unknown as { code: number; message: string };

  it('is small and carries no SDK', () => {
    const { bridge } = bench();
    assert.ok(bridge.bytes < 400_000, `${bridge.bytes} bytes`);
    assert.deepEqual(
      bridge.inputs.filter((file) => file.includes('@modelcontextprotocol') || file.includes('src/server')),
      [],
    );
  });

  for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
    it(`relays ${version} to the only window and ends with its host`, async () => {
      const { editor } = await openWindow();
      const peer = launch();
      const opening = await peer.initialize(version);
      assert.equal((opening.result as JsonObject).protocolVersion, version);
      assert.deepEqual(answerOf(await peer.callTool('list_open_editors')), { editors: editor.editors });
      await peer.request('resources/subscribe', { uri: 'diagnostics://workspace' });
      editor.didChangeDiagnostics.fire();
      assert.deepEqual((await peer.notification('notifications/resources/updated')).params, { uri: 'diagnostics://workspace' });
      assert.equal(await peer.close(), 0);
    });
  }

  it('passes 2026-07-28 through untouched, without a handshake', async () => {
    await openWindow();
    const peer = launch();
    const discovered = (await peer.request('server/discover', modern)).result as { supportedVersions: string[] };
    assert.ok(discovered.supportedVersions.includes('2026-07-28'));
    const call = await peer.request('tools/call', { name: 'list_open_editors', arguments: {}, ...modern });
    assert.equal((call.result as JsonObject).resultType, 'complete');
  });

  it('answers everything that was asked before its input ended', async () => {
    const { editor } = await openWindow();
    const peer = launch();
    await peer.initialize();
    const gate = deferred();
    const started = deferred();
    editor.answerDiagnostics = async () => {
      started.resolve();
      await gate.promise;
      return { diagnostics: [], documents: [], settled: true };
    };
    const id = peer.ask('tools/call', { name: 'get_diagnostics', arguments: {} });
    await started.promise;
    const closed = peer.close();
    gate.resolve();
    assert.equal(isError(await peer.answerTo(id)), false);
    assert.equal(await closed, 0);
  });

  it('skips lines that are not JSON, says so, and goes on', async () => {
    await openWindow();
    const peer = launch();
    peer.send('hello');
    peer.send('{"jsonrpc":');
    peer.send('');
    peer.send('['.repeat(10_000));
    assert.ok((await peer.initialize()).result);
    await peer.untilComplaint(/not JSON(?:.*\n.*not JSON){2}/s);
  });

  it('stops at once and cleanly when told to', async () => {
    for (const hasWindow of [false, true]) {
      if (hasWindow) {
        await openWindow();
      }
      const peer = launch();
      await peer.initialize();
      peer.signal('SIGTERM');
      assert.equal(await peer.exited, 0);
    }
  });

  for (const version of ['2024-11-05', '2025-06-18', '2025-11-25']) {
    it(`answers ${version} without a window as the window would, says what to open, and tells when it is there`, async () => {
      const peer = launch();
      const offline = await shapes(peer, version);
      const call = await peer.callTool('list_open_editors');
      assert.equal(isError(call), true);
      assert.match(textOf(call), /No VS Code window with Duplex is open\. Open one/);
      assert.match(errorOf(await peer.request('resources/read', { uri: 'editor://open' })).message, /No VS Code window/);
      const { editor } = await openWindow();
      for (const part of ['tools', 'prompts', 'resources']) {
        await peer.notification(`notifications/${part}/list_changed`);
      }
      assert.deepEqual(answerOf(await peer.callTool('list_open_editors')), { editors: editor.editors });
      assert.deepEqual(offline, await shapes(launch(), version));
    });
  }

  async function shapes(peer: BridgePeer, version: string): Promise<unknown> {
    const opening = (await peer.initialize(version)).result;
    const lists = await Promise.all(
      ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'ping'].map((method) => peer.request(method)),
    );
    return [opening, ...lists.map(({ result }) => result)];
  }

  it('answers 2026-07-28 without a window as the window would', async () => {
    const ask = async (peer: BridgePeer): Promise<unknown> => {
      const methods = ['server/discover', 'tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'skills/list'];
      return (await Promise.all(methods.map((method) => peer.request(method, modern)))).map(({ result }) => result);
    };
    const peer = launch();
    const offline = await ask(peer);
    const call = await peer.request('tools/call', { name: 'list_open_editors', arguments: {}, ...modern });
    assert.deepEqual([isError(call), (call.result as JsonObject).resultType], [true, 'complete']);
    await openWindow();
    assert.deepEqual(offline, await ask(launch()));
  });

  it('without a window, keeps to the rules of the handshake', async () => {
    const peer = launch();
    assert.equal(errorOf(await peer.request('tools/list')).code, -32600);
    assert.equal(errorOf(await peer.request('initialize', { capabilities: {} })).code, -32602);
    assert.equal(((await peer.initialize('1999-01-01')).result as JsonObject).protocolVersion, '2025-11-25');
    assert.equal(errorOf(await peer.request('tools/list', { cursor: 'x' })).code, -32602);
  });

  it('fails what was under way when the window reloads, then takes the conversation up again', async () => {
    const before = await openWindow();
    const peer = launch();
    await peer.initialize();
    await peer.request('resources/subscribe', { uri: 'diagnostics://workspace' });
    const started = deferred();
    before.editor.answerDiagnostics = () => {
      started.resolve();
      return new Promise(() => undefined);
    };
    const id = peer.ask('tools/call', { name: 'get_diagnostics', arguments: {} });
    await started.promise;
    await closeWindow(before);
    const failed = errorOf(await peer.answerTo(id));
    assert.equal(failed.code, -32603);
    assert.match(failed.message, /window closed or reloaded\. What was under way may or may not have been done/);
    const waiting = peer.callTool('list_workspace_folders');
    const after = await openWindow();
    assert.deepEqual(answerOf(await waiting), { folders: after.editor.folders });
    await peer.notification('notifications/tools/list_changed');
    await peer.notification('notifications/resources/list_changed');
    await peer.notification('notifications/resources/updated');
    after.editor.didChangeDiagnostics.fire();
    assert.deepEqual((await peer.notification('notifications/resources/updated')).params, { uri: 'diagnostics://workspace' });
    assert.equal(after.server.clients.snapshot()[0]?.callsItself, 'peer 9');
  });

  it('keeps a subscription across a reload after which the person takes longer to answer than a request waits', async () => {
    const before = await openWindow();
    const peer = launch();
    await peer.initialize();
    await peer.request('resources/subscribe', { uri: 'diagnostics://workspace' });
    await closeWindow(before);
    const after = await openWindow({ approval: new FakeApproval(), timings: { approvalWait: 1 } });
    await peer.notification('notifications/resources/updated');
    // It was asked after the subscription: that is answered when this is.
    assert.equal(isError(await peer.callTool('list_open_editors')), true);
    after.approval.answer(allowReader);
    const updated = { uri: 'diagnostics://workspace' };
    assert.deepEqual((await peer.notification('notifications/resources/updated')).params, updated, 'for what changed until then');
    after.editor.didChangeDiagnostics.fire();
    assert.deepEqual((await peer.notification('notifications/resources/updated')).params, updated);
  });

  it('keeps a subscription of 2026-07-28 across a reload without a second acknowledgement', async () => {
    const before = await openWindow();
    const peer = launch();
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['diagnostics://workspace'] };
    const id = peer.ask('subscriptions/listen', { notifications, ...modern });
    await peer.notification('notifications/subscriptions/acknowledged');
    await closeWindow(before);
    const after = await openWindow();
    const changed = await peer.notification('notifications/tools/list_changed');
    assert.deepEqual((changed.params as JsonObject)._meta, { 'io.modelcontextprotocol/subscriptionId': id });
    await peer.notification('notifications/resources/updated');
    // The window must have heard of the subscription before it has something to tell.
    await peer.request('tools/list', modern);
    after.editor.didChangeDiagnostics.fire();
    await peer.notification('notifications/resources/updated');
    peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    await peer.request('tools/list', modern);
    let second = false;
    void peer.notification('notifications/subscriptions/acknowledged').then(
      () => (second = true),
      () => undefined,
    );
    await peer.request('tools/list', modern);
    assert.equal(second, false);
  });

  it('acknowledges a subscription again whose id the host used before', async () => {
    await openWindow();
    const peer = launch();
    for (let round = 0; round < 2; round += 1) {
      peer.send({ jsonrpc: '2.0', id: 'again', method: 'subscriptions/listen', params: { notifications: {}, ...modern } });
      await peer.notification('notifications/subscriptions/acknowledged');
      peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'again' } });
    }
  });

  it('uses the client token when it has one, and says so when that is not accepted any more', async () => {
    const window = await openWindow();
    const peer = launch([], { DUPLEX_CLIENT_TOKEN: window.otherToken() });
    await peer.initialize();
    assert.equal(isError(await peer.callTool('list_open_editors')), false);
    const [client] = window.server.clients.snapshot();
    assert.equal(client?.credentialKind, 'clientToken');
    const refused = launch([], { DUPLEX_CLIENT_TOKEN: 'revoked' });
    await refused.initialize();
    const call = await refused.callTool('list_open_editors');
    assert.equal(isError(call), true);
    assert.match(textOf(call), /does not accept the token in DUPLEX_CLIENT_TOKEN.*Copy Client Configuration/);
    assert.doesNotMatch(refused.complaints, /revoked\b(?! or)/);
  });

  it('comes back with the new token when the window token is rotated', async () => {
    const window = await openWindow();
    const peer = launch();
    await peer.initialize();
    await peer.callTool('list_open_editors');
    await window.server.rotateWindowToken();
    await peer.notification('notifications/tools/list_changed');
    assert.equal(isError(await peer.callTool('list_open_editors')), false);
    assert.match(peer.complaints, /VS Code ended this connection/);
  });

  it('does not end up in another project while its window reloads', async () => {
    const mine = await openWindow({}, '/projects/mine');
    const peer = launch();
    await peer.initialize();
    await peer.callTool('list_workspace_folders');
    await openWindow({}, '/projects/other');
    await closeWindow(mine);
    // A call that is already on its way to the window fails with it; one sent now waits.
    await peer.untilComplaint(/Requests under way/);
    const call = peer.callTool('list_workspace_folders');
    await openWindow({}, '/projects/mine');
    assert.match(textOf(await call), /projects\/mine/);
  });
});
