import assert from 'node:assert/strict';
import path from 'node:path';
import { Emitter } from '../../../../src/base/events.ts';
import { OpenQuestions } from '../../../../src/consent/openQuestions.ts';
import { OpenCalls } from '../../../../src/host/features/openCalls.ts';
import { modelSaying } from './sampling/samplingSupport.ts';
import { createTestHost, textOf, type TestHost } from '../support.ts';

const featuresServer = path.join(import.meta.dirname, '../../../fixtures/servers/featuresServer.mjs');

describe('A question that a server asks', () => {
  let host: TestHost;
  let panel: OpenQuestions;
  const foldersChanged = new Emitter<void>();
  const folders = [{ name: 'demo', path: '/projects/demo' }];

  beforeEach(async () => {
    panel = new OpenQuestions();
    host = await createTestHost({
      features: {
        ask: panel.ask,
        folders: () => folders,
        onDidChangeFolders: foldersChanged.event,
        samplingModel: modelSaying('Yes.'),
        openExternal: () => Promise.resolve(),
      },
    });
    await host.configure({ scripted: { command: 'node', args: [featuresServer] } });
    await startServer();
  });
  afterEach(async () => {
    await host.close();
    panel.dispose();
  });

  const startServer = async (): Promise<void> => {
    const { signal } = new AbortController();
    const state = await host.registry.start(host.server('scripted').id, { ask: host.ask, signal });
    assert.equal(state.kind, 'ready');
  };
  const kinds = (): readonly string[] => panel.list().map(({ detail }) => detail.kind);
  const ask = (method: string, params: object, signal: AbortSignal): ReturnType<TestHost['call']> =>
    host.call('ask', { method, params: { ...params } }, { principal: 'palette', signal });
  const until = (kind: string): Promise<void> => host.until(() => kinds().includes(kind), `the question ${kind}`);

  const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { who: { type: 'string' } } } };
  const requests: readonly (readonly [string, string, object])[] = [
    ['a form', 'elicitation/create', form],
    ['a link', 'elicitation/create', { mode: 'url', message: 'There', url: 'https://a.example', elicitationId: 'e' }],
    ['the model', 'sampling/createMessage', { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 10 }],
  ];
  for (const [what, method, params] of requests) {
    it(`about ${what} is withdrawn when the call that it serves is stopped`, async () => {
      const stop = new AbortController();
      const outcome = ask(method, params, stop.signal);
      await host.until(() => panel.list().length === 1, 'the question');
      stop.abort();
      assert.deepEqual(await outcome, { kind: 'cancelled' });
      await host.until(() => panel.list().length === 0, 'its end');
      assert.equal(textOf(await host.call('notify', { method: 'notifications/message', params: { level: 'info', data: 'x' } })), 'sent');
    });
  }

  it('about the model’s answer is withdrawn when the call that it serves is stopped, and when the server is', async () => {
    const [, method, params] = requests[2] ?? ['', '', {}];
    for (const end of ['call', 'server'] as const) {
      const stop = new AbortController();
      const outcome = ask(method, params, stop.signal);
      await until('sampling');
      panel.answer({ askId: panel.list()[0]?.askId ?? '', choice: 'allowOnce' });
      await until('samplingResponse');
      if (end === 'call') {
        stop.abort();
      } else {
        await host.registry.stop(host.server('scripted').id);
      }
      assert.notEqual((await outcome).kind, 'result');
      await host.until(() => panel.list().length === 0, 'its end');
    }
  });

  it('stays while another call that may have caused it is open', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const one = ask('elicitation/create', form, first.signal);
    await until('elicitation');
    const two = ask('elicitation/create', { ...form, message: 'Second' }, second.signal);
    await host.until(() => panel.list().length === 2, 'both');
    second.abort();
    await two;
    assert.equal(panel.list().length, 2, 'the first call is open still, and may have asked either');
    first.abort();
    await one;
    await host.until(() => panel.list().length === 0, 'the end of both');
  });

  it('about folders is withdrawn when the server stops, and asked again by its next connection', async () => {
    await ask('roots/list', {}, new AbortController().signal);
    await until('roots');
    await host.registry.stop(host.server('scripted').id);
    await host.until(() => panel.list().length === 0, 'its end');
    await startServer();
    await ask('roots/list', {}, new AbortController().signal);
    await until('roots');
  });

  it('about folders is asked once in a window when the answer is no, also after another start', async () => {
    await ask('roots/list', {}, new AbortController().signal);
    await until('roots');
    const [question] = panel.list();
    panel.answer({ askId: question?.askId ?? '', choice: 'deny' });
    await host.registry.stop(host.server('scripted').id);
    await startServer();
    assert.equal(textOf(await ask('roots/list', {}, new AbortController().signal)), JSON.stringify({ result: { roots: [] } }));
    assert.deepEqual(kinds(), []);
  });
});

describe('What a server wants while a tool is called', () => {
  for (const [one, other, isUnwanted] of [
    ['answered', 'answered', false],
    ['answered', 'givenUp', true],
    ['givenUp', 'answered', true],
    ['givenUp', 'givenUp', true],
  ] as const) {
    it(`${isUnwanted ? 'ends' : 'goes on'} when both calls of that time are over, the first ${one}, the last ${other}`, async () => {
      const calls = new OpenCalls();
      const [first, second] = [calls.begin('tool'), calls.begin('tool')];
      const states = await calls.during((wanted) => {
        first.end(one);
        const before = wanted.aborted;
        calls.begin('tool');
        second.end(other);
        return Promise.resolve([before, wanted.aborted]);
      });
      assert.deepEqual(states, [false, isUnwanted]);
    });
  }

  it('is not ended by a call that was given up before it was wanted', async () => {
    const calls = new OpenCalls();
    calls.begin('tool').end('givenUp');
    const present = calls.begin('tool');
    const isUnwanted = await calls.during((wanted) => {
      calls.begin('tool').end('givenUp');
      present.end('answered');
      return Promise.resolve(wanted.aborted);
    });
    assert.equal(isUnwanted, false);
  });
});
