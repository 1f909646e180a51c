import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Question } from '../../src/contract/questions/questions.ts';
import { bridgeLauncherPath, installBridgeLauncher } from '../../src/server/window/bridgeLauncher.ts';
import { ensureNewNode, ensurePeerProgram } from '../support/peers/peers.mjs';
import { childEnvironment } from '../support/run/childEnvironment.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { buildBridge, type BuiltBridge } from '../unit/bridge/support/bridgePeer.ts';
import { createGateway, type GatewayBench } from '../unit/host/offered/gatewayBench.ts';
import { repositoryRoot, type TestHostOptions } from '../unit/host/support.ts';

/** Installing takes longer than a test may. */
const installMs = 240_000;
const program = (name: string): string => path.join(repositoryRoot, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
const neverAborted = new AbortController().signal;
const document = 'demo://resource/static/document/features.md';

/** The client of the first library, as its fixture gives it. */
interface FirstClient {
  listTools(): Promise<unknown>;
  callTool(params: object): Promise<unknown>;
  readResource(params: object): Promise<unknown>;
  getPrompt(params: object): Promise<unknown>;
  subscribe(uri: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The rows of the table in the README of this folder. */
describe('Other people’s clients use other people’s servers through Duplex', function () {
  this.timeout(60_000);
  let bench: GatewayBench;
  let folder: string;
  let client: Client | undefined;

  before(async () => {
    folder = createTemporaryFolder();
    writeFileSync(path.join(folder, 'note.txt'), 'a note for everybody');
    const features = {
      folders: () => [],
      onDidChangeFolders: () => ({ dispose: () => undefined }),
      samplingModel: { chooseModel: () => Promise.resolve(undefined), complete: () => Promise.reject(new Error('no model')) },
      openExternal: () => Promise.resolve(),
    } as unknown as NonNullable<TestHostOptions['features']>;
    bench = await createGateway({ host: { features }, served: { duplexHome: path.join(folder, 'home') } });
    const { host, offers } = bench;
    host.answer = answerOf;
    await host.configure({
      everything: { command: 'node', args: [program('server-everything'), 'stdio'] },
      files: { command: 'node', args: [program('server-filesystem'), folder] },
    });
    for (const name of ['everything', 'files']) {
      const { id } = host.server(name);
      const state = await host.registry.start(id, { ask: host.ask, signal: neverAborted });
      assert.equal(state.kind, 'ready', JSON.stringify(state));
      await host.registry.features(id).listed;
      await offers.offer(id);
    }
  });
  beforeEach(() => void (bench.host.asked.length = 0));
  afterEach(async () => {
    await client?.close();
    client = undefined;
  });
  after(async () => {
    await bench.close();
    await removeTemporaryFolder(folder);
  });

  function answerOf({ detail, choices }: Question): 'allow' | 'allowAlways' | 'allowOnce' | 'deny' {
    if (detail.kind === 'startServer') {
      return 'allow';
    }
    return detail.kind === 'callTool' ? (choices.includes('allowAlways') ? 'allowAlways' : 'allowOnce') : 'deny';
  }

  const url = (): string => `http://127.0.0.1:${bench.served.port}/mcp`;

  /** What a whole client can do, with both servers. */
  async function useBoth(using: Client, isModern: boolean): Promise<void> {
    // The connect question comes with the first call.
    await using.callTool({ name: 'list_workspace_folders', arguments: {} });
    const names = (await using.listTools()).tools.map(({ name }) => name);
    assert.ok(names.includes('everything__echo') && names.includes('files__read_text_file') && names.includes('get_diagnostics'));

    const text = async (name: string, args: Record<string, unknown> = {}): Promise<string> =>
      JSON.stringify((await using.callTool({ name, arguments: args })).content);
    assert.match(await text('everything__echo', { message: 'through' }), /Echo: through/);
    assert.match(await text('files__read_text_file', { path: path.join(folder, 'note.txt') }), /a note for everybody/);
    assert.match(await text('everything__get-tiny-image'), /"type":"image"/);
    assert.match(await text('everything__get-resource-links', { count: 2 }), /"type":"resource_link"/);
    assert.match(await text('everything__get-resource-reference', { resourceType: 'Text', resourceId: 1 }), /"type":"resource"/);
    const structured = await using.callTool({ name: 'everything__get-structured-content', arguments: { location: 'New York' } });
    assert.ok(typeof structured.structuredContent === 'object', 'the client holds it against the output schema');

    const seen: number[] = [];
    const long = { name: 'everything__trigger-long-running-operation', arguments: { duration: 1, steps: 4 } };
    await using.callTool(long, { onprogress: ({ progress }) => seen.push(progress) });
    assert.ok(seen.length >= 3 && seen.every((value, index) => index === 0 || value > (seen[index - 1] ?? 0)), String(seen));
    const cancel = new AbortController();
    const cancelled = using.callTool(
      { ...long, arguments: { duration: 30, steps: 60 } },
      { signal: cancel.signal, onprogress: () => cancel.abort() },
    );
    await assert.rejects(cancelled);

    assert.ok((await using.listResources()).resources.some(({ uri }) => uri === document));
    const { contents } = await using.readResource({ uri: document });
    assert.match(JSON.stringify(contents), /Everything Server/i);
    const { resourceTemplates } = await using.listResourceTemplates();
    assert.ok(resourceTemplates.some(({ uriTemplate }) => uriTemplate.startsWith('demo://resource/dynamic/text/')));
    assert.match(JSON.stringify(await using.readResource({ uri: 'demo://resource/dynamic/text/7' })), /Resource 7/);

    assert.ok((await using.listPrompts()).prompts.some(({ name }) => name === 'everything__completable-prompt'));
    const prompt = { name: 'everything__completable-prompt', arguments: { department: 'Sales', name: 'Eve' } };
    assert.match(JSON.stringify(await using.getPrompt(prompt)), /promote Eve/);
    const { completion } = await using.complete({
      ref: { type: 'ref/prompt', name: prompt.name },
      argument: { name: 'name', value: '' },
      context: { arguments: { department: 'Sales' } },
    });
    assert.deepEqual(completion.values, ['David', 'Eve', 'Frank']);
    const research = await text('everything__simulate-research-query', { topic: 'gates' });
    assert.match(research, /gates/, 'Duplex follows the task for a client that does not');
    if (!isModern) {
      await using.subscribeResource({ uri: document });
      await using.unsubscribeResource({ uri: document });
    }
    const asked = bench.host.asked.filter(({ detail }) => detail.kind === 'callTool');
    assert.ok(asked.length > 8 && asked.every(({ detail }) => detail.kind === 'callTool' && detail.asker.kind === 'client'));
  }

  for (const [era, mode] of [
    ['2025-11-25', 'legacy'],
    ['2026-07-28', 'auto'],
  ] as const) {
    it(`the official client 2.x at ${era}`, async () => {
      client = new Client({ name: 'official', version: '2.4.0' }, mode === 'auto' ? { versionNegotiation: { mode } } : {});
      const token = bench.served.otherToken();
      await client.connect(new StreamableHTTPClientTransport(new URL(url()), { authProvider: { token: () => Promise.resolve(token) } }));
      assert.equal(client.getNegotiatedProtocolVersion(), era);
      await useBoth(client, mode === 'auto');
    });
  }

  it('the official client 1.x', async () => {
    const library = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/sdk');
    const plan = { library, transport: 'http', url: url(), token: bench.served.otherToken(), name: 'first' };
    const fixture = path.join(repositoryRoot, 'test/fixtures/clients/firstSdk.mjs');
    const { connectFirstSdk } = (await import(pathToFileURL(fixture).href)) as { connectFirstSdk: (plan: object) => Promise<FirstClient> };
    const first = await connectFirstSdk(plan);
    try {
      await first.callTool({ name: 'list_workspace_folders', arguments: {} });
      assert.match(JSON.stringify(await first.listTools()), /everything__echo/);
      assert.match(JSON.stringify(await first.callTool({ name: 'everything__echo', arguments: { message: 'one' } })), /Echo: one/);
      const file = { path: path.join(folder, 'note.txt') };
      assert.match(JSON.stringify(await first.callTool({ name: 'files__read_text_file', arguments: file })), /a note/);
      assert.match(JSON.stringify(await first.readResource({ uri: document })), /Everything Server/i);
      assert.match(JSON.stringify(await first.getPrompt({ name: 'everything__simple-prompt' })), /"user"/);
      await first.subscribe(document);
    } finally {
      await first.close();
    }
  });

  it('a client behind mcp-remote', async function () {
    this.timeout(installMs);
    const [node, remote] = [await ensureNewNode(), await ensurePeerProgram('mcpRemote', 'mcp-remote')];
    const header = `Authorization: Bearer ${bench.served.otherToken()}`;
    client = new Client({ name: 'behind', version: '1.0.0' });
    const env = childEnvironment({ MCP_REMOTE_CONFIG_DIR: folder, PATH: '/nowhere' });
    const args = [remote, url(), '--allow-http', '--transport', 'http-only', '--header', header];
    await client.connect(new StdioClientTransport({ command: node, args, env: env as Record<string, string>, stderr: 'ignore' }));
    await useBoth(client, false);
  });

  it('a client behind the bridge', async function () {
    this.timeout(installMs);
    const bridge: BuiltBridge = await buildBridge();
    try {
      const home = path.join(folder, 'home');
      await installBridgeLauncher(home, { version: '1.2.3', script: bridge.script, runtime: process.execPath });
      client = new Client({ name: 'bridged', version: '1.0.0' });
      const env = { DUPLEX_CLIENT_TOKEN: bench.served.otherToken(), PATH: '/usr/bin:/bin' };
      await client.connect(new StdioClientTransport({ command: bridgeLauncherPath(home), args: [], env, cwd: folder, stderr: 'ignore' }));
      await useBoth(client, false);
      await client.close();
    } finally {
      await bridge.remove();
    }
  });

  describe('on the command line', () => {
    let home: string;
    before(() => void (home = createTemporaryFolder()));
    after(() => removeTemporaryFolder(home));

    const running = async (node: string, args: readonly string[]): Promise<string> => {
      const env = childEnvironment({ HOME: home, MCPC_HOME_DIR: home });
      return (await promisify(execFile)(node, args, { env, timeout: 60_000 })).stdout;
    };

    /** A token whose client is let in already: a command line connects anew with each command. */
    async function knownToken(): Promise<string> {
      const token = bench.served.otherToken();
      await bench.client(token);
      return token;
    }

    it('the Inspector', async function () {
      this.timeout(installMs);
      const [node, inspector] = [await ensureNewNode(), await ensurePeerProgram('inspector', '@modelcontextprotocol/inspector')];
      const header = `Authorization: Bearer ${await knownToken()}`;
      const common = [inspector, '--cli', '--server-url', url(), '--transport', 'http', '--header', header];
      const quiet = ['--protocol-era', 'legacy', '--stored-auth-only', '--format', 'json', '--quiet'];
      const ask = (...args: string[]): Promise<string> => running(node, [...common, ...quiet, ...args]);
      const echo = ['--method', 'tools/call', '--tool-name', 'everything__echo', '--tool-arg', 'message=hi'];
      assert.match(await ask(...echo), /Echo: hi/);
      assert.match(await ask('--method', 'resources/read', '--uri', document), /Everything Server/i);
      assert.match(await ask('--method', 'prompts/get', '--prompt-name', 'everything__simple-prompt'), /user/);
    });

    it('Apify’s mcpc', async function () {
      this.timeout(installMs);
      const mcpc = await ensurePeerProgram('mcpc', '@apify/mcpc');
      const ask = (...args: string[]): Promise<string> => running(process.execPath, [mcpc, '--json', ...args]);
      await ask('connect', url(), '@gate', '--header', `Authorization: Bearer ${await knownToken()}`);
      try {
        assert.match(await ask('@gate', 'tools-call', 'everything__echo', '{"message":"hi"}'), /Echo: hi/);
        assert.match(await ask('@gate', 'tools-call', 'files__list_allowed_directories', '{}'), /Allowed directories/);
        assert.match(await ask('@gate', 'resources-read', document), /Everything Server/i);
        assert.match(await ask('@gate', 'prompts-list'), /everything__simple-prompt/);
      } finally {
        await ask('close', '@gate');
      }
    });
  });
});
