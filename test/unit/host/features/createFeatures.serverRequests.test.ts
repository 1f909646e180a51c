import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Emitter } from '../../../../src/base/events.ts';
import type { SamplingRequest } from '../../../../src/contract/chat/samplingModel.ts';
import { modelSaying } from './sampling/samplingSupport.ts';
import { createTestHost, repositoryRoot, textOf, type TestHost, failureOf } from '../support.ts';

const featuresServer = path.join(import.meta.dirname, '../../../fixtures/servers/featuresServer.mjs');
const everything = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const signal = new AbortController().signal;

describe('A server that asks something of this side', () => {
  let host: TestHost;
  let folders: { name: string; path: string }[];
  let foldersChanged: Emitter<void>;
  let completed: SamplingRequest[];
  let opened: string[];

  beforeEach(async () => {
    folders = [{ name: 'demo', path: '/projects/demo' }];
    foldersChanged = new Emitter();
    completed = [];
    opened = [];
    host = await createTestHost({
      features: {
        folders: () => folders,
        onDidChangeFolders: foldersChanged.event,
        samplingModel: modelSaying('Forty-two.', completed),
        openExternal: async (url) => void opened.push(url),
      },
    });
  });
  afterEach(() => host.close());

  async function start(file = featuresServer, more = {}): Promise<void> {
    await host.configure({ scripted: { command: 'node', args: [file], ...more } });
    const state = await host.registry.start(host.server('scripted').id, { ask: host.ask, signal });
    assert.equal(state.kind, 'ready');
  }
  const ask = async (method: string, params: object): Promise<unknown> =>
    JSON.parse(textOf(await host.call('ask', { method, params: { ...params } }))) as unknown;
  const questions = (kind: string): unknown[] => host.asked.map(({ detail }) => detail).filter((detail) => detail.kind === kind);
  /** How the person answers questions of that kind; everything else is allowed. */
  const answering = (kind: string, answer: ReturnType<TestHost['answer']>): void => {
    const usual = host.answer;
    host.answer = (question) => (question.detail.kind === kind ? answer : usual(question));
  };

  it('sees no folder before the person allowed it, then those, and hears when they change', async () => {
    answering('roots', 'allowWorkspace');
    await start();
    const root = { uri: pathToFileURL('/projects/demo').href, name: 'demo' };
    assert.deepEqual(await ask('roots/list', {}), { result: { roots: [] } });
    const told = async (): Promise<number> =>
      (JSON.parse(textOf(await host.call('received'))) as string[]).filter((each) => each === 'notifications/roots/list_changed').length;
    assert.deepEqual([await told(), await ask('roots/list', {})], [1, { result: { roots: [root] } }]);
    assert.deepEqual(questions('roots'), [{ kind: 'roots', server: 'scripted', folders: [{ name: 'demo', path: '/projects/demo' }] }]);
    folders.push({ name: 'more', path: '/projects/more' });
    foldersChanged.fire();
    assert.equal(await told(), 2);
    assert.deepEqual(await ask('roots/list', {}), { result: { roots: [root] } });
    assert.deepEqual(
      host.asked.filter(({ detail }) => detail.kind === 'roots').map(({ why }) => why),
      ['new', 'changed'],
    );
    assert.deepEqual(await ask('roots/list', {}), {
      result: { roots: [root, { uri: pathToFileURL('/projects/more').href, name: 'more' }] },
    });
  });

  it('sees no folder that another program was allowed under its name', async () => {
    answering('roots', 'allowWorkspace');
    await start();
    await ask('roots/list', {});
    await start(featuresServer, { env: { OTHER: '1' } });
    answering('roots', 'deny');
    assert.deepEqual(await ask('roots/list', {}), { result: { roots: [] } });
    const last = host.asked.at(-1);
    assert.deepEqual([last?.detail.kind, last?.why, last?.differences], ['roots', 'changed', [{ field: 'server' }]]);
  });

  it('that was refused the folders is told of none and does not ask twice', async () => {
    answering('roots', 'deny');
    await start();
    assert.deepEqual([await ask('roots/list', {}), await ask('roots/list', {})], [{ result: { roots: [] } }, { result: { roots: [] } }]);
    assert.equal(questions('roots').length, 1);
  });

  const schema = {
    type: 'object',
    properties: {
      who: { type: 'string', title: 'Your\u200B name' },
      password: { type: 'string', default: 'x' },
      age: { type: 'integer', minimum: 0, default: 7 },
      pets: { type: 'array', items: { anyOf: [{ const: 'c', title: 'Cat' }] } },
      size: { type: 'string', enum: ['s', 'l'], default: 's' },
    },
    required: ['who'],
  };

  it('gets what the person filled in, checked once more', async () => {
    answering('elicitation', { choice: 'allowOnce', form: { who: 'Ada', age: 36, pets: [], size: 'l', stray: 'no' } });
    await start();
    const request = { message: 'Tell me', requestedSchema: schema };
    assert.deepEqual(await ask('elicitation/create', request), {
      result: { action: 'accept', content: { who: 'Ada', age: 36, size: 'l' } },
    });
    const [question] = questions('elicitation') as [{ request: { fields: { label: string; looksSecret?: boolean }[] } }];
    assert.deepEqual(
      question.request.fields.map(({ label, looksSecret }) => [label, looksSecret]),
      [
        ['Your⟨U+200B⟩ name', false],
        ['password', true],
        ['age', undefined],
        ['pets', undefined],
        ['size', undefined],
      ],
    );
    answering('elicitation', { choice: 'allowOnce', form: { who: 'Ada', age: -1 } });
    assert.deepEqual(await ask('elicitation/create', request), { result: { action: 'cancel' } });
  });

  it('is told whether the person declined or only closed the question, and is asked about every time', async () => {
    await start();
    const request = { message: 'Tell me', requestedSchema: schema };
    answering('elicitation', 'deny');
    assert.deepEqual(await ask('elicitation/create', request), { result: { action: 'decline' } });
    answering('elicitation', 'cancel');
    assert.deepEqual(await ask('elicitation/create', request), { result: { action: 'cancel' } });
    assert.equal(questions('elicitation').length, 2);
  });

  it('has a link opened only after a yes, and only a safe one', async () => {
    await start();
    const link = (url: string): object => ({ mode: 'url', message: 'Sign in', url, elicitationId: 'e1' });
    answering('elicitation', 'deny');
    assert.deepEqual(await ask('elicitation/create', link('https://example.com/a')), { result: { action: 'decline' } });
    assert.deepEqual(opened, []);
    answering('elicitation', 'allowOnce');
    assert.deepEqual(await ask('elicitation/create', link('https://example.com/a')), { result: { action: 'accept' } });
    assert.deepEqual(await ask('elicitation/create', link('http://127.0.0.1:8080/b')), { result: { action: 'accept' } });
    for (const url of ['http://example.com', 'https://bank.com@evil.example', 'file:///etc/passwd', 'vscode://x', 'command:x']) {
      assert.match(JSON.stringify(await ask('elicitation/create', link(url))), /-32602/);
    }
    assert.deepEqual(opened, ['https://example.com/a', 'http://127.0.0.1:8080/b']);
    assert.deepEqual(questions('elicitation').length, 3);
  });

  it('does not lose its call by timeout while the person reads the question', async () => {
    await start(featuresServer, { timeout: 1_000 });
    const inner = host.ask;
    let finish = (): void => undefined;
    const reading = new Promise<void>((resolve) => (finish = resolve));
    const waiting = host.until(() => questions('elicitation').length === 1, 'the question');
    Object.assign(host, {
      ask: async (...[question, ended]: Parameters<typeof inner>) => {
        const answer = inner(question, ended);
        if (question.detail.kind === 'elicitation') {
          await reading;
        }
        return answer;
      },
    });
    answering('elicitation', 'deny');
    const answer = ask('elicitation/create', { message: 'Tell me', requestedSchema: schema });
    await waiting;
    const begun = performance.now();
    await host.until(() => performance.now() - begun > 1_500, 'more than the timeout');
    finish();
    assert.deepEqual(await answer, { result: { action: 'decline' } });
  });

  it('whose structured result does not fit its own schema fails the call with that reason', async () => {
    await start();
    assert.equal(failureOf(await host.call('misfit')).code, 'host.invalidAnswer');
  });

  it('as the reference server does, gets its form and its answer', async () => {
    answering('elicitation', { choice: 'allowOnce', form: { name: 'Ada', untitledMultipleSelectEnum: ['Piano'] } });
    const usual = host.answer;
    host.answer = (question) => (question.detail.kind === 'sampling' ? 'allowOnce' : usual(question));
    await start(everything);
    await host.until(() => host.server('scripted').tools.some(({ name }) => name === 'trigger-elicitation-request'), 'the tools');
    assert.match(textOf(await host.call('trigger-elicitation-request')), /User provided/);
    assert.match(textOf(await host.call('trigger-sampling-request', { prompt: 'Hi', maxTokens: 10 })), /Forty-two/);
    assert.deepEqual(
      completed.map(({ maxTokens }) => maxTokens),
      [10],
    );
  });
});
