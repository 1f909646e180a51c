import assert from 'node:assert/strict';
import path from 'node:path';
import type { JsonObject } from '../../../../src/base/json.ts';
import { awayMs, ChatApps } from '../../../../src/chat/apps/chatApps.ts';
import { chatSentencesInEnglish } from '../../../../src/chat/conversation/chatSentences.ts';
import { Conversation } from '../../../../src/chat/conversation/conversation.ts';
import { OpenQuestions } from '../../../../src/consent/openQuestions.ts';
import { AppOpener, type OpenedApp } from '../../../../src/host/apps/appOpening.ts';
import { ContentReader } from '../../../../src/host/resources/contentReader.ts';
import type { SamplingRequest } from '../../../../src/contract/chat/samplingModel.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { modelSaying } from '../features/sampling/samplingSupport.ts';
import { createTestHost, textOf, type TestHost } from '../support.ts';

const appServer = path.join(import.meta.dirname, '../../../fixtures/servers/appServer.mjs');
const uri = 'ui://apps/draw';
const look = { theme: 'dark', variables: {}, width: 300, timeZone: 'UTC', touch: false, hover: true } as const;

describe('The app of a real server', () => {
  let host: TestHost;
  let serverId: string;
  let opener: AppOpener;
  let links: string[];
  let said: string[];
  let told: string[];
  let saved: string[];
  let noted: string[];
  let models: SamplingRequest[];

  beforeEach(async () => {
    models = [];
    const folders = { folders: () => [], onDidChangeFolders: () => ({ dispose: () => undefined }), openExternal: async () => undefined };
    host = await createTestHost({ features: { ...folders, samplingModel: modelSaying('42', models) } });
    await host.configure({ scripted: { command: 'node', args: [appServer] } });
    serverId = host.server('scripted').id;
    await host.registry.start(serverId, { ask: host.ask, signal: new AbortController().signal });
    await host.registry.features(serverId).listed;
    host.asked.length = 0;
    [links, said, told, saved, noted] = [[], [], [], [], []];
    opener = new AppOpener({
      registry: host.registry,
      caller: host.caller,
      reader: new ContentReader(host.registry),
      gate: host.gate,
      openLink: async (href) => void links.push(href),
      saveFile: async (name, bytes) => saved.push(`${name} ${Buffer.from(bytes).toString('utf8').slice(0, 15)}`) > 0,
      traffic: {
        isOpen: true,
        note: ({ name }, direction, message, channel = '') =>
          void noted.push(`${name} ${channel} ${direction} ${(JSON.parse(String(message)) as { readonly method?: string }).method ?? ''}`),
      },
      log: () => undefined,
      version: '1.0.0',
      locale: 'en',
      platform: 'desktop',
    });
  });
  afterEach(() => host.close());

  const open = (more: object = {}): ReturnType<AppOpener['open']> =>
    opener.open({
      serverId,
      tool: 'draw',
      uri,
      call: { arguments: {}, result: { content: [] } },
      ask: host.ask,
      say: (text) => void said.push(text),
      tellModel: async (text) => void told.push(text),
      signal: new AbortController().signal,
      ...more,
    });

  async function shown(): Promise<{ readonly app: OpenedApp; readonly ask: (method: string, params: object) => Promise<JsonObject> }> {
    const opening = await open();
    assert.equal(opening.kind, 'opened');
    const { app } = opening as { readonly app: OpenedApp };
    const waiting = new Map<unknown, (answer: JsonObject) => void>();
    const session = app.begin(look, {
      send: (text) => {
        const message = JSON.parse(text) as JsonObject;
        waiting.get(message['id'])?.(message);
      },
      resize: () => undefined,
      close: () => undefined,
      mode: 'inline',
    });
    let id = 100;
    const ask = (method: string, params: object): Promise<JsonObject> =>
      new Promise((resolve) => {
        id += 1;
        waiting.set(id, resolve);
        session.receive(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });
    await ask('ui/initialize', { protocolVersion: '2026-01-26' });
    session.receive(JSON.stringify({ jsonrpc: '2.0', method: 'ui/notifications/initialized' }));
    return { app, ask };
  }

  it('is negotiated: the server is told which pages can be shown', async () => {
    const extensions = (JSON.parse(textOf(await host.call('received'))) as JsonObject)['extensions'];
    assert.deepEqual((extensions as JsonObject)['io.modelcontextprotocol/ui'], { mimeTypes: ['text/html;profile=mcp-app'] });
  });

  it('is shown after a question that says who, how large and what it may reach, by what its page declares alone', async () => {
    const { app } = await shown();
    assert.deepEqual(
      host.asked.map(({ detail }) => detail),
      [
        {
          kind: 'showApp',
          server: 'scripted',
          tool: 'draw',
          uri,
          bytes: Buffer.byteLength(app.html),
          reaches: ['https://api.example.com', 'https://*.cdn.example.com'],
          refused: ['http://127.0.0.1:1', 'https://*'],
        },
      ],
    );
    assert.match(app.policy, /connect-src https:\/\/api\.example\.com; frame-src 'none'/);
    assert.doesNotMatch(app.policy, /evil/, 'what the tool declares does not count');
    const kept = host.ledger.answers().find(({ action }) => action === 'showApp');
    assert.equal(kept?.material['policy'], app.policy, 'the answer is kept with the policy');
  });

  it('is asked about again when its page changes, and not while it stays', async () => {
    await shown();
    await open();
    assert.equal(host.asked.length, 1);
    await host.call('change');
    await open();
    assert.deepEqual(
      host.asked.filter(({ detail }) => detail.kind === 'showApp').map(({ why, differences }) => [why, differences]),
      [
        ['new', []],
        ['changed', [{ field: 'page' }]],
      ],
    );
  });

  it('that only slept is shown without a question, unless it has changed or the person has refused it since', async () => {
    host.answer = () => 'allowOnce';
    const { app } = await shown();
    const allowed = app.fingerprint;
    assert.equal((await open({ allowed })).kind, 'opened');
    assert.equal(host.asked.length, 1);
    await host.call('change');
    host.asked.length = 0;
    await open({ allowed });
    assert.equal(host.asked.length, 1, 'another page');
    host.answer = () => 'denyAlways';
    const [again] = [await open()];
    assert.equal(again.kind, 'denied');
    assert.deepEqual(await open({ allowed }), { kind: 'denied', by: 'ledger' });
  });

  it('that slept in a chat is asked about again once the person has taken back what had allowed it for longer', async () => {
    const [conversation, clock, questions] = [new Conversation(), new FakeClock(), new OpenQuestions()];
    const { assistantItemId } = conversation.begin('Draw', () => crypto.randomUUID(), []);
    const call = { state: 'done', arguments: '{}', resultBytes: 0, app: { uri, state: 'new' } } as const;
    conversation.addPart(assistantItemId, {
      kind: 'toolCall',
      id: 'card',
      server: 'scripted',
      serverId,
      tool: 'draw',
      result: [],
      ...call,
    });
    const apps = new ChatApps({
      session: { conversation, questions, send: async () => undefined, onDidOpen: () => ({ dispose: () => undefined }) },
      port: { resultOf: () => undefined, open: (wanted) => opener.open({ ...wanted, ask: host.ask }) },
      tabs: { openTab: () => Promise.reject(new Error('No tab is wanted.')) },
      attach: async () => undefined,
      sentences: chatSentencesInEnglish,
      report: (error) => assert.fail(String(error)),
      clock,
    });
    const sleepAndWake = async (): Promise<number> => {
      apps.view('card', { isSeen: false, hasFocus: false });
      clock.advance(awayMs);
      await new Promise((resolve) => setImmediate(resolve));
      await apps.wake('card');
      return host.asked.length;
    };
    await apps.wake('card');
    const asked = [await sleepAndWake()];
    await host.ledger.revoke(...host.ledger.answers().flatMap(({ id, action }) => (action === 'showApp' ? [id] : [])));
    host.answer = () => 'allowOnce';
    asked.push(await sleepAndWake(), await sleepAndWake(), await sleepAndWake());
    assert.deepEqual(asked, [1, 2, 2, 2], 'what was allowed once holds while it only sleeps');
    [apps, questions, conversation].forEach((each) => each.dispose());
  });

  it('is not shown when the person does not want it, and never when it is no app', async () => {
    host.answer = () => 'deny';
    assert.deepEqual(await open(), { kind: 'denied', by: 'person' });
    host.answer = () => 'denyAlways';
    await open();
    assert.deepEqual(await open(), { kind: 'denied', by: 'ledger' });
    await assert.rejects(open({ uri: 'ui://apps/plain' }), { code: 'host.appType' });
    await assert.rejects(open({ uri: 'ui://apps/none' }));
  });

  it('calls tools of its own server under permissions of its own', async () => {
    const { ask } = await shown();
    assert.deepEqual((await ask('tools/call', { name: 'count' }))['result'], {
      content: [{ type: 'text', text: 'counted 1' }],
      isError: false,
    });
    const question = host.asked.at(-1);
    assert.deepEqual(question?.detail.kind === 'callTool' ? question.detail.asker : undefined, { kind: 'app', name: 'scripted' });
    assert.deepEqual(
      host.ledger.answers().map(({ principal, action }) => [principal, action]),
      [
        ['host', 'startServer'],
        [`app:${serverId}`, 'showApp'],
        [`app:${serverId}`, 'callTool'],
      ],
    );
    for (const name of ['plain', 'none']) {
      assert.equal(((await ask('tools/call', { name }))['error'] as JsonObject)['code'], -32_602, name);
    }
  });

  it('reads at its own server only, and a resource that is not there is a wrong parameter', async () => {
    const { ask } = await shown();
    const read = (await ask('resources/read', { uri }))['result'] as { readonly contents: readonly JsonObject[] };
    assert.equal(read.contents[0]?.['mimeType'], 'text/html;profile=mcp-app');
    assert.equal(((await ask('resources/read', { uri: 'file:///etc/passwd' }))['error'] as JsonObject)['code'], -32_602);
  });

  it('opens a link and sends a message only after the person has seen it, each time', async () => {
    const { ask } = await shown();
    host.answer = () => 'allowOnce';
    await ask('ui/open-link', { url: 'https://a.example/x' });
    await ask('ui/message', { role: 'user', content: [{ type: 'text', text: 'hello\u200b' }] });
    await ask('ui/open-link', { url: 'https://a.example/x' });
    assert.deepEqual([links, said], [['https://a.example/x', 'https://a.example/x'], ['hello⟨U+200B⟩']]);
    assert.deepEqual(
      host.asked.flatMap(({ detail, choices }) => (detail.kind === 'appAct' ? [[detail.what.kind, choices]] : [])),
      ['openLink', 'message', 'openLink'].map((kind) => [kind, ['deny', 'denyAlways', 'allowOnce']]),
    );
  });

  it('tells the model something after a question that can hold for the session; taking it back needs none', async () => {
    const { ask } = await shown();
    host.answer = () => 'allowSession';
    for (const text of ['one', 'two']) {
      assert.deepEqual((await ask('ui/update-model-context', { content: [{ type: 'text', text }] }))['result'], {});
    }
    await ask('ui/update-model-context', {});
    assert.deepEqual(told, ['one', 'two', '']);
    assert.deepEqual(
      host.asked.flatMap(({ detail, choices }) => (detail.kind === 'appAct' ? [[detail.what, choices]] : [])),
      [[{ kind: 'tellModel', text: 'one' }, ['deny', 'denyAlways', 'allowOnce', 'allowSession']]],
    );
  });

  it('saves files after a question that names them: its own, and those of its server, which are read first', async () => {
    const { ask } = await shown();
    host.answer = () => 'allowOnce';
    const contents = [
      { type: 'resource', resource: { uri: 'file:///../a.csv', text: 'a,b' } },
      { type: 'resource_link', uri, name: 'page.html' },
    ];
    assert.deepEqual((await ask('ui/download-file', { contents }))['result'], {});
    assert.deepEqual(saved, ['a.csv a,b', 'page.html <!DOCTYPE html>']);
    const question = host.asked.at(-1)?.detail;
    assert.deepEqual(
      question?.kind === 'appAct' && question.what.kind === 'download' ? question.what.files.map(({ name }) => name) : undefined,
      ['a.csv', 'page.html'],
    );
    const elsewhere = { contents: [{ type: 'resource_link', uri: 'https://a.example/x', name: 'x' }] };
    assert.equal(((await ask('ui/download-file', elsewhere))['error'] as JsonObject)['code'], -32_602);
    host.answer = () => 'deny';
    assert.deepEqual((await ask('ui/download-file', { contents: contents.slice(0, 1) }))['result'], { isError: true });
    assert.equal(saved.length, 2);
  });

  it('asks the person’s model through the same review as its server, under permissions of its own', async () => {
    const { ask } = await shown();
    host.answer = () => 'allowOnce';
    const params = {
      messages: [{ role: 'user', content: { type: 'text', text: 'How many?' } }],
      maxTokens: 10,
      includeContext: 'allServers',
    };
    const answer = (await ask('sampling/createMessage', params))['result'] as JsonObject;
    assert.deepEqual([answer['role'], answer['content']], ['assistant', { type: 'text', text: '42' }]);
    assert.deepEqual(
      host.asked.slice(1).map(({ detail }) => [detail.kind, detail.kind === 'sampling' ? detail.app : undefined]),
      [
        ['sampling', 'draw'],
        ['samplingResponse', undefined],
      ],
    );
    assert.equal(models.length, 1);
    assert.equal(((await ask('sampling/createMessage', { messages: 'x' }))['error'] as JsonObject)['code'], -32_602);
    host.answer = () => 'denyAlways';
    assert.equal(((await ask('sampling/createMessage', params))['error'] as JsonObject)['code'], -1);
    const refusal = host.ledger.answers().find(({ action }) => action === 'useModel');
    assert.deepEqual([refusal?.principal, refusal?.subject], [`app:${serverId}`, ['server', serverId, 'app', 'sampling']]);
    assert.equal(models.length, 1);
  });

  it('speaks in the sight of Traffic, each showing for itself', async () => {
    await shown();
    await shown();
    assert.deepEqual(
      noted.filter((line) => line.includes('ui/initialize')),
      ['scripted app 1 received ui/initialize', 'scripted app 2 received ui/initialize'],
    );
    assert.ok(noted.includes('scripted app 2 sent ui/notifications/tool-result'));
  });

  it('asks no more after three refusals in a row', async () => {
    const { ask } = await shown();
    host.answer = () => 'deny';
    const codes: unknown[] = [];
    for (let times = 0; times < 5; times += 1) {
      const { error, result } = await ask('ui/open-link', { url: `https://a.example/${times}` });
      codes.push(error === undefined ? result : (error as JsonObject)['code']);
    }
    assert.equal(host.asked.filter(({ detail }) => detail.kind === 'appAct').length, 3);
    assert.deepEqual(codes.slice(3), [-32_000, -32_000]);
    assert.deepEqual(links, []);
  });

  it('has tools that no model sees or calls', async () => {
    assert.deepEqual(
      host.registry.modelTools().map(({ tool }) => tool),
      ['draw', 'plain', 'older', 'change', 'received'],
    );
    const outcome = await host.call('count');
    assert.equal(outcome.kind === 'failed' ? outcome.error.code : outcome.kind, 'host.unknownTool');
  });
});
