import assert from 'node:assert/strict';
import path from 'node:path';
import { KnownModels } from '../../src/chat/models/knownModels.ts';
import { AnthropicProvider } from '../../src/chat/models/anthropic.ts';
import { createSamplingModel } from '../../src/chat/sampling/samplingModel.ts';
import type { Question } from '../../src/contract/questions/questions.ts';
import type { SamplingEdit } from '../../src/contract/questions/samplingQuestions.ts';
import { findSecrets } from '../../src/secrets/findSecrets.ts';
import { AnthropicServer } from '../fixtures/anthropic/anthropicServer.ts';
import { say, useTools } from '../fixtures/anthropic/turns.ts';
import { ensurePeer } from '../support/peers/peers.mjs';
import { createTestHost, repositoryRoot, textOf, type Answerer, type TestHost } from '../unit/host/support.ts';

const everything = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const samplingServer = path.join(repositoryRoot, 'test/fixtures/servers/samplingServer.mjs');
/** Installing takes longer than a test may. */
const installMs = 180_000;

type Review = Partial<Record<'sampling' | 'samplingResponse', ReturnType<Answerer>>>;

/** From a real server through the host to a stand-in that speaks the provider's wire format. */
describe('A server that borrows the model', () => {
  let host: TestHost;
  let api: AnthropicServer;

  beforeEach(async () => {
    api = await AnthropicServer.start();
    const provider = new AnthropicProvider({ apiKey: () => Promise.resolve(api.apiKey), baseUrl: () => api.url });
    const knownModels = new KnownModels();
    host = await createTestHost({
      features: {
        folders: () => [],
        onDidChangeFolders: () => ({ dispose: () => undefined }),
        samplingModel: createSamplingModel({ provider: () => ({ provider, model: '', maxTokens: 50 }), knownModels }),
        findSecrets,
        openExternal: () => Promise.resolve(),
      },
    });
  });
  afterEach(async () => {
    await host.close();
    await api.close();
  });

  async function start(...args: readonly string[]): Promise<void> {
    await host.configure({ scripted: { command: 'node', args } });
    const state = await host.registry.start(host.server('scripted').id, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind, 'ready', JSON.stringify(state));
  }
  const review = ({ sampling = 'allowOnce', samplingResponse = 'allowOnce' }: Review = {}): void => {
    const usual = host.answer;
    host.answer = (question) => {
      const { kind } = question.detail;
      return kind === 'sampling' ? sampling : kind === 'samplingResponse' ? samplingResponse : usual(question);
    };
  };
  const edited = (sampling: SamplingEdit, choice: 'allowOnce' | 'allowSession' = 'allowOnce'): ReturnType<Answerer> => ({
    choice,
    sampling,
  });
  const asked = (kind: Question['detail']['kind']): Question['detail'][] =>
    host.asked.map(({ detail }) => detail).filter((detail) => detail.kind === kind);

  describe('as the reference server does', () => {
    beforeEach(async () => {
      await start(everything);
      await host.until(() => host.server('scripted').tools.some(({ name }) => name === 'trigger-sampling-request'), 'the tool');
    });
    const trigger = async (): Promise<string> => textOf(await host.call('trigger-sampling-request', { prompt: 'Hi', maxTokens: 10_000 }));

    it('has the edited prompt sent to the model and gets the edited answer, and nothing was asked of the provider before', async () => {
      const requestsBefore: number[] = [];
      const usual = host.ask;
      Object.assign(host, {
        ask: (...[question, signal]: Parameters<typeof usual>) => {
          requestsBefore.push(question.detail.kind === 'sampling' ? api.requests.length : 0);
          return usual(question, signal);
        },
      });
      review({
        sampling: edited({ systemPrompt: 'You are a poet.', texts: ['Greet Ada.'] }),
        samplingResponse: edited({ texts: ['Good day, Ada.'] }),
      });
      api.script([say('Hello Ada!')]);
      const result = await trigger();
      assert.match(result, /Good day, Ada\./);
      assert.doesNotMatch(result, /Hello Ada/);
      const [body] = api.messageBodies;
      assert.deepEqual(
        [body?.max_tokens, JSON.stringify(body?.system), JSON.stringify(body?.messages)].map((part) =>
          String(part).replaceAll(/,"cache_control":\{[^}]*\}/g, ''),
        ),
        ['50', '[{"type":"text","text":"You are a poet."}]', '[{"role":"user","content":[{"type":"text","text":"Greet Ada."}]}]'],
      );
      assert.ok(requestsBefore.every((count) => count === 0));
      const [question] = asked('sampling');
      assert.ok(question?.kind === 'sampling');
      assert.deepEqual(question.during, ['trigger-sampling-request']);
      assert.deepEqual(question.maxTokens, { value: 50, cap: 50, asked: 10_000 });
    });

    it('is told that the person refused, and the model gets nothing', async () => {
      review({ sampling: 'deny' });
      assert.match(textOf(await host.call('trigger-sampling-request', { prompt: 'Hi' })), /User rejected sampling request/);
      assert.equal(api.requests.length, 0);
      review({ samplingResponse: 'deny' });
      assert.match(textOf(await host.call('trigger-sampling-request', { prompt: 'Hi' })), /User rejected sampling request/);
    });

    it('is answered unseen within its budget, and asked about again beyond it', async () => {
      review({ sampling: edited({ budget: { requestsPerHour: 2, tokensPerDay: 10_000 } }, 'allowSession') });
      await trigger();
      await trigger();
      // The first answer was by a model that nobody could name yet; what was remembered is the one that answered.
      assert.equal(asked('sampling').length, 1);
      review({ sampling: 'deny' });
      assert.match(await trigger(), /User rejected sampling request/);
      const question = asked('sampling').at(-1);
      assert.ok(question?.kind === 'sampling' && question.budget.isExceeded);
      assert.equal(api.messageBodies.length, 2);
    });
  });

  for (const [era, revision] of [
    ['modern', '2026-07-28'],
    ['legacy', '2025-11-25'],
  ] as const) {
    describe(`with the official SDK at ${revision}`, () => {
      beforeEach(async function () {
        this.timeout(installMs);
        const modules = await ensurePeer('sdkModern');
        await start(samplingServer, path.join(modules, '@modelcontextprotocol/server'), era);
        const { state } = host.server('scripted');
        assert.equal(state.kind === 'ready' && state.protocolVersion, revision);
      });

      it('has its picture shown and sent', async () => {
        review();
        api.script([say('A pixel.')]);
        assert.match(textOf(await host.call('describe')), /A pixel\./);
        const [question] = asked('sampling');
        assert.ok(question?.kind === 'sampling');
        assert.deepEqual(
          question.messages.map(({ parts }) => parts.map(({ kind }) => kind)),
          [['text', 'image']],
        );
        assert.match(JSON.stringify(api.messageBodies[0]?.messages), /"type":"image","source":\{"type":"base64","media_type":"image\/png"/);
      });

      it('has its picture left out when the person says so', async () => {
        review({ sampling: edited({ leftOutImages: [0] }) });
        api.script([say('Nothing to see.')]);
        assert.match(textOf(await host.call('describe')), /Nothing to see\./);
        const sent = JSON.stringify(api.messageBodies[0]?.messages);
        assert.match(sent, /What is this\?/);
        assert.doesNotMatch(sent, /"type":"image"/);
      });

      it('has its stop sequences changed as the person wants it', async () => {
        review({ sampling: edited({ stopSequences: ['FIN', ''] }) });
        api.script([say('Take an umbrella.')]);
        await host.call('forecast');
        assert.deepEqual(api.messageBodies[0]?.stop_sequences, ['FIN']);
      });

      it('has its tool left out when the person says so, and the model none to choose from', async () => {
        review({ sampling: edited({ leftOutTools: [0] }) });
        api.script([say('Take an umbrella.')]);
        assert.match(textOf(await host.call('forecast')), /Take an umbrella\./);
        const [body] = api.messageBodies;
        assert.deepEqual([body?.tools ?? [], body?.tool_choice], [[], undefined]);
      });

      it('gets the tool that the model asks for, and has its result sent', async () => {
        review();
        api.script([useTools(['get_weather', { city: 'Oslo' }]), say('Take an umbrella.')]);
        assert.match(textOf(await host.call('forecast')), /Take an umbrella\./);
        const [firstBody, secondBody] = api.messageBodies;
        assert.deepEqual(
          firstBody?.tools?.map(({ name }) => name),
          ['get_weather'],
        );
        assert.match(JSON.stringify(secondBody?.messages), /"type":"tool_result".*Rain in Oslo/);
        assert.deepEqual([asked('sampling').length, asked('samplingResponse').length], [2, 2]);
      });

      it('fails its call when the person refuses', async () => {
        review({ sampling: 'deny' });
        const outcome = await host.call('describe');
        assert.notEqual(outcome.kind === 'result' && !outcome.result.isError, true);
        assert.match(JSON.stringify(outcome.kind === 'failed' ? outcome.error.message : outcome), /User rejected sampling request/);
        assert.equal(api.requests.length, 0);
      });
    });
  }
});
