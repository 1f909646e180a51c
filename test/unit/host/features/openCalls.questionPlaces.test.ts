import assert from 'node:assert/strict';
import path from 'node:path';
import { isAbort } from '../../../../src/base/errors.ts';
import { Emitter } from '../../../../src/base/events.ts';
import type { Principal } from '../../../../src/consent/consentModel.ts';
import { OpenQuestions } from '../../../../src/consent/openQuestions.ts';
import { OpenCalls } from '../../../../src/host/features/openCalls.ts';
import type { CallOutcome } from '../../../../src/host/tools/toolCaller.ts';
import { createTestHost, textOf, type TestHost } from '../support.ts';
import { modelSaying } from './sampling/samplingSupport.ts';

const featuresServer = path.join(import.meta.dirname, '../../../fixtures/servers/featuresServer.mjs');
const form = { message: 'Who?', requestedSchema: { type: 'object', properties: { who: { type: 'string' } } } };
const text = { role: 'user', content: { type: 'text', text: 'Hi' } };
const requests = {
  elicitation: { method: 'elicitation/create', params: form },
  sampling: { method: 'sampling/createMessage', params: { messages: [text], maxTokens: 10 } },
  roots: { method: 'roots/list', params: {} },
} as const;
type Kind = keyof typeof requests;

