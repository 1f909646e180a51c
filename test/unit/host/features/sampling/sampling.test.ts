import assert from 'node:assert/strict';
import { once } from 'node:events';
import { silentLog } from '../../../../../src/base/log.ts';
import { TextInMemory } from '../../../../../src/base/sharedStorage.ts';
import { ConsentGate, type Ask } from '../../../../../src/consent/consentGate.ts';
import { Ledger } from '../../../../../src/consent/ledger.ts';
import type { PersonAnswer } from '../../../../../src/contract/questions/questions.ts';
import type { SamplingQuestion } from '../../../../../src/contract/questions/samplingQuestions.ts';
import type { ChosenModel, SamplingModel, SamplingRequest } from '../../../../../src/contract/chat/samplingModel.ts';
import { createGuard } from '../../../../../src/host/features/handlerContext.ts';
import { OpenCalls } from '../../../../../src/host/features/openCalls.ts';
import { SamplingAnswers } from '../../../../../src/host/features/sampling/sampling.ts';
import { SamplingBudgets } from '../../../../../src/host/features/sampling/samplingBudget.ts';
import type { SamplingParams } from '../../../../../src/host/features/sampling/samplingRequest.ts';
import { MemoryStorage } from '../../support.ts';
import { answerOf, chosenModel } from './samplingSupport.ts';

const { signal } = new AbortController();
const params: SamplingParams = { messages: [{ role: 'user', content: { type: 'text', text: 'Go on.' } }], maxTokens: 4_096 };
const serverId = 'workspace//demo';
const ends = (ended: AbortSignal): Promise<never> => once(ended, 'abort').then(() => Promise.reject(ended.reason as Error));

