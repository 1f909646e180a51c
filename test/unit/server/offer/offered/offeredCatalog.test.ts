import assert from 'node:assert/strict';
import { Emitter } from '../../../../../src/base/events.ts';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { CatalogPart } from '../../../../../src/server/offer/catalog/catalog.ts';
import type { OfferedCall, OfferedServersPort } from '../../../../../src/server/offer/offered/offeredPort.ts';
import { longestBlock } from '../../../../support/longestBlock.ts';
import { policySource } from '../../support/fakePolicy.ts';
import { FakeApproval } from '../../support/fakePorts.ts';
import type { HttpPeer } from '../../support/httpPeer.ts';
import { runServer, type RunningServer } from '../../support/runningServer.ts';

/** Servers that answer every call with its name and arguments, without asking anybody. */
class FakeOffered implements OfferedServersPort {
  readonly #changed = new Emitter<CatalogPart>();
  readonly onDidChange = this.#changed.event;
  readonly calls: OfferedCall[] = [];
  list: 'search' | 'all' = 'search';
  readonly content = noContent;
  #tools: ReturnType<OfferedServersPort['tools']>;

  constructor(count: number, more = '') {
    this.#tools = toolsOf(count, more);
  }

  setCount(count: number): void {
    this.#tools = toolsOf(count);
    this.#changed.fire('tools');
  }

  tools = (): ReturnType<OfferedServersPort['tools']> => this.#tools;
  toolList = (): 'search' | 'all' => this.list;

  async callTool(call: OfferedCall): ReturnType<OfferedServersPort['callTool']> {
    this.calls.push(call);
    const asksEachTime = await call.decide(
      'call',
      async (asked) => asked.asksEachTime,
      () => true,
    );
    const text = JSON.stringify({ name: call.name, arguments: call.arguments, asksEachTime });
    return { kind: 'result', result: { content: [{ type: 'text', text }] } };
  }
}

const noContent: OfferedServersPort['content'] = {
  prompts: () => [],
  resources: () => [],
  templates: () => [],
  serversAt: () => [],
  getPrompt: () => Promise.reject(new Error('there are no prompts')),
  readResource: () => Promise.reject(new Error('there are no resources')),
  allowReading: () => Promise.reject(new Error('there are no resources')),
  changesOf: () => () => ({ dispose: () => undefined }),
  complete: async () => ({ values: [] }),
};

function toolsOf(count: number, more = ''): ReturnType<OfferedServersPort['tools']> {
  return Array.from({ length: count }, (_, index) => {
    const name = `parcels__step_${index}`;
    const description = `Sends parcel number ${index} on its way.${more}`;
    return { name, server: ['parcels'], listing: { name, description, inputSchema: { type: 'object', properties: {} } } };
  });
}

const runner = (): FakeApproval => new FakeApproval({ kind: 'allowed', role: 'runner' });

