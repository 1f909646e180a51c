import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ChildProcess } from 'node:child_process';
import type { JsonObject } from '../../src/base/json.ts';
import { ensureNewNode, ensurePeerProgram } from '../support/peers/peers.mjs';
import { childEnvironment } from '../support/run/childEnvironment.mjs';
import { endProcessTree, spawnProcessTree } from '../support/run/processTree.mjs';
import { nextOf, pairingCodeOf } from '../unit/server/oauth/oauthClient.ts';
import { FakeApproval } from '../unit/server/support/fakePorts.ts';
import { runServer, type RunningServer } from '../unit/server/support/runningServer.ts';

/** Installing takes longer than a test may. */
const installMs = 180_000;

/** mcp-remote as a host launches it: JSON-RPC over stdio, and an address for the browser among what it says. */
class McpRemote {
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (answer: JsonObject) => void>();
  readonly addressForBrowser: Promise<string>;
  #nextId = 0;
  said = '';

  constructor(node: string, program: string, args: readonly string[], configFolder: string) {
    const env = childEnvironment({ MCP_REMOTE_CONFIG_DIR: configFolder, PATH: '/nowhere' });
    this.#child = spawnProcessTree(node, [program, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.addressForBrowser = new Promise((resolve) => {
      this.#child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
        this.said += chunk;
        const address = /https?:\/\/\S+\/authorize\?\S+/.exec(this.said)?.[0];
        if (address !== undefined) {
          resolve(address);
        }
      });
    });
    if (this.#child.stdout !== null) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        const message = JSON.parse(line) as JsonObject;
        this.#answers.get(Number(message.id))?.(message);
      });
    }
  }

  request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = (this.#nextId += 1);
    const answer = new Promise<JsonObject>((resolve) => this.#answers.set(id, resolve));
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  }

  notify(method: string): void {
    this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  }

  async close(): Promise<void> {
    const { pid, exitCode } = this.#child;
    const exited = exitCode === null ? once(this.#child, 'exit') : undefined;
    assert.ok(pid !== undefined);
    await endProcessTree(pid);
    await exited;
    this.#child.stdin?.destroy();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }
}

/** What a browser does with the page: shows it, and goes where it says. */
async function browse(address: string, onPairingCode: (code: string | undefined) => void): Promise<Response> {
  let shown = false;
  let url = address;
  for (;;) {
    const response = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
    const location = response.headers.get('location');
    if (location !== null) {
      return fetch(location);
    }
    const text = await response.text();
    const page = { status: response.status, headers: {}, text, json: {} };
    if (!shown) {
      shown = true;
      onPairingCode(pairingCodeOf(page));
    }
    url = new URL(nextOf(page), address).href;
  }
}

describe('mcp-remote against the embedded server', () => {
  let program: string;
  let node: string;
  let running: RunningServer;
  let remote: McpRemote;
  let configFolder: string;

  before(async function () {
    this.timeout(installMs);
    program = await ensurePeerProgram('mcpRemote', 'mcp-remote');
    node = await ensureNewNode();
  });
  beforeEach(async () => {
    configFolder = await mkdtemp(join(tmpdir(), 'duplex-mcp-remote-'));
    running = await runServer({ approval: new FakeApproval() });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      console.log(remote.said);
    }
    await remote.close();
    await running.close();
    await rm(configFolder, { recursive: true, force: true });
  });

  async function signIn(): Promise<void> {
    const address = await remote.addressForBrowser;
    let shown: string | undefined;
    const arrived = browse(address, (code) => (shown = code));
    await running.approval.untilAsked(1);
    const [question] = running.approval.asked;
    assert.deepEqual([question?.credentialKind, question?.roles], ['oauth', ['reader', 'editor', 'runner']]);
    while (shown === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(question?.pairingCode, shown);
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    assert.equal((await arrived).status, 200);
  }

  async function useTools(): Promise<void> {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } };
    const initialized = remote.request('initialize', params);
    await signIn();
    assert.deepEqual(((await initialized).result as JsonObject | undefined)?.serverInfo, {
      name: 'duplex',
      title: 'Duplex',
      version: '1.2.3',
    });
    remote.notify('notifications/initialized');
    const { tools } = (await remote.request('tools/list')).result as { tools: readonly { name: string }[] };
    assert.ok(tools.some(({ name }) => name === 'list_open_editors'));
    const called = remote.request('tools/call', { name: 'list_open_editors', arguments: {} });
    // The answer in the browser was the sign-in's; a stand-in person remembers nothing and is asked again.
    await running.approval.untilAsked(2);
    running.approval.answer({ kind: 'allowed', role: 'reader' });
    const { structuredContent } = (await called).result as JsonObject;
    assert.deepEqual(structuredContent, { editors: running.editor.editors });
    const kinds = running.server.clients.snapshot().map(({ credentialKind }) => credentialKind);
    assert.ok(kinds.length > 0 && kinds.every((kind) => kind === 'oauth'), kinds.join());
  }

  const ways: readonly (readonly [string, string, readonly string[]])[] = [
    ['Streamable HTTP', '/mcp', ['--transport', 'http-only']],
    ['Streamable HTTP under the name localhost', '/mcp', []],
    ['HTTP+SSE', '/sse', ['--transport', 'sse-only']],
  ];
  for (const [name, path, args] of ways) {
    it(`connects by browser and pairing code over ${name}, without a copied token`, async function () {
      this.timeout(60_000);
      const host = name.endsWith('localhost') ? 'localhost' : '127.0.0.1';
      remote = new McpRemote(node, program, [`http://${host}:${running.port}${path}`, '--allow-http', ...args], configFolder);
      await useTools();
    });
  }
});