describe('A request for the model', () => {
  let ledger: Ledger;
  let gate: ConsentGate;
  let storage: TextInMemory;
  let budgets: SamplingBudgets;
  let asked: SamplingQuestion[];
  let sent: SamplingRequest[];
  let chosen: ChosenModel;
  let identity: string;
  let complete: SamplingModel['complete'];
  let answer: Omit<PersonAnswer, 'askId'>;
  let handler: SamplingAnswers;

  beforeEach(() => {
    ledger = new Ledger({ storage: new MemoryStorage(), workspace: '/w', now: () => new Date(0), log: silentLog });
    gate = new ConsentGate(ledger);
    storage = new TextInMemory();
    budgets = new SamplingBudgets({ storage, log: silentLog });
    [asked, sent] = [[], []];
    [chosen, identity] = [chosenModel, 'as it was started'];
    answer = { choice: 'allowSession' };
    complete = () => Promise.resolve(answerOf('model-1', 'Well.'));
    const ask: Ask = ({ askId, detail }) => {
      if (detail.kind === 'sampling') {
        asked.push(detail);
      }
      return Promise.resolve({ askId, ...(detail.kind === 'sampling' ? answer : { choice: 'allowOnce' as const }) });
    };
    handler = new SamplingAnswers({
      serverId,
      identity: () => identity,
      label: () => 'demo',
      folder: undefined,
      gate,
      log: silentLog,
      guard: createGuard(),
      calls: new OpenCalls(),
      ports: {
        ask,
        folders: () => [],
        onDidChangeFolders: () => ({ dispose: () => undefined }),
        samplingModel: {
          chooseModel: () => chosen,
          complete: (request, ended, onUsage) => {
            sent.push(request);
            return complete(request, ended, onUsage);
          },
        },
        samplingBudgets: budgets,
        findSecrets: () => [],
        resultsOf: (id) => ({ count: 1, text: `results of ${id}` }),
        openExternal: () => Promise.resolve(),
      },
    });
  });
  afterEach(() => {
    gate.dispose();
    ledger.dispose();
  });
  const spent = async (): Promise<number> => (await budgets.look(serverId, 0)).tokens;

  it('names who would hear it, is bound to that, and is asked about again when it is somebody else', async () => {
    await handler.answer(params, [], signal);
    await handler.answer(params, [], signal);
    assert.equal(asked.length, 1);
    chosen = { ...chosenModel, destination: 'http://elsewhere.example' };
    await handler.answer(params, [], signal);
    const [here, there] = [chosenModel.destination, 'http://elsewhere.example'];
    assert.deepEqual(
      asked.map(({ destination }) => destination),
      [here, there],
    );
    assert.deepEqual(
      sent.map(({ destination }) => destination),
      [here, here, there],
    );
  });

  it('is asked about again when another program makes it under the name of the server', async () => {
    await handler.answer(params, [], signal);
    identity = 'started from something else';
    await handler.answer(params, [], signal);
    assert.equal(asked.length, 2);
  });

  it('that is broken off late stays paid for at the most that it can have taken', async () => {
    await handler.answer(params, [], signal);
    const before = await spent();
    const leaving = new AbortController();
    complete = (_, ended) => {
      leaving.abort();
      return Promise.reject(ended.reason as Error);
    };
    await assert.rejects(handler.answer(params, [], leaving.signal));
    assert.ok((await spent()) - before > 4_096, String(await spent()));
  });

  it('that the model refuses stays paid for, at what was used where that was even more', async () => {
    complete = (_, __, onUsage) => {
      onUsage?.({ inputTokens: 9_000, outputTokens: 1_000 });
      return Promise.reject(new Error('refused'));
    };
    await assert.rejects(handler.answer(params, [], signal));
    assert.equal(await spent(), 10_000);
  });

  it('that nobody sees ends when the answer that allowed it is taken back', async () => {
    await handler.answer(params, [], signal);
    const stopped: boolean[] = [];
    complete = async (_, ended) => {
      const over = ends(AbortSignal.any([ended, AbortSignal.timeout(2_000)]));
      await ledger.revoke(...ledger.answers().map(({ id }) => id));
      stopped.push(ended.aborted);
      return over;
    };
    await assert.rejects(handler.answer(params, [], signal), /User rejected sampling request/);
    assert.deepEqual(stopped, [true]);
  });

  it('is not answered unseen when what allowed it was taken back in the very moment of the answer', async () => {
    await handler.answer(params, [], signal);
    complete = async () => {
      await ledger.revoke(...ledger.answers().map(({ id }) => id));
      return answerOf('model-1', 'Too late.');
    };
    await assert.rejects(handler.answer(params, [], signal), /User rejected sampling request/);
  });

  it('is remembered with the longest answer that was shown, whatever the settings say by then', async () => {
    complete = () => {
      chosen = { ...chosen, maxTokens: 64_000, model: 'dear-model' };
      return Promise.resolve(answerOf('model-1', 'Well.'));
    };
    await handler.answer(params, [], signal);
    assert.deepEqual(
      ledger.answers().map(({ material }) => material),
      [{ model: 'model-1', destination: chosenModel.destination, maxTokens: 4_096, server: 'as it was started' }],
    );
    await handler.answer(params, [], signal);
    assert.deepEqual(
      asked.map(({ maxTokens }) => maxTokens.cap),
      [4_096, 64_000],
    );
  });

  it('is asked about again when nobody knows any more what the server has spent', async () => {
    await handler.answer(params, [], signal);
    await storage.modify((text) => (text ?? '').slice(0, -5));
    await handler.answer(params, [], signal);
    await handler.answer(params, [], signal);
    assert.equal(asked.length, 2);
  });

  it('is not remembered when the budget that it is to keep to cannot be kept', async () => {
    answer = { choice: 'allowSession', sampling: { budget: { requestsPerHour: 1, tokensPerDay: 1 } } };
    budgets.setLimits = () => Promise.resolve(false);
    await handler.answer(params, [], signal);
    assert.deepEqual([ledger.answers(), sent.length], [[], 1]);
  });

  it('that is refused changes the budget all the same where the person changed it', async () => {
    answer = { choice: 'deny', sampling: { budget: { requestsPerHour: 1, tokensPerDay: 7 } } };
    await assert.rejects(handler.answer(params, [], signal), /User rejected/);
    assert.deepEqual((await budgets.look(serverId, 0)).tokensPerDay, 7);
  });

  it('gets the results that the person adds also where no message of a user is in it', async () => {
    answer = { choice: 'allowOnce', sampling: { context: 'one result' } };
    const messages: SamplingParams['messages'] = [{ role: 'assistant', content: { type: 'text', text: 'I begin' } }];
    await handler.answer({ ...params, messages, includeContext: 'thisServer' }, [], signal);
    assert.deepEqual(
      sent[0]?.messages.map(({ role, content }) => [role, content.length]),
      [
        ['user', 1],
        ['assistant', 1],
      ],
    );
    assert.match(JSON.stringify(sent), /one result/);
  });

  it('is offered the results of the server that asks, by its id', async () => {
    await handler.answer({ ...params, includeContext: 'thisServer' }, [], signal);
    assert.equal(asked[0]?.context?.text, `results of ${serverId}`);
  });
});