describe('Tools of servers that the person offers', () => {
  let running: RunningServer;
  afterEach(() => running.close());

  async function letIn(peer: HttpPeer): Promise<HttpPeer> {
    await peer.initialize();
    await peer.callTool('list_workspace_folders');
    return peer;
  }

  async function namesOf(peer: HttpPeer): Promise<readonly string[]> {
    const { json } = await peer.request('tools/list');
    const { tools } = json.result as unknown as { tools: readonly { name: string }[] };
    return tools.map(({ name }) => name).filter((name) => name.includes('__') || name === 'find_tools' || name === 'call_tool');
  }

  const outputOf = ({ json }: { json: JsonObject }): JsonObject => (json.result as { structuredContent: JsonObject }).structuredContent;
  const textOf = ({ json }: { json: JsonObject }): string =>
    (json.result as unknown as { content: readonly { text: string }[] }).content[0]?.text ?? '';

  it('are found and called by two tools when there are more than 40', async () => {
    const offered = new FakeOffered(41);
    running = await runServer({ offered, approval: runner() });
    const peer = await letIn(running.peer(running.otherToken()));
    assert.deepEqual(await namesOf(peer), ['find_tools', 'call_tool']);
    const found = outputOf(await peer.callTool('find_tools', { query: 'step 17' }));
    const [first] = found.tools as unknown as readonly { name: string; inputSchema: object }[];
    assert.deepEqual([first?.name, first?.inputSchema], ['parcels__step_17', { type: 'object', properties: {} }]);
    const answer = await peer.callTool('call_tool', { name: 'parcels__step_17', arguments: { to: 'you' } });
    assert.equal(textOf(answer), '{"name":"parcels__step_17","arguments":{"to":"you"},"asksEachTime":false}');
    assert.deepEqual(running.server.clients.snapshot()[0]?.servers, [{ server: 'parcels', calls: 1, last: 'parcels__step_17' }]);
    const wrong = await peer.callTool('call_tool', { name: 'run_task', arguments: {} });
    assert.match(textOf(wrong), /no such tool/, 'it calls nothing of the editor itself');
  });

  it('are all listed where the person wants that, and when there are no more than 40', async () => {
    const offered = new FakeOffered(40);
    running = await runServer({ offered, approval: runner() });
    const peer = await letIn(running.peer(running.otherToken()));
    assert.equal((await namesOf(peer)).length, 40);
    offered.setCount(60);
    assert.deepEqual(await namesOf(peer), ['find_tools', 'call_tool']);
    offered.list = 'all';
    assert.equal((await namesOf(peer)).length, 60);
  });

  it('cost a client with ten servers no more than 2,000 characters', async () => {
    running = await runServer({ offered: new FakeOffered(500), approval: runner() });
    const peer = await letIn(running.peer(running.otherToken()));
    const { json } = await peer.request('tools/list');
    const { tools } = json.result as unknown as { tools: readonly { name: string }[] };
    const two = tools.filter(({ name }) => name === 'find_tools' || name === 'call_tool');
    assert.ok(JSON.stringify(two).length <= 2_000, String(JSON.stringify(two).length));
  });

  it('are searched without holding others up, whatever is asked for and however a server describes thousands of them', async () => {
    const offered = new FakeOffered(2_000, 'a'.repeat(1_900));
    running = await runServer({ offered, approval: runner() });
    const peer = await letIn(running.peer(running.otherToken()));
    const query = Array.from({ length: 200 }, (_, index) => `aa${index}b`)
      .join(' ')
      .slice(0, 1_000);
    const block = await longestBlock(() => peer.callTool('find_tools', { query }));
    assert.ok(block < 1_000, `${block} ms`);
  });

  it('obey rules about their server, also behind call_tool', async () => {
    const rules = [
      { effect: 'deny', server: 'par*', tool: '*_3' },
      { effect: 'ask', server: 'parcels', tool: '*_4' },
    ];
    running = await runServer({ offered: new FakeOffered(41), approval: runner(), policy: policySource(() => rules) });
    const peer = await letIn(running.peer(running.otherToken()));
    const denied = await peer.callTool('call_tool', { name: 'parcels__step_3' });
    assert.match(textOf(denied), /denied by the person's policy/);
    const found = outputOf(await peer.callTool('find_tools', { query: 'step_3' }));
    assert.ok(!JSON.stringify(found).includes('parcels__step_3"'), 'and find_tools does not name them');
    assert.match(textOf(await peer.callTool('call_tool', { name: 'parcels__step_4' })), /"asksEachTime":true/);
  });

  it('are told only to approved runners, and not to another window of Duplex', async () => {
    const offered = new FakeOffered(2);
    const asked = new FakeApproval();
    running = await runServer({ offered, approval: asked });
    const peer = running.peer(running.otherToken());
    await peer.initialize();
    assert.deepEqual(await namesOf(peer), []);
    const guessed = await peer.callTool('parcels__step_0');
    assert.equal((guessed.json.error as unknown as { message: string }).message, 'Unknown tool: "parcels__step_0"');
    assert.deepEqual([offered.calls.length, asked.asked.length], [0, 0], 'nobody is asked about a guess');
    await running.close();
    running = await runServer({ offered, approval: new FakeApproval({ kind: 'allowed', role: 'editor' }) });
    assert.deepEqual(await namesOf(await letIn(running.peer(running.otherToken()))), []);
    await running.close();
    running = await runServer({ offered, approval: runner() });
    const window = running.peer(running.otherToken());
    const clientInfo = { name: 'duplex', title: 'Duplex', version: '1.0.0' };
    const greeting = await window.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    window.sessionId = greeting.headers['mcp-session-id'] as string;
    await window.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await window.callTool('list_workspace_folders');
    assert.deepEqual(await namesOf(window), []);
  });

  it('are told of when they change, to those alone who see them', async () => {
    const offered = new FakeOffered(1);
    running = await runServer({ offered, approval: runner() });
    const peer = await letIn(running.peer(running.otherToken()));
    const stream = await peer.stream();
    offered.setCount(2);
    assert.equal((JSON.parse((await stream.next())?.data ?? '') as { method: string }).method, 'notifications/tools/list_changed');
  });
});
