import assert from 'node:assert/strict';
import path from 'node:path';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { AppSession } from '../../../../src/host/apps/appSession.ts';
import { AppOpener } from '../../../../src/host/apps/appOpening.ts';
import { AppTools } from '../../../../src/host/apps/appTools.ts';
import { ContentReader } from '../../../../src/host/resources/contentReader.ts';
import type { CallOutcome } from '../../../../src/host/tools/toolCaller.ts';
import { createTestHost, type TestHost } from '../support.ts';

const appServer = path.join(import.meta.dirname, '../../../fixtures/servers/appServer.mjs');
const look = { theme: 'dark', variables: {}, width: 300, timeZone: 'UTC', touch: false, hover: true } as const;
const inputSchema = { type: 'object', properties: { colour: { type: 'string' } } };

describe('The tools that an app offers', () => {
  let host: TestHost;
  let serverId: string;
  let tools: AppTools;
  let listed: readonly object[];
  let called: JsonObject[];
  let told: string[];
  let answer: ((params: JsonObject) => object) | undefined;

  beforeEach(async () => {
    host = await createTestHost();
    await host.configure({ scripted: { command: 'node', args: [appServer] } });
    serverId = host.server('scripted').id;
    await host.registry.start(serverId, { ask: host.ask, signal: new AbortController().signal });
    await host.registry.features(serverId).listed;
    tools = new AppTools();
    listed = [{ name: 'paint', description: 'Paints.\u200b', inputSchema }];
    [called, told] = [[], []];
    answer = () => ({ result: { content: [{ type: 'text', text: 'painted' }], _meta: { a: 1 } } });
  });
  afterEach(() => host.close());

  /** Shows the app, which answers as an app does, and waits until its tools are there. */
  async function show(card: string, more: { readonly isOffering?: boolean; readonly place?: undefined } = {}): Promise<AppSession> {
    const opener = new AppOpener({
      registry: host.registry,
      caller: host.caller,
      reader: new ContentReader(host.registry),
      gate: host.gate,
      openLink: async () => undefined,
      saveFile: async () => true,
      log: () => undefined,
      version: '1.0.0',
      locale: 'en',
      platform: 'desktop',
      tools,
    });
    const opening = await opener.open({
      ...{ serverId, tool: 'draw', uri: 'ui://apps/draw', call: { arguments: {}, result: { content: [] } }, ask: host.ask },
      place: { conversation: 'c', card },
      signal: new AbortController().signal,
      ...more,
    });
    assert.equal(opening.kind, 'opened');
    const give = (message: object): void => session.receive(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const send = (text: string): void => {
      const { id, method = '', params } = JSON.parse(text) as { id?: number; method?: string; params: JsonObject };
      told.push(method);
      if (method === 'tools/list') {
        give({ id, result: { tools: listed } });
      } else if (method === 'tools/call') {
        called.push(params);
        const said = answer?.(params);
        if (said !== undefined) {
          give({ id, ...said });
        }
      } else if (method === 'ui/resource-teardown') {
        give({ id, result: {} });
      }
    };
    const isOffered = more.isOffering !== false && !('place' in more);
    const offered = isOffered ? nextChange() : undefined;
    const session: AppSession = opening.app.begin(look, { mode: 'inline', send, resize: () => undefined, close: () => undefined });
    const appCapabilities = more.isOffering === false ? {} : { tools: { listChanged: true } };
    give({ id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appCapabilities } });
    await new Promise((resolve) => setImmediate(resolve));
    give({ method: 'ui/notifications/initialized' });
    await offered;
    host.asked.length = 0;
    return session;
  }

  function nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const listening = tools.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
  }

  function call(name: string, args: JsonObject, signal = new AbortController().signal): Promise<CallOutcome> {
    const named = tools.named(name);
    assert.ok(named !== undefined);
    return host.caller.call({
      ...{ principal: 'chat', asker: { kind: 'model', name: 'Model' }, serverId: named.serverId, tool: named.tool, app: named.app },
      ...{ arguments: args, ask: host.ask, signal },
    });
  }
  const nameOf = (index: number): string => tools.of('c')[index]?.name ?? '';

  it('are told to the model of its conversation, under names that mean this showing alone', async () => {
    await show('one');
    await show('two');
    const [first, second] = tools.of('c');
    assert.deepEqual([tools.of('c').length, tools.of('other').length], [2, 0]);
    assert.match(first?.name ?? '', /^scripted__app_paint_[0-9a-f]{12}$/);
    assert.notEqual(first?.name, second?.name);
    assert.deepEqual(
      [first?.server, first?.tool, first?.description],
      ['scripted', 'app: paint', '[Offered by the app of this server that is shown now] Paints.⟨U+200B⟩'],
    );
    assert.ok(!host.registry.modelTools().some(({ name }) => name === first?.name), 'no server has it');
  });

  it('are bounded, and those without a name or of the same name are left out', async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({ name: `t${index}${'x'.repeat(200)}`, inputSchema }));
    listed = [
      { description: 'no name' },
      { name: 'huge', description: 'x', inputSchema: { type: 'object', x: 'y'.repeat(30_000) } },
      ...many,
    ];
    await show('one');
    assert.equal(tools.of('c').length, 20);
    assert.ok(tools.of('c').every(({ name }) => name.length <= 64));
    assert.equal(new Set(tools.of('c').map(({ name }) => name)).size, 20);
  });

  it('are called after a question that names the app’s server, and a permission holds for the same page', async () => {
    await show('one');
    host.answer = () => 'allowSession';
    const outcome = await call(nameOf(0), { colour: 'red' });
    assert.deepEqual(outcome.kind === 'result' ? outcome.result.content : outcome, [{ type: 'text', text: 'painted' }]);
    assert.deepEqual(called, [{ name: 'paint', arguments: { colour: 'red' } }]);
    const [question] = host.asked;
    assert.ok(question?.detail.kind === 'callTool');
    const { server, tool, isOfApp, asker, otherTools } = question.detail;
    assert.deepEqual(
      [server, tool, isOfApp, asker, otherTools, question.choices],
      ['scripted', 'paint', true, { kind: 'model', name: 'Model' }, undefined, ['deny', 'denyAlways', 'allowOnce', 'allowSession']],
    );
    const kept = host.ledger.answers().at(-1);
    assert.deepEqual([kept?.principal, kept?.action, kept?.subject], ['chat', 'callTool', ['server', serverId, 'app', 'tool', 'paint']]);
    await call(nameOf(0), { colour: 'blue' });
    assert.equal(host.asked.length, 1, 'it holds for the session');
    await host.call('change');
    await show('two');
    await call(nameOf(1), { colour: 'green' });
    assert.equal(host.asked.at(-1)?.detail.kind, 'callTool', 'another page is asked about again');
  });

  it('are not called when the person refuses', async () => {
    await show('one');
    host.answer = () => 'deny';
    assert.deepEqual(await call(nameOf(0), {}), { kind: 'denied', by: 'person' });
    assert.deepEqual(called, []);
  });

  it('are hidden when the app goes, and a call that waits for it fails', async () => {
    const session = await show('one');
    const name = nameOf(0);
    answer = undefined;
    const held = tools.named(name)?.hold();
    assert.equal(session.isBusy, true, 'it stays awake for a call');
    held?.dispose();
    assert.equal(session.isBusy, false);
    const calling = call(name, {});
    while (called.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(session.isBusy, true);
    session.dispose();
    const outcome = await calling;
    assert.equal(outcome.kind === 'failed' ? outcome.error.code : outcome.kind, 'host.appGone');
    assert.deepEqual([tools.of('c'), tools.named(name)], [[], undefined]);
  });

  it('pass the door of servers: an answer is bounded, a refusal is told, and what is no result is none', async () => {
    await show('one');
    const long = { type: 'text', text: 'x', _meta: { y: 'z'.repeat(100_000) } };
    answer = () => ({ result: { content: [...Array.from({ length: 600 }, () => ({ type: 'text', text: 'a' })), long] } });
    const outcome = await call(nameOf(0), {});
    assert.ok(outcome.kind === 'result' && outcome.result.content.length <= 501);
    answer = () => ({ error: { code: -32_000, message: `no${'!'.repeat(10_000)}` } });
    const refused = await call(nameOf(0), {});
    assert.ok(refused.kind === 'failed' && refused.error.code === 'host.serverError' && refused.error.message.length < 6_000);
    answer = () => ({ result: 'nonsense' });
    const none = await call(nameOf(0), {});
    assert.equal(none.kind === 'failed' ? none.error.code : none.kind, 'host.invalidAnswer');
  });

  it('are asked for anew when the app says that they changed, and the app hears when a call is given up', async () => {
    const session = await show('one');
    listed = [{ name: 'erase', inputSchema }];
    const changed = nextChange();
    session.receive(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
    await changed;
    assert.deepEqual(
      tools.of('c').map(({ tool }) => tool),
      ['app: erase'],
    );
    answer = undefined;
    const stop = new AbortController();
    const calling = call(nameOf(0), {}, stop.signal);
    while (called.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    stop.abort();
    assert.deepEqual(await calling, { kind: 'cancelled' });
    assert.equal(told.at(-1), 'notifications/cancelled');
  });

  it('are not asked for where the app declares none, or where there is no conversation', async () => {
    await show('one', { isOffering: false });
    await show('two', { place: undefined });
    assert.ok(!told.includes('tools/list'));
    assert.deepEqual(tools.of('c'), []);
  });
});
