import assert from 'node:assert/strict';
import path from 'node:path';
import { AppError } from '../../../../src/base/errors.ts';
import type { ServerFeatures } from '../../../../src/host/features/serverFeatures.ts';
import { createTestHost, repositoryRoot, textOf, type TestHost } from '../support.ts';

const featuresServer = path.join(import.meta.dirname, '../../../fixtures/servers/featuresServer.mjs');
const everything = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const options = { signal: new AbortController().signal };

describe('What a server offers besides tools', () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost();
  });
  afterEach(() => host.close());

  async function start(file = featuresServer, ...args: string[]): Promise<ServerFeatures> {
    await host.configure({ scripted: { command: 'node', args: [file, ...args] } });
    const { id } = host.server('scripted');
    const state = await host.registry.start(id, { ask: host.ask, ...options });
    assert.equal(state.kind, 'ready', JSON.stringify(state));
    const features = host.registry.features(id);
    await features.listed;
    return features;
  }
  const received = async (): Promise<string[]> => JSON.parse(textOf(await host.call('received'))) as string[];

  it('is listed whole over all pages, each name once', async () => {
    await start();
    const { prompts, resources, templates } = host.server('scripted');
    assert.deepEqual(prompts, [
      {
        name: 'first',
        title: undefined,
        description: '',
        arguments: [
          { name: 'who', description: '', isRequired: true },
          { name: 'why', description: '', isRequired: false },
        ],
      },
      { ...prompts[0], name: 'second' },
    ]);
    const plain = { title: undefined, description: '', mimeType: 'text/plain', size: 5 };
    assert.deepEqual(resources, [
      { uri: 'test://first', name: 'first', ...plain },
      { uri: 'test://second', name: 'second', ...plain },
    ]);
    assert.deepEqual(templates, [
      { uriTemplate: 'test://{name}', name: 'by name', title: undefined, description: '', mimeType: undefined },
    ]);
  });

  it('is never asked of a server that did not declare it', async () => {
    const features = await start(featuresServer, 'toolsOnly');
    await features.setLogLevel('debug');
    const subscription = await features.subscribe('test://first');
    subscription.dispose();
    await assert.rejects(features.getPrompt('first', {}, options), { code: 'host.notOffered' });
    await assert.rejects(features.readResource('test://first', options), { code: 'host.notOffered' });
    const completion = { reference: { kind: 'prompt', name: 'first' }, argument: { name: 'who', value: '' }, context: {} } as const;
    assert.deepEqual(await features.complete(completion, options), { values: [], hasMore: false });
    const asked = (await received()).filter((method) => method !== 'server/discover'); // how the revision is found out
    assert.deepEqual(asked, ['initialize', 'notifications/initialized', 'tools/list', 'tools/call received']);
  });

  it('on pages that never end is left out, and the server works', async () => {
    await start(featuresServer, 'endlessPrompts');
    assert.deepEqual(host.server('scripted').prompts, []);
    assert.equal(host.server('scripted').resources.length, 2);
    assert.ok(host.logged.some((line) => line.includes('list of prompts does not end')));
  });

  it('may lack a list of templates without a warning', async () => {
    await start(featuresServer, 'noTemplates');
    assert.deepEqual(host.server('scripted').templates, []);
    assert.deepEqual(
      host.logged.filter((line) => line.includes('could not be read')),
      [],
    );
  });

  it('is read again when the server says that it changed, many notices at once causing one reading', async () => {
    await start();
    const before = await received();
    await Promise.all([
      host.call('change'),
      host.call('notify', { method: 'notifications/prompts/list_changed', times: 50 }),
      host.call('notify', { method: 'notifications/resources/list_changed', times: 50 }),
    ]);
    const isThird = ({ name }: { name: string }): boolean => name === 'third';
    await host.until(() => host.server('scripted').prompts.some(isThird) && host.server('scripted').resources.some(isThird), 'the change');
    const readings = (await received()).slice(before.length).filter((method) => method === 'prompts/list').length;
    assert.ok(readings <= 8, `${readings} pages were read`);
  });

  it('is gone from view when the server stops, and there again after a new start', async () => {
    await start();
    const { id } = host.server('scripted');
    const features = host.registry.features(id);
    await host.registry.stop(id);
    assert.deepEqual(host.server('scripted').prompts, []);
    await assert.rejects(features.readResource('test://first', options), { code: 'host.notRunning' });
    await host.registry.start(id, { ask: host.ask, ...options });
    await features.listed;
    assert.equal(host.server('scripted').prompts.length, 2);
  });

  it('gives the messages of a prompt', async () => {
    const features = await start();
    assert.deepEqual(await features.getPrompt('first', { who: 'you' }, options), {
      description: 'About first',
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello you' } }],
    });
  });

  it('gives text and binary contents, and refuses what is too large', async () => {
    const features = await start();
    assert.deepEqual(await features.readResource('test://first', options), [
      { kind: 'text', uri: 'test://first', mimeType: undefined, text: 'read 1' },
      { kind: 'blob', uri: 'test://first', mimeType: 'image/png', data: 'AAAA' },
    ]);
    await assert.rejects(features.readResource('test://huge', options), { code: 'host.resourceTooLarge' });
  });

  it('is kept as long as the server allows, and read anew after an update', async () => {
    const features = await start();
    const read = async (uri: string): Promise<string> => {
      const [first] = await features.readResource(uri, options);
      return first?.kind === 'text' ? first.text : '';
    };
    assert.deepEqual(
      [await read('test://kept'), await read('test://kept'), await read('test://first'), await read('test://first')],
      ['read 1', 'read 1', 'read 2', 'read 3'],
    );
    const updates: string[] = [];
    const watching = features.onDidUpdateResource((uri) => updates.push(uri));
    await host.call('notify', { method: 'notifications/resources/updated', params: { uri: 'test://kept' } });
    await host.until(() => updates.length === 1, 'the update');
    watching.dispose();
    assert.deepEqual([updates, await read('test://kept')], [['test://kept'], 'read 4']);
  });

  it('is subscribed to once for several listeners, anew after a restart, and no longer than needed', async () => {
    const features = await start();
    const both = await Promise.all([features.subscribe('test://first'), features.subscribe('test://first')]);
    const { id } = host.server('scripted');
    const told = async (): Promise<string[]> => (await received()).filter((method) => method.includes('subscribe'));
    assert.deepEqual(await told(), ['resources/subscribe test://first']);
    await host.registry.restart(id, { ask: host.ask, ...options });
    await features.listed;
    assert.deepEqual(await told(), ['resources/subscribe test://first']);
    both.forEach((each) => each.dispose());
    assert.deepEqual(await told(), ['resources/subscribe test://first', 'resources/unsubscribe test://first']);
  });

  it('completes arguments of prompts and templates, told of the other arguments', async () => {
    const features = await start();
    const ofPrompt = await features.complete(
      { reference: { kind: 'prompt', name: 'first' }, argument: { name: 'who', value: 'A' }, context: { why: 'x' } },
      options,
    );
    const ofTemplate = await features.complete(
      { reference: { kind: 'template', uriTemplate: 'test://{name}' }, argument: { name: 'name', value: '' }, context: {} },
      options,
    );
    assert.deepEqual(
      [ofPrompt, ofTemplate].map(({ values, hasMore }) => [JSON.parse(values[0] ?? '') as unknown, hasMore]),
      [
        [[{ type: 'ref/prompt', name: 'first' }, { name: 'who', value: 'A' }, { arguments: { why: 'x' } }], true],
        [[{ type: 'ref/resource', uri: 'test://{name}' }, { name: 'name', value: '' }, null], true],
      ],
    );
  });

  it('is told a log level, also after a restart, and its messages reach its log within measure (release)', async () => {
    const features = await start();
    await features.setLogLevel('warning');
    assert.ok((await received()).includes('warning'));
    await host.registry.restart(host.server('scripted').id, { ask: host.ask, ...options });
    await features.listed;
    assert.ok((await received()).includes('warning'));
    const params = { level: 'error', logger: 'disk', data: `full\u200B${'x'.repeat(10_000)}` };
    await host.call('notify', { method: 'notifications/message', params, times: 1_000 });
    await host.until(() => host.logged.some((line) => line.includes('more than 200 messages')), 'the end of patience');
    const lines = host.logged.filter((line) => line.includes('disk: full⟨U+200B⟩'));
    // So many each second, and a busy machine takes its time over them: what counts is that some were left out.
    assert.ok(lines.length > 0 && lines.length < 1_000 && lines.every((line) => line.length < 4_200), String(lines.length));
  });

  it('keeps its log level when it refuses another one', async () => {
    const features = await start();
    await features.setLogLevel('warning');
    await assert.rejects(features.setLogLevel('emergency'), AppError);
    assert.equal(features.logLevel, 'warning');
  });

  it('of the reference server is all there', async () => {
    const features = await start(everything, 'stdio');
    const { prompts, resources, templates } = host.server('scripted');
    assert.ok(prompts.length >= 4 && resources.length >= 7 && templates.length >= 2, JSON.stringify([prompts, resources, templates]));
    const { messages } = await features.getPrompt('completable-prompt', { department: 'Sales', name: 'Eve' }, options);
    assert.deepEqual(messages[0]?.content, { type: 'text', text: 'Please promote Eve to the head of the Sales team.' });
    const name = { name: 'name', value: '' };
    const reference = { kind: 'prompt', name: 'completable-prompt' } as const;
    const completion = await features.complete({ reference, argument: name, context: { department: 'Sales' } }, options);
    assert.deepEqual(completion.values, ['David', 'Eve', 'Frank']);
    const [content] = await features.readResource(resources[0]?.uri ?? '', options);
    assert.equal(content?.kind, 'text');
  });
});