describe('A question that a server asks is shown', () => {
  let host: TestHost;
  let panel: OpenQuestions;
  let chat: OpenQuestions;
  let ending: AbortController;
  let calls: Promise<CallOutcome>[];

  beforeEach(async () => {
    panel = new OpenQuestions();
    chat = new OpenQuestions();
    ending = new AbortController();
    calls = [];
    host = await createTestHost({
      features: {
        ask: panel.ask,
        folders: () => [{ name: 'demo', path: '/projects/demo' }],
        onDidChangeFolders: new Emitter<void>().event,
        samplingModel: modelSaying('Yes.'),
        openExternal: () => Promise.resolve(),
      },
    });
    await host.configure({ scripted: { command: 'node', args: [featuresServer] } });
    await host.registry.start(host.server('scripted').id, { ask: host.ask, signal: ending.signal });
  });
  afterEach(async () => {
    ending.abort();
    await Promise.all(calls);
    await host.close();
    panel.dispose();
    chat.dispose();
  });

  /** Of the surface whose call it is; whether the tool may run is not what is looked at here. */
  const call = (principal: Principal, tool: string, args: object, signal = ending.signal): Promise<CallOutcome> => {
    const own = principal === 'chat' ? chat.ask : panel.ask;
    const outcome = host.call(
      tool,
      { ...args },
      {
        principal,
        signal,
        ask: (question, ended) => (question.detail.kind === 'callTool' ? host.ask(question, ended) : own(question, ended)),
      },
    );
    calls.push(outcome);
    return outcome;
  };
  /** One that the server keeps open until it is stopped. */
  const keepOpen = async (principal: Principal, signal = ending.signal): Promise<void> => {
    const before = panel.list().length + chat.list().length;
    void call(principal, 'ask', requests.elicitation, signal);
    await host.until(() => panel.list().length + chat.list().length > before, 'a call that stays open');
  };
  const places = (kind: Kind): readonly string[] => [
    ...chat.list().flatMap(({ detail }) => (detail.kind === kind ? ['chat'] : [])),
    ...panel.list().flatMap(({ detail }) => (detail.kind === kind ? ['panel'] : [])),
  ];

  for (const kind of ['elicitation', 'sampling', 'roots'] as const) {
    for (const [running, place] of [
      [['chat'], 'chat'],
      [['palette'], 'panel'],
      [['command'], 'panel'],
      [['task'], 'panel'],
      [['palette', 'chat'], 'panel'],
      [['chat', 'command'], 'panel'],
    ] as const) {
      it(`in the ${place}, and nowhere else, when it is about ${kind} and calls of ${running.join(' and ')} run`, async () => {
        const [last, ...others] = [...running].reverse();
        for (const principal of others) {
          await keepOpen(principal);
        }
        const before = places(kind).length;
        void call(last ?? 'chat', 'ask', requests[kind]);
        await host.until(() => places(kind).length > before, 'the question');
        assert.equal(places(kind).at(place === 'chat' ? 0 : -1), place);
        assert.equal(places(kind).length, before + 1);
      });
    }
  }

  const reading = { prompt: 'asking', resource: `test://asking/${encodeURIComponent(JSON.stringify(requests.sampling))}` };
  /** As the chat does it. */
  const read = (kind: keyof typeof reading, ended = ending.signal): Promise<unknown> => {
    const features = host.registry.features(host.server('scripted').id);
    const options = { signal: ended, ask: chat.ask };
    return kind === 'prompt'
      ? features.getPrompt(reading.prompt, { request: JSON.stringify(requests.sampling) }, options)
      : features.readResource(reading.resource, options);
  };
  for (const kind of ['prompt', 'resource'] as const) {
    it(`where the ${kind} is read that causes it, which it names, and no longer when that is given up`, async () => {
      const turn = new AbortController();
      const outcome = read(kind, turn.signal).catch((error: unknown) => isAbort(error));
      await host.until(() => chat.list().length + panel.list().length === 1, 'the question');
      const [shown] = chat.list();
      assert.deepEqual(shown?.detail.kind === 'sampling' && shown.detail.during, [reading[kind]]);
      turn.abort();
      assert.equal(await outcome, true);
      await host.until(() => chat.list().length === 0 && panel.list().length === 0, 'its end');
    });

    it(`for as long as the person takes, while the time of the ${kind} that causes it stands still`, async () => {
      await host.configure({ scripted: { command: 'node', args: [featuresServer], timeout: 1_000 } });
      await host.registry.start(host.server('scripted').id, { ask: host.ask, signal: ending.signal });
      const outcome = read(kind);
      await host.until(() => chat.list().length === 1, 'the question');
      const begun = performance.now();
      await host.until(() => performance.now() - begun > 1_500, 'more than the timeout');
      const [shown] = chat.list();
      assert.ok(shown);
      chat.answer({ askId: shown.askId, choice: 'deny' });
      assert.match(JSON.stringify(await outcome), /User rejected sampling request/);
    });
  }

  it('in the chat when two calls of the chat run', async () => {
    await keepOpen('chat');
    await keepOpen('chat');
    assert.deepEqual(places('elicitation'), ['chat', 'chat']);
  });

  it('in the panel when no call runs', async () => {
    await call('palette', 'notify', { method: 'notifications/message', params: { level: 'info', data: 'x' } });
    const calls = new OpenCalls();
    const asked = calls.placeOr(panel.ask)(question('later'), ending.signal);
    assert.deepEqual(
      panel.list().map(({ askId }) => askId),
      ['later'],
    );
    panel.answer({ askId: 'later', choice: 'deny' });
    assert.equal((await asked).choice, 'deny');
  });

  it('no longer when the turn of the chat is stopped, and the server hears of it', async () => {
    const turn = new AbortController();
    const outcome = call('chat', 'ask', requests.elicitation, turn.signal);
    await host.until(() => chat.list().length === 1, 'the card');
    turn.abort();
    assert.deepEqual(await outcome, { kind: 'cancelled' });
    await host.until(() => chat.list().length === 0 && panel.list().length === 0, 'its end');
  });

  it('no longer when the chat is closed, and the server is told that it was cancelled', async () => {
    const outcome = call('chat', 'ask', requests.elicitation);
    await host.until(() => chat.list().length === 1, 'the card');
    chat.dispose();
    assert.equal(textOf(await outcome), JSON.stringify({ result: { action: 'cancel' } }));
    assert.equal(panel.list().length, 0);
  });
});

function question(askId: string): Parameters<OpenQuestions['ask']>[0] {
  const detail = { kind: 'roots', server: 'files', folders: [] } as const;
  return { askId, detail: { ...detail, folders: [] }, why: 'new', differences: [], choices: ['deny', 'allow'] };
}
