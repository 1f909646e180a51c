import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { inquiryRequest } from '../../../../src/host/offered/contentInquiry.ts';
import { annotationsFor, extrasFor, partFor } from '../../../../src/host/offered/passedOn.ts';
import { createGateway, type GatewayBench } from './gatewayBench.ts';
import { listAll, offerTold, WatchedClient } from './watchedClient.ts';

const picture = { src: 'data:image/png;base64,AAAA', mimeType: 'image/png', sizes: ['48x48'] };
const tracking = { src: 'https://tracker.example/pixel.png' };
const extras = { icons: [picture, tracking], _meta: { 'example.com/kind': 'note' } };
const passed = { icons: [picture], _meta: { 'example.com/kind': 'note' } };

describe('Icons and notes of what offered servers list', () => {
  let bench: GatewayBench;
  let client: WatchedClient;
  before(async () => {
    bench = await createGateway();
    bench.host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowSession');
    await offerTold(bench, {
      told: {
        prompts: [{ name: 'ask', ...extras }],
        resources: [
          {
            uri: 'told://one',
            name: 'one',
            annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T10:00:00Z', other: 1 },
            ...extras,
          },
        ],
        templates: [{ uriTemplate: 'told://by/{name}', name: 'by', annotations: { priority: 1 }, ...extras }],
        reads: { 'told://one': [{ uri: 'told://one', text: 'one', _meta: { 'example.com/kind': 'part', ui: { csp: {} } } }] },
      },
    });
    client = await WatchedClient.connect(bench, 'reader');
  });
  after(() => bench.close());

  const lists = [
    ['prompts/list', 'prompts', 'name', 'told__ask'],
    ['resources/list', 'resources', 'uri', 'told://one'],
    ['resources/templates/list', 'resourceTemplates', 'uriTemplate', 'told://by/{name}'],
  ] as const;

  for (const [method, member, key, name] of lists) {
    it(`pass with ${method} at both eras, and not where they lead to a third party`, async () => {
      const old = (await listAll(client, method, member)).find((each) => each[key] === name);
      const { result } = await client.askModern(method);
      const now = ((result as JsonObject)[member] as unknown as readonly JsonObject[]).find((each) => each[key] === name);
      for (const { icons, _meta } of [old ?? {}, now ?? {}]) {
        assert.deepEqual({ icons, _meta }, passed);
      }
    });

    it(`are left out of ${method} at revisions that do not know them`, async () => {
      const peer = bench.served.peer(client.token);
      await peer.initialize('2025-03-26');
      const { json } = await peer.request(method);
      const entry = ((json.result as JsonObject)[member] as unknown as readonly JsonObject[]).find((each) => each[key] === name);
      assert.ok(entry !== undefined && !('icons' in entry) && !('_meta' in entry), JSON.stringify(entry));
    });
  }

  it('stand beside the annotations of a resource and a template, as far as the protocol knows them', async () => {
    const [resource] = (await listAll(client, 'resources/list', 'resources')).filter(({ uri }) => uri === 'told://one');
    assert.deepEqual(resource?.annotations, { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T10:00:00Z' });
    const [template] = (await listAll(client, 'resources/templates/list', 'resourceTemplates')).filter(({ name }) => name === 'by');
    assert.deepEqual(template?.annotations, { priority: 1 });
  });

  it('pass with what is read, too', async () => {
    const { json } = await client.read('told://one');
    assert.deepEqual((json.result as JsonObject).contents, [{ uri: 'told://one', text: 'one', _meta: { 'example.com/kind': 'part' } }]);
  });

  it('are bound to no permission: other ones ask nobody again', () => {
    const calling = { credential: { id: 'client-1', kind: 'clientToken' }, sessionId: undefined, callsItself: 'reader' } as const;
    const prompt = { name: 'ask', title: undefined, description: 'Asks.', arguments: [] };
    const fingerprintWith = (more: object): string =>
      inquiryRequest({ client: calling }, { serverId: 'told', server: 'told', identity: 'x', prompt: { ...prompt, ...more } }).fingerprint;
    assert.equal(fingerprintWith({ icons: [picture], meta: { a: 1 } }), fingerprintWith({}));
    assert.notEqual(fingerprintWith({ description: 'Asks more.' }), fingerprintWith({}));
  });

  it('are not those of the protocol, of Duplex, or of a page that a client would take for one of Duplex', () => {
    const meta = {
      ...{ 'io.modelcontextprotocol/related-task': { taskId: 'x' }, 'modelcontextprotocol.io/a': 1, 'tools.mcp.com/b': 1 },
      ...{ 'duplex/leftOut': true, ui: { resourceUri: 'ui://x' }, 'ui/resourceUri': 'ui://x', 'openai/outputTemplate': 'UI://x/y' },
      ...{ 'openai/nested': { deep: ['see ui://x'] }, plain: 'ui-kit', 'example.com/mcp': 1 },
    };
    assert.deepEqual(extrasFor({ meta }), { _meta: { plain: 'ui-kit', 'example.com/mcp': 1 } });
  });

  it('are bounded, and hide nothing', () => {
    assert.deepEqual(extrasFor({ meta: { long: 'x'.repeat(4_000), short: 'a\u200Bb', ['\u202Ekey']: 1 } }), {
      _meta: { short: 'a⟨U+200B⟩b', '⟨U+202E⟩key': 1 },
    });
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, 'x'.repeat(50)]));
    assert.ok(JSON.stringify(extrasFor({ meta: many })).length < 6_000);
    assert.deepEqual(extrasFor({ meta: { 'duplex/x': 1 }, icons: [] }), {});
    assert.deepEqual(annotationsFor({ title: 'x' }), {});
  });

  it('of parts of results follow the same rules, embedded or not', () => {
    const link = { type: 'resource_link', uri: 'told://one', name: 'one' };
    assert.deepEqual(partFor({ ...link, ...extras }, undefined), { ...link, ...passed });
    const own = { src: 'https://server.example/icon.png' };
    assert.deepEqual(partFor({ ...link, icons: [own, tracking] }, 'https://server.example').icons, [own]);
    const embedded = { type: 'resource', resource: { uri: 'told://one', text: 'x', _meta: { ui: {}, 'duplex/leftOut': true } } };
    assert.deepEqual(partFor(embedded, undefined), { type: 'resource', resource: { uri: 'told://one', text: 'x' } });
  });
});
