import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Emitter } from '../../../src/base/events.ts';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { ServerState } from '../../../src/host/shared/serverState.ts';
import { createTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { answerOf, chosenModel } from './features/sampling/samplingSupport.ts';
import { createTestHost, failureOf, textOf, type TestHost } from './support.ts';

const rulesServer = path.join(import.meta.dirname, '../../fixtures/servers/protocolRulesServer.mjs');
const signal = new AbortController().signal;
const everyLegacyVersion = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

interface Script {
  readonly capabilities?: JsonObject;
  readonly early?: readonly JsonObject[];
}

describe('The rules of the protocol, for the side that calls', () => {
  let host: TestHost;
  let folder: string;
  let hasFolder: boolean;
  let completions: number;

  beforeEach(async () => {
    folder = createTemporaryFolder();
    hasFolder = true;
    completions = 0;
    setVersion('');
    writeFileSync(path.join(folder, 'notes'), '');
    host = await createTestHost({
      features: {
        folders: () => (hasFolder ? [{ name: 'demo', path: '/projects/demo' }] : []),
        onDidChangeFolders: new Emitter<void>().event,
        samplingModel: {
          chooseModel: () => chosenModel,
          complete: async ({ model }) => {
            completions += 1;
            return answerOf(model, 'Yes.');
          },
        },
        openExternal: async () => undefined,
      },
    });
  });
  afterEach(() => host.close());

  const setVersion = (version: string): void => writeFileSync(path.join(folder, 'version'), version);
  const received = (): JsonObject[] =>
    readFileSync(path.join(folder, 'notes'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as JsonObject);
  /** Without the question that finds out the era. */
  const methods = (): JsonValue[] =>
    received().flatMap(({ method }) => (method === undefined || method === 'server/discover' ? [] : [method]));
  const answerTo = (id: string): JsonObject | undefined => received().find((message) => message['id'] === id);

  async function start(script: Script = {}): Promise<ServerState> {
    const whole = { ...script, versionFile: path.join(folder, 'version'), notes: path.join(folder, 'notes') };
    await host.configure({ scripted: { command: 'node', args: [rulesServer, JSON.stringify(whole)] } });
    const { id } = host.server('scripted');
    const state = await host.registry.start(id, { ask: host.ask, signal });
    await host.registry.features(id).listed;
    return state;
  }
  const send = async (args: JsonObject): Promise<string> => textOf(await host.call('send', args));
  const ask = async (method: string, params: JsonObject): Promise<unknown> =>
    JSON.parse(textOf(await host.call('ask', { method, params }))) as unknown;
  const questions = (): string[] =>
    host.asked.map(({ detail }) => detail.kind).filter((kind) => kind !== 'startServer' && kind !== 'callTool');
  const ping = (id: string): JsonObject => ({ jsonrpc: '2.0', id, method: 'ping' });
  const line = (message: JsonObject): string => JSON.stringify({ jsonrpc: '2.0', ...message });
  const samplingParams = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 };

  for (const version of everyLegacyVersion) {
    it(`agree on ${version} when that is what the server answers`, async () => {
      setVersion(version);
      const state = await start();
      assert.equal(state.kind === 'ready' && state.protocolVersion, version);
      assert.equal(await send({}), '"sent"');
    });
  }

  for (const version of ['1999-01-01', 'newest', '2026-07-28']) {
    it(`fail a server that answers the greeting with ${version}, and say so`, async () => {
      setVersion(version);
      const state = await start();
      assert.equal(failureOf(state).code, 'host.negotiationFailed');
      assert.match(state.kind === 'failed' ? state.error.message : '', new RegExp(version));
    });
  }

  for (const version of ['2024-11-05', '2025-03-26']) {
    it(`take several messages in one array at ${version}: a notice, a request and the answer`, async () => {
      setVersion(version);
      await start();
      const unknown = { jsonrpc: '2.0', method: 'notifications/unheard-of' };
      assert.equal(await send({ together: [unknown, ping('in-array'), { jsonrpc: '2.0', id: 4711, result: {} }] }), '"sent"');
      await host.until(() => answerTo('in-array') !== undefined, 'the answer to the request inside the array');
      assert.deepEqual(answerTo('in-array'), { jsonrpc: '2.0', id: 'in-array', result: {} });
    });
  }

  for (const version of ['2025-06-18', '2025-11-25']) {
    it(`refuse several messages in one array at ${version}, and answer nothing inside`, async () => {
      setVersion(version);
      await start();
      assert.equal(await send({ before: [JSON.stringify([ping('in-array')])] }), '"sent"');
      const refusal = (): unknown => received().find((message) => message['id'] === null && 'error' in message)?.['error'];
      await host.until(() => refusal() !== undefined, 'the refusal');
      assert.deepEqual([(refusal() as JsonObject)['code'], answerTo('in-array')], [-32_600, undefined]);
    });
  }

  it('skip lines that are no messages', async () => {
    await start();
    const noise = ['Listening …', '', '42', 'null', '"text"', '[]', '[1]', '{"half":', '{}', '{"jsonrpc":"1.0","id":1}', '\u0000'];
    assert.equal(await send({ before: noise, after: noise }), '"sent"');
    assert.equal(await send({}), '"sent"');
  });

  it('ignore unknown notifications', async () => {
    await start();
    const notices = ['notifications/unheard-of', 'notifications/', 'unheard-of', 'notifications/cancelled', 'notifications/progress'];
    assert.equal(await send({ before: notices.map((method) => line({ method })) }), '"sent"');
    assert.equal(await send({}), '"sent"');
  });

  it('ignore answers to what was not asked, and all but the first to what was', async () => {
    await start();
    const other = { content: [{ type: 'text', text: 'another answer' }] };
    const foreign = [987_654, 'never', null].map((id) => line({ id, result: other }));
    const twice = [line({ id: '$id', result: other }), line({ id: '$id', error: { code: -32_603, message: 'no' } })];
    assert.equal(await send({ before: foreign, after: [...twice, ...foreign] }), '"sent"');
    assert.equal(await send({}), '"sent"');
    assert.equal(host.server('scripted').state.kind, 'ready');
  });

  it('refuse an unknown request, and one whose id is null does no harm', async () => {
    await start();
    assert.deepEqual(await ask('unheard/of', {}), { error: { code: -32_601, message: 'Method not found' } });
    assert.equal(await send({ before: [line({ id: null, method: 'roots/list' })] }), '"sent"');
    assert.deepEqual(questions(), []);
  });

  it('answer a ping but no other request before the connection is initialized, and ask the person nothing', async () => {
    const early = [
      { id: 'ping', method: 'ping' },
      { id: 'roots', method: 'roots/list' },
      { id: 'sampling', method: 'sampling/createMessage', params: samplingParams },
      { id: 'form', method: 'elicitation/create', params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } } },
    ];
    assert.equal((await start({ early })).kind, 'ready');
    await host.until(() => answerTo('form') !== undefined, 'an answer to each');
    assert.deepEqual(answerTo('ping')?.['result'], {});
    for (const id of ['roots', 'sampling', 'form']) {
      assert.equal((answerTo(id)?.['error'] as JsonObject | undefined)?.['code'], -32_600, id);
    }
    assert.deepEqual([questions(), completions], [[], 0]);
  });

  it('send nothing that the server did not declare', async () => {
    await start({ capabilities: {} });
    const features = host.registry.features(host.server('scripted').id);
    await features.setLogLevel('debug');
    (await features.subscribe('test://one')).dispose();
    await assert.rejects(features.readResource('test://one', { signal }), { code: 'host.notOffered' });
    await assert.rejects(features.getPrompt('one', {}, { signal }), { code: 'host.notOffered' });
    await host.registry.find(host.server('scripted').id)?.connection.session?.client.ping(); // everything before it has arrived
    assert.deepEqual(methods(), ['initialize', 'notifications/initialized', 'ping']);
  });

  it('subscribe to nothing on a server that has resources and no subscriptions', async () => {
    await start({ capabilities: { resources: {} } });
    (await host.registry.features(host.server('scripted').id).subscribe('test://one')).dispose();
    assert.deepEqual(
      methods().filter((method) => typeof method === 'string' && method.includes('subscribe')),
      [],
    );
  });

  it('greet, agree on a revision and subscribe anew after the connection was lost', async () => {
    setVersion('2025-11-25');
    await start({ capabilities: { tools: {}, resources: { subscribe: true } } });
    const features = host.registry.features(host.server('scripted').id);
    const subscription = await features.subscribe('test://one');
    const read = async (): Promise<unknown> => (await features.readResource('test://one', { signal }))[0];
    const before = await read();
    const first = methods();
    setVersion('2025-03-26');
    assert.equal((await host.call('exit')).kind, 'failed');
    const again = (): JsonValue[] => methods().slice(first.length + 1);
    await host.until(() => again().includes('resources/subscribe') && host.server('scripted').state.kind === 'ready', 'a new subscription');
    const { state } = host.server('scripted');
    assert.equal(state.kind === 'ready' && state.protocolVersion, '2025-03-26');
    assert.deepEqual(again().slice(0, 2), ['initialize', 'notifications/initialized']);
    assert.equal(again().filter((method) => method === 'tools/call').length, 0, 'the call that was lost is not repeated');
    await read();
    assert.deepEqual([before, again().filter((method) => method === 'resources/read').length], [await read(), 1]);
    subscription.dispose();
  });

  it('answer a denied sampling request with -1', async () => {
    const usual = host.answer;
    host.answer = (question) => (question.detail.kind === 'sampling' ? 'deny' : usual(question));
    await start();
    assert.deepEqual(await ask('sampling/createMessage', samplingParams), {
      error: { code: -1, message: 'User rejected sampling request' },
    });
    assert.equal(completions, 0);
  });

  it('answer with an empty list when there are no folders', async () => {
    hasFolder = false;
    await start();
    assert.deepEqual([await ask('roots/list', {}), questions()], [{ result: { roots: [] } }, []]);
  });
});
