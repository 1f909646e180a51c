import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RememberedEras } from '../../src/host/shared/eraCache.ts';
import type { ServerSnapshot } from '../../src/host/shared/serverState.ts';
import { startPeer, type PeerProcess } from '../support/peers/peerProcess.mjs';
import { ensurePeer, ensurePeerProgram } from '../support/peers/peers.mjs';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../unit/host/support.ts';

/** Installing takes longer than a test may. */
const installMs = 180_000;
const everything = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

describe('Other people’s remote servers', () => {
  let host: TestHost;
  let peer: PeerProcess | undefined;

  before(async function () {
    this.timeout(installMs);
    await ensurePeer('proxies');
  });
  beforeEach(async () => {
    host = await createTestHost({ ports: { eraCache: new RememberedEras() } });
  });
  afterEach(async () => {
    await host.close();
    await peer?.close();
    peer = undefined;
  });

  async function connect(definition: object): Promise<ServerSnapshot> {
    await host.configure({ peer: definition });
    const state = await host.registry.start(host.server('peer').id, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind, 'ready', JSON.stringify(state));
    await host.registry.features(host.server('peer').id).listed;
    return host.server('peer');
  }

  function startEverything(transport: 'sse' | 'streamableHttp', chosenPort?: number): Promise<PeerProcess> {
    return startPeer((port) => ({ args: [everything, transport], env: { PORT: String(port) } }), chosenPort);
  }

  /** Connects, has all kinds of lists, and calls a tool. */
  async function assertEverythingWorks(definition: object, revision: string): Promise<void> {
    const { id, state, tools, prompts, resources, templates } = await connect(definition);
    assert.ok(state.kind === 'ready');
    assert.equal(state.protocolVersion, revision);
    assert.ok(tools.length >= 10, `${tools.length} tools`);
    assert.ok(prompts.length >= 3, `${prompts.length} prompts`);
    assert.ok(resources.length >= 5, `${resources.length} resources`);
    assert.ok(templates.length >= 1, `${templates.length} templates`);
    assert.equal(textOf(await host.call('echo', { message: 'hello' }, { serverId: id })), 'Echo: hello');
  }

  it('everything is met over Streamable HTTP, and reports progress', async () => {
    peer = await startEverything('streamableHttp');
    await assertEverythingWorks({ type: 'http', url: `http://127.0.0.1:${peer.port}/mcp` }, '2025-11-25');
    const seen: number[] = [];
    const long = await host.call(
      'trigger-long-running-operation',
      { duration: 1, steps: 4 },
      { serverId: host.server('peer').id, onProgress: ({ value }) => void seen.push(value) },
    );
    assert.equal(long.kind, 'result');
    assert.deepEqual(seen.slice(0, 3), [1, 2, 3]);
  });

  it('everything comes back by itself after it was killed and started again (release)', async () => {
    peer = await startEverything('streamableHttp');
    const { port } = peer;
    const { id } = await connect({ type: 'http', url: `http://127.0.0.1:${port}/mcp` });
    const call = host.call('trigger-long-running-operation', { duration: 60, steps: 60 }, { serverId: id, onProgress: () => kill() });
    const kill = (): void => void process.kill(peer?.pid ?? 0, 'SIGKILL');
    assert.equal((await call).kind, 'failed');

    await peer.close();
    peer = await startEverything('streamableHttp', port);
    // The pauses between its tries grow; a slow machine may miss the first ones.
    const deadline = performance.now() + 20_000;
    while (host.server('peer').state.kind !== 'ready' && performance.now() < deadline) {
      await sleep(50);
    }
    assert.equal(textOf(await host.call('echo', { message: 'again' }, { serverId: id })), 'Echo: again');
  });

  it('everything is met over HTTP+SSE, named as such', async () => {
    peer = await startEverything('sse');
    await assertEverythingWorks({ type: 'sse', url: `http://127.0.0.1:${peer.port}/sse` }, '2025-11-25');
  });

  it('everything is met over HTTP+SSE without being told which transport it speaks (release)', async () => {
    peer = await startEverything('sse');
    await assertEverythingWorks({ url: `http://127.0.0.1:${peer.port}/sse` }, '2025-11-25');
  });

  it('mcp-proxy is met at 2026-07-28 (release)', async () => {
    const proxy = await ensurePeerProgram('proxies', 'mcp-proxy');
    peer = await startPeer((port) => ({
      args: [proxy, '--host', '127.0.0.1', '--port', String(port), '--', process.execPath, everything, 'stdio'],
    }));
    await assertEverythingWorks({ url: `http://127.0.0.1:${peer.port}/mcp` }, '2026-07-28');
  });

  it('supergateway is met over a WebSocket (release)', async () => {
    const gateway = await ensurePeerProgram('proxies', 'supergateway');
    const command = `"${process.execPath}" "${everything}" stdio`;
    peer = await startPeer((port) => ({
      args: [gateway, '--stdio', command, '--outputTransport', 'ws', '--port', String(port), '--messagePath', '/message'],
    }));
    await assertEverythingWorks({ type: 'ws', url: `ws://127.0.0.1:${peer.port}/message` }, '2025-11-25');
  });
});
