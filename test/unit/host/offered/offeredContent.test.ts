import assert from 'node:assert/strict';
import * as path from 'node:path';
import { Emitter } from '../../../../src/base/events.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { AuditLog, AuditRecord } from '../../../../src/consent/audit/auditLog.ts';
import { createGateway, type GatewayBench } from './gatewayBench.ts';
import { policySource } from '../../server/support/fakePolicy.ts';
import { modernHeaders } from '../../server/support/modernLinks.ts';
import { modern } from '../../server/support/modernRules.ts';
import type { HttpPeer } from '../../server/support/httpPeer.ts';
import { repositoryRoot, type TestHostOptions } from '../support.ts';

const featuresServer = path.join(repositoryRoot, 'test/fixtures/servers/featuresServer.mjs');
const neverAborted = new AbortController().signal;

describe('Prompts and resources of servers that the person offers', () => {
  let bench: GatewayBench;
  let rules: object[] = [];
  let changePolicy: () => void = () => undefined;
  const records: AuditRecord[] = [];
  /** What happens just when something is recorded. */
  let onRecord: (record: AuditRecord) => void = () => undefined;
  const note = (record: AuditRecord): void => {
    records.push(record);
    onRecord(record);
  };
  const audit = { write: async (record: AuditRecord) => note(record), note, demandWritable: async () => undefined };
  const features = {
    folders: () => [{ name: 'work', path: '/work' }],
    onDidChangeFolders: () => ({ dispose: () => undefined }),
    samplingModel: { chooseModel: () => Promise.resolve(undefined), complete: () => Promise.reject(new Error('no model')) },
    openExternal: () => Promise.resolve(),
  } as unknown as NonNullable<TestHostOptions['features']>;

  before(async () => {
    const changed = new Emitter<void>();
    const policy = policySource(() => rules, changed.event);
    changePolicy = () => changed.fire();
    bench = await createGateway({ host: { features, audit: audit as unknown as AuditLog }, served: { records: audit, policy } });
    await configure('features');
  });
  beforeEach(() => {
    bench.host.asked.length = 0;
    bench.host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowOnce');
    records.length = 0;
    onRecord = () => undefined;
  });
  after(() => bench.close());

  async function configure(...names: readonly string[]): Promise<void> {
    const { host, offers } = bench;
    await host.configure(Object.fromEntries(names.map((name) => [name, { command: 'node', args: [featuresServer] }])));
    for (const name of names) {
      const { id } = host.server(name);
      await host.registry.start(id, { ask: host.ask, signal: neverAborted });
      await host.registry.features(id).listed;
      await offers.offer(id);
    }
    host.asked.length = 0;
  }

  async function listOf(peer: HttpPeer, list: 'prompts' | 'resources' | 'resourceTemplates', key: string): Promise<readonly unknown[]> {
    const { json } = await peer.request(list === 'resourceTemplates' ? 'resources/templates/list' : `${list}/list`);
    return ((json.result as JsonObject)[list] as unknown as readonly JsonObject[]).map((each) => each[key]);
  }

  const errorOf = ({ json }: { readonly json: JsonObject }): { code: number; message: string; data?: JsonObject } =>
    json.error as unknown as { code: number; message: string; data?: JsonObject };
  const read = (peer: HttpPeer, uri: string): ReturnType<HttpPeer['request']> => peer.request('resources/read', { uri });
  const contentsOf = ({ json }: { readonly json: JsonObject }): readonly JsonObject[] =>
    (json.result as unknown as { contents: readonly JsonObject[] }).contents;

  it('are listed beside the editor’s own, with the name of the server', async () => {
    const peer = await bench.client();
    const { json } = await peer.request('prompts/list');
    const first = (json.result as unknown as { prompts: readonly JsonObject[] }).prompts.find(({ name }) => name === 'features__first');
    assert.deepEqual(first, {
      name: 'features__first',
      description: '[Server “features”]',
      arguments: [
        { name: 'who', description: '', required: true },
        { name: 'why', description: '', required: false },
      ],
    });
    assert.ok((await listOf(peer, 'prompts', 'name')).includes('explain_selection'));
    const uris = await listOf(peer, 'resources', 'uri');
    assert.ok(uris.includes('test://first') && uris.includes('editor://open'), String(uris));
    assert.ok((await listOf(peer, 'resourceTemplates', 'uriTemplate')).includes('test://{name}'));
  });

  it('are not told to a client that is not let in', async () => {
    const peer = bench.served.peer(bench.served.otherToken());
    await peer.initialize();
    assert.ok(!(await listOf(peer, 'prompts', 'name')).some((name) => String(name).includes('__')));
    assert.ok(!(await listOf(peer, 'resources', 'uri')).some((uri) => String(uri).startsWith('test:')));
    assert.ok(!(await listOf(peer, 'resourceTemplates', 'uriTemplate')).some((uri) => String(uri).startsWith('test:')));
    assert.match(errorOf(await peer.request('prompts/get', { name: 'features__first' })).message, /Unknown prompt/);
    assert.equal(errorOf(await read(peer, 'test://first')).code, -32_002);
    assert.deepEqual(bench.host.asked, []);
  });

  it('a prompt is got after a question that names client, server, prompt and arguments', async () => {
    const peer = await bench.client();
    const { json } = await peer.request('prompts/get', { name: 'features__first', arguments: { who: 'Ada' } });
    assert.deepEqual(json.result, {
      description: 'About first',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }],
    });
    const [{ detail, choices } = { detail: undefined, choices: [] }] = bench.host.asked;
    assert.ok(detail?.kind === 'callTool' && detail.asker.kind === 'client');
    const { tool, server, isPrompt, arguments: args } = detail;
    assert.deepEqual({ tool, server, isPrompt, args }, { tool: 'first', server: 'features', isPrompt: true, args: '{\n  "who": "Ada"\n}' });
    assert.equal(choices.length, 6);
    const got = records.filter(({ action }) => action === 'getPrompt');
    assert.deepEqual(
      got.map(({ peer: who, subject, outcome, decidedBy }) => [who, subject, outcome, decidedBy]),
      [
        ['features', 'first', 'started', 'person'],
        ['features', 'first', 'succeeded', 'person'],
      ],
    );
    assert.ok(got.every(({ principal }) => principal === `client:${detail.asker.kind === 'client' ? detail.asker.credentialId : ''}`));
    const used = bench.served.server.clients.snapshot().flatMap(({ servers = [] }) => servers);
    assert.deepEqual(used.at(-1), { server: 'features', calls: 1, last: 'prompts/get' });
  });

  it('a resource is read at its own address; one answer can hold for all that the server lists', async () => {
    const peer = await bench.client();
    bench.host.answer = () => 'allowAlways';
    const contents = contentsOf(await read(peer, 'test://first'));
    assert.deepEqual(
      contents.map(({ uri, mimeType, blob }) => [uri, mimeType, blob]),
      [
        ['test://first', undefined, undefined],
        ['test://first', 'image/png', 'AAAA'],
      ],
    );
    await read(peer, 'test://second');
    assert.equal(bench.host.asked.length, 1);
    const [{ detail } = { detail: undefined }] = bench.host.asked;
    assert.ok(detail?.kind === 'callTool' && detail.reads === 'listed');
    const reads = records.filter(({ action }) => action === 'readResource');
    assert.deepEqual(
      reads.map(({ peer: who, subject, outcome, decidedBy }) => [who, subject, outcome, decidedBy]),
      [
        ['features', 'test://first', 'started', 'person'],
        ['features', 'test://first', 'succeeded', 'person'],
        ['features', 'test://second', 'started', 'remembered'],
        ['features', 'test://second', 'succeeded', 'remembered'],
      ],
    );
    await read(peer, 'test://else');
    const pattern = bench.host.asked[1]?.detail;
    assert.ok(pattern?.kind === 'callTool' && pattern.reads === 'pattern', 'an address of a pattern is the client’s own text');
  });

  it('are refused with the reason when the person or the policy denies', async () => {
    const peer = await bench.client();
    bench.host.answer = () => 'deny';
    const denied = errorOf(await read(peer, 'test://first'));
    assert.deepEqual([denied.code, denied.message, denied.data], [-32_603, 'denied by the person in VS Code', { reason: 'denied' }]);
    const prompt = errorOf(await peer.request('prompts/get', { name: 'features__first', arguments: { who: 'x' } }));
    assert.deepEqual([prompt.code, prompt.data], [-32_603, { reason: 'denied' }]);
    rules = [{ effect: 'deny', server: 'feat*' }];
    changePolicy();
    assert.equal(errorOf(await read(peer, 'test://first')).data?.reason, 'policy');
    assert.ok(!(await listOf(peer, 'resources', 'uri')).includes('test://first'));
    assert.ok(!(await listOf(peer, 'prompts', 'name')).includes('features__first'));
    rules = [{ effect: 'ask', server: 'features' }];
    changePolicy();
    bench.host.answer = () => 'allowOnce';
    await read(peer, 'test://first');
    assert.deepEqual(bench.host.asked.at(-1)?.choices, ['deny', 'allowOnce']);
    rules = [];
    changePolicy();
  });

  it('a session of the window token is given nothing beyond that session', async () => {
    const peer = await bench.client(bench.served.token);
    bench.host.answer = () => 'allowSession';
    await read(peer, 'test://first');
    await read(peer, 'test://first');
    assert.deepEqual([bench.host.asked.length, bench.host.asked[0]?.choices], [1, ['deny', 'allowOnce', 'allowSession']]);
    await read(await bench.client(bench.served.token), 'test://first');
    assert.equal(bench.host.asked.length, 2);
  });

  it('an argument is completed once the prompt is allowed for longer, and nobody is asked about what is typed', async () => {
    const peer = await bench.client();
    const complete = async (ref: JsonObject): Promise<unknown> => {
      const { json } = await peer.request('completion/complete', { ref, argument: { name: 'who', value: 'A' } });
      return (json.result as unknown as { completion: { values: readonly string[] } }).completion.values;
    };
    const ref = { type: 'ref/prompt', name: 'features__second' };
    assert.deepEqual(await complete(ref), []);
    bench.host.answer = () => 'allowSession';
    await peer.request('prompts/get', { name: 'features__second', arguments: { who: 'Ada' } });
    assert.deepEqual(await complete(ref), ['[{"type":"ref/prompt","name":"second"},{"name":"who","value":"A"},null]']);
    const template = { type: 'ref/resource', uri: 'test://{name}' };
    assert.deepEqual(await complete(template), []);
    await read(peer, 'test://elsewhere');
    assert.deepEqual(await complete(template), ['[{"type":"ref/resource","uri":"test://{name}"},{"name":"who","value":"A"},null]']);
    assert.equal(bench.host.asked.length, 2);
  });

  it('a subscription is asked about, and tells of changes until the server is not offered any more', async () => {
    const peer = await bench.client();
    bench.host.answer = ({ detail }) => (detail.kind === 'callTool' && detail.reads !== undefined ? 'deny' : 'allowSession');
    assert.equal(errorOf(await peer.request('resources/subscribe', { uri: 'test://first' })).data?.reason, 'denied');
    bench.host.answer = () => 'allowSession';
    const stream = await peer.stream();
    await peer.request('resources/subscribe', { uri: 'test://first' });
    await peer.callTool('features__notify', { method: 'notifications/resources/updated', params: { uri: 'test://second' } });
    await peer.callTool('features__notify', { method: 'notifications/resources/updated', params: { uri: 'test://first' } });
    const next = async (): Promise<JsonObject> => JSON.parse((await stream.next())?.data ?? '') as JsonObject;
    let told = await next();
    while (told.method !== 'notifications/resources/updated') {
      told = await next();
    }
    assert.deepEqual(told.params, { uri: 'test://first' });
    await peer.callTool('features__change');
    const lists = new Set<unknown>();
    while (lists.size < 2) {
      lists.add((await next()).method);
    }
    assert.deepEqual([...lists].toSorted(), ['notifications/prompts/list_changed', 'notifications/resources/list_changed']);
    assert.ok((await listOf(peer, 'prompts', 'name')).includes('features__third'));
    const { id } = bench.host.server('features');
    await bench.offers.stopOffering(id);
    assert.equal(errorOf(await read(peer, 'test://first')).code, -32_002);
    await bench.offers.offer(id);
  });

  it('are not passed on when the server is not offered any more by the time it answers', async () => {
    const peer = await bench.client();
    const { id } = bench.host.server('features');
    onRecord = ({ outcome }) => (outcome === 'succeeded' ? void bench.offers.stopOffering(id) : undefined);
    const ways = [
      () => read(peer, 'test://second'),
      () => peer.request('prompts/get', { name: 'features__first', arguments: { who: 'Ada' } }),
    ];
    for (const ask of ways) {
      records.length = 0;
      const answer = await ask();
      assert.ok(
        records.some(({ outcome }) => outcome === 'succeeded'),
        answer.text,
      );
      assert.equal(answer.json.result, undefined, answer.text);
      await bench.offers.offer(id);
    }
  });

  it('pass at 2026-07-28 too, with changes by subscriptions/listen', async () => {
    const token = bench.served.otherToken();
    const acting = await bench.client(token);
    bench.host.answer = () => 'allowSession';
    const peer = bench.served.peer(token);
    const ask = async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
      const message = modern(1, method, params);
      return (await peer.post(message, modernHeaders(message))).json.result as JsonObject;
    };
    assert.match(JSON.stringify(await ask('prompts/list')), /features__first/);
    assert.match(JSON.stringify(await ask('resources/list')), /test:\/\/first/);
    assert.match(JSON.stringify(await ask('resources/templates/list')), /test:\/\/\{name\}/);
    assert.match(JSON.stringify(await ask('prompts/get', { name: 'features__first', arguments: { who: 'Ada' } })), /Hello Ada/);
    assert.match(JSON.stringify(await ask('resources/read', { uri: 'test://first' })), /image\/png/);
    const listen = modern(2, 'subscriptions/listen', {
      notifications: { resourceSubscriptions: ['test://second', 'test://nowhere/at/all'], promptsListChanged: true },
    });
    const stream = await peer.openPost(listen, modernHeaders(listen));
    const acknowledged = await stream.nextMessage();
    const { notifications } = acknowledged.params as { notifications: JsonObject };
    assert.ok((notifications.resourceSubscriptions as string[]).includes('test://second'), JSON.stringify(notifications));
    await acting.callTool('features__notify', { method: 'notifications/resources/updated', params: { uri: 'test://second' } });
    const told = await stream.nextMessage();
    assert.deepEqual([told.method, (told.params as JsonObject).uri], ['notifications/resources/updated', 'test://second']);
    stream.close();
  });

  it('what a server asks meanwhile goes to the person, with the name of the client, and never to the client', async () => {
    const peer = await bench.client();
    const stream = await peer.stream();
    const request = JSON.stringify({ method: 'roots/list', params: {} });
    const answer = await read(peer, `test://asking/${encodeURIComponent(request)}`);
    assert.match(JSON.stringify(contentsOf(answer)), /roots/);
    const roots = bench.host.asked.find(({ detail }) => detail.kind === 'roots');
    assert.deepEqual(roots?.clients, ['peer 9']);
    stream.close();
    assert.ok(!answer.text.includes('"method":"roots/list"'));
  });

  it('an address that two servers list is refused with both names', async () => {
    await configure('features', 'twin');
    const peer = await bench.client();
    assert.ok(!(await listOf(peer, 'resources', 'uri')).includes('test://first'));
    for (const uri of ['test://first', 'test://unlisted']) {
      assert.equal(
        errorOf(await read(peer, uri)).message,
        'Two servers have this address, “features” and “twin”: it is read from neither.',
      );
    }
    assert.deepEqual(bench.host.asked, []);
    assert.deepEqual(
      (await listOf(peer, 'prompts', 'name')).filter((name) => String(name).endsWith('__first')),
      ['features__first', 'twin__first'],
    );
    await configure('features');
  });
});
