import assert from 'node:assert/strict';
import path from 'node:path';
import { AppError } from '../../../../../src/base/errors.ts';
import type { AuditRecord } from '../../../../../src/consent/audit/auditLog.ts';
import type { Question } from '../../../../../src/contract/questions/questions.ts';
import type { SamplingEdit, SamplingQuestion } from '../../../../../src/contract/questions/samplingQuestions.ts';
import type { ChosenModel, SamplingRequest, SamplingModel } from '../../../../../src/contract/chat/samplingModel.ts';
import { SamplingBudgets } from '../../../../../src/host/features/sampling/samplingBudget.ts';
import { silentLog } from '../../../../../src/base/log.ts';
import { TextInMemory } from '../../../../../src/base/sharedStorage.ts';
import { chosenModel, modelSaying, rejected, sampling } from './samplingSupport.ts';
import { createTestHost, textOf, type TestHost } from '../../support.ts';

const featuresServer = path.join(import.meta.dirname, '../../../../fixtures/servers/featuresServer.mjs');
const signal = new AbortController().signal;

describe('A server that asks for the model', () => {
  let host: TestHost;
  let completed: SamplingRequest[];
  let chosen: ChosenModel;
  let model: SamplingModel;
  let now: number;
  let budgets: SamplingBudgets;
  let recorded: AuditRecord[];

  beforeEach(async () => {
    completed = [];
    chosen = chosenModel;
    recorded = [];
    now = Date.UTC(2026, 0, 1);
    budgets = new SamplingBudgets({ storage: new TextInMemory(), now: () => now, log: silentLog });
    model = modelSaying('Forty-two.', completed);
    host = await createTestHost({
      features: {
        folders: () => [],
        onDidChangeFolders: () => ({ dispose: () => undefined }),
        samplingModel: {
          chooseModel: (wishes) => ({ ...model.chooseModel(wishes), ...chosen }),
          complete: (request, ended) => model.complete(request, ended),
        },
        samplingBudgets: budgets,
        findSecrets: (text) => (text.includes('ghp_1') ? [{ from: text.indexOf('ghp_1'), to: text.indexOf('ghp_1') + 5 }] : []),
        resultsOf: (serverId) => ({ count: 1, text: `results of ${serverId}` }),
        audit: { note: (record) => void recorded.push(record) },
        openExternal: () => Promise.resolve(),
      },
    });
    await host.configure({ scripted: { command: 'node', args: [featuresServer] } });
    assert.equal((await host.registry.start(host.server('scripted').id, { ask: host.ask, signal })).kind, 'ready');
  });
  afterEach(() => host.close());

  const ask = async (more: object = {}): Promise<{ result?: Record<string, unknown>; error?: unknown }> =>
    JSON.parse(textOf(await host.call('ask', { method: 'sampling/createMessage', params: { ...sampling, ...more } }))) as object;
  const questions = <Kind extends Question['detail']['kind']>(kind: Kind): Extract<Question['detail'], { kind: Kind }>[] =>
    host.asked.map(({ detail }) => detail).filter((detail): detail is Extract<Question['detail'], { kind: Kind }> => detail.kind === kind);
  /** How the person answers the request and then the response. */
  const answering = (
    request: 'deny' | 'denyAlways' | 'allowOnce' | 'allowSession' | 'allowWorkspace',
    response: 'deny' | 'allowOnce' = 'allowOnce',
    edits: { request?: SamplingEdit; response?: SamplingEdit } = {},
  ): void => {
    const usual = host.answer;
    host.answer = (question) => {
      const { kind } = question.detail;
      if (kind !== 'sampling' && kind !== 'samplingResponse') {
        return usual(question);
      }
      const edit = kind === 'sampling' ? edits.request : edits.response;
      return { choice: kind === 'sampling' ? request : response, ...(edit && { sampling: edit }) };
    };
  };

  it('gets the answer after the person saw the whole request, with its limits, and the answer', async () => {
    answering('allowOnce');
    const answer = await ask({
      systemPrompt: 'Use ghp_1.',
      temperature: 7,
      stopSequences: ['END'],
      metadata: { team: 'x' },
      modelPreferences: { hints: [{ name: 'son' }], costPriority: 0.5 },
    });
    const content = { type: 'text', text: 'Forty-two.' };
    assert.deepEqual(answer, { result: { role: 'assistant', content, model: 'model-1', stopReason: 'endTurn' } });
    const expected: SamplingQuestion = {
      kind: 'sampling',
      server: 'scripted',
      during: ['ask'],
      systemPrompt: { text: 'Use ghp_1.', secrets: [{ from: 4, to: 9 }] },
      messages: [{ role: 'user', parts: [{ kind: 'text', text: 'What⟨U+200B⟩ is it?', secrets: [] }] }],
      model: 'model-1',
      destination: 'https://model.example',
      chosenBy: 'chat',
      models: ['model-1'],
      hints: ['son'],
      priorities: [{ name: 'cost', value: 0.5 }],
      maxTokens: { value: 4_096, cap: 4_096, asked: 1_000_000 },
      temperature: { value: 1, isSent: false, asked: 7 },
      stopSequences: [{ text: 'END', secrets: [] }],
      tools: [],
      metadata: '{\n  "team": "x"\n}',
      budget: { requestsPerHour: 20, tokensPerDay: 100_000, requests: 0, tokens: 0, isExceeded: false },
    };
    assert.deepEqual(questions('sampling'), [expected]);
    assert.deepEqual(questions('samplingResponse'), [
      {
        kind: 'samplingResponse',
        server: 'scripted',
        model: 'model-1',
        parts: [{ kind: 'text', text: 'Forty-two.', secrets: [] }],
        stopReason: 'endTurn',
        usage: { inputTokens: 10, outputTokens: 5 },
      },
    ]);
    assert.deepEqual(completed, [
      {
        model: 'model-1',
        destination: 'https://model.example',
        systemPrompt: 'Use ghp_1.',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'What\u200B is it?' }] }],
        stopSequences: ['END'],
        tools: [],
        toolChoice: undefined,
        maxTokens: 4_096,
        temperature: 1,
      },
    ]);
    assert.deepEqual(
      recorded.map(({ durationMs, ...record }) => [record, typeof durationMs]),
      [
        [
          { principal: 'host', peer: 'scripted', action: 'useModel', subject: 'model-1', decidedBy: 'person', outcome: 'succeeded' },
          'number',
        ],
      ],
    );
  });

  it('is answered with what the person made of its request, and gets what they made of the answer', async () => {
    answering('allowOnce', 'allowOnce', {
      request: { systemPrompt: 'Be kind.', texts: ['What is this?'], model: 'model-2', maxTokens: 7, context: 'one result' },
      response: { texts: ['Forty-three.'] },
    });
    const answer = await ask({ systemPrompt: 'Be brief.' });
    assert.deepEqual(
      completed.map(({ systemPrompt, messages, model: used, maxTokens }) => ({ systemPrompt, messages, used, maxTokens })),
      [
        {
          systemPrompt: 'Be kind.',
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: "What this server's tools returned in the conversation so far:\n\none result" },
                { type: 'text', text: 'What is this?' },
              ],
            },
          ],
          used: 'model-2',
          maxTokens: 7,
        },
      ],
    );
    assert.deepEqual(answer.result?.['content'], { type: 'text', text: 'Forty-three.' });
  });

  it('cannot get a longer answer than the settings allow by what a page sends back', async () => {
    answering('allowOnce', 'allowOnce', { request: { maxTokens: 900_000 } });
    await ask();
    assert.deepEqual(
      completed.map(({ maxTokens }) => maxTokens),
      [4_096],
    );
  });

  it('gets an error when what came back from the page does not fit what was shown', async () => {
    answering('allowOnce', 'allowOnce', { request: { texts: ['a', 'b'] } });
    assert.match(JSON.stringify(await ask()), /cannot be sent/);
    answering('allowOnce', 'allowOnce', { response: { texts: ['a', 'b'] } });
    assert.deepEqual(await ask(), rejected);
    assert.equal(completed.length, 1);
  });

  for (const wish of ['thisServer', 'allServers'] as const) {
    it(`is offered its own results and no other for ${wish}, which go along only when the person says so`, async () => {
      answering('allowOnce');
      await ask({ includeContext: wish });
      assert.equal(questions('sampling')[0]?.context?.text, `results of ${host.server('scripted').id}`);
      assert.doesNotMatch(JSON.stringify(completed), /results of/);
    });
  }

  it('gets error -1 when the person refuses the request, or the answer to it', async () => {
    answering('deny');
    assert.deepEqual(await ask(), rejected);
    assert.deepEqual([completed.length, questions('samplingResponse').length], [0, 0]);
    answering('allowOnce', 'deny');
    assert.deepEqual(await ask(), rejected);
    assert.equal(completed.length, 1);
  });

  it('that is refused for good is refused without a question', async () => {
    answering('denyAlways');
    assert.deepEqual([await ask(), await ask()], [rejected, rejected]);
    assert.deepEqual([questions('sampling').length, completed.length], [1, 0]);
  });

  for (const choice of ['allowSession', 'allowWorkspace'] as const) {
    it(`is asked about once and answered unseen after that with ${choice}, by the model that the person chose`, async () => {
      answering(choice, 'allowOnce', { request: { model: 'model-2' } });
      await ask();
      const later = await ask();
      assert.deepEqual([questions('sampling').length, questions('samplingResponse').length], [1, 1]);
      assert.deepEqual([completed.map((each) => each.model), later.result?.['model']], [['model-2', 'model-2'], 'model-2']);
      assert.deepEqual(
        recorded.map(({ decidedBy, outcome }) => [decidedBy, outcome]),
        [
          ['person', 'succeeded'],
          ['remembered', 'succeeded'],
        ],
      );
      assert.deepEqual(
        host.ledger
          .answers()
          .filter(({ action }) => action === 'useModel')
          .map(({ material: { server, ...material } }) => [material, typeof server]),
        [[{ model: 'model-2', destination: 'https://model.example', maxTokens: 4_096 }, 'string']],
      );
    });
  }

  it('is asked about again when another model would answer, or a longer answer is allowed', async () => {
    answering('allowSession');
    await ask();
    chosen = { ...chosen, model: 'dear-model' };
    await ask();
    chosen = { ...chosen, maxTokens: 8_000 };
    await ask();
    assert.deepEqual(
      host.asked
        .filter(({ detail }) => detail.kind === 'sampling')
        .map(({ why, differences }) => [why, differences.map(({ field }) => field)]),
      [
        ['new', []],
        ['changed', ['model']],
        ['changed', ['maxTokens']],
      ],
    );
  });

  it('whose answer was refused is not remembered as allowed', async () => {
    answering('allowSession', 'deny');
    await ask();
    await ask();
    assert.equal(questions('sampling').length, 2);
  });

  it('is asked about again when its requests of an hour are used up, and unseen again an hour later', async () => {
    answering('allowSession', 'allowOnce', { request: { budget: { requestsPerHour: 2, tokensPerDay: 100_000 } } });
    await ask();
    await ask();
    assert.equal(questions('sampling').length, 1);
    await ask();
    const { requests, requestsPerHour, isExceeded } = questions('sampling')[1]?.budget ?? {};
    assert.deepEqual([requests, requestsPerHour, isExceeded], [2, 2, true]);
    now += 3_600_001;
    await ask();
    assert.deepEqual([questions('sampling').length, completed.length], [2, 4]);
  });

  it('is asked about again when its tokens of a day are used up, which are those that the provider counted', async () => {
    answering('allowSession', 'allowOnce', { request: { budget: { requestsPerHour: 20, tokensPerDay: 4_150 } } });
    await ask();
    assert.deepEqual((await budgets.look(host.server('scripted').id, 0)).tokens, 15);
    await ask({ maxTokens: 4_000 });
    await ask({ maxTokens: 4_096, systemPrompt: 'x'.repeat(300) });
    assert.deepEqual([questions('sampling').length, questions('sampling')[1]?.budget.isExceeded], [2, true]);
  });

  it('cannot flood the person with questions', async () => {
    answering('allowOnce');
    const answers: string[] = [];
    for (let count = 0; count < 25; count += 1) {
      answers.push(JSON.stringify(await ask()));
    }
    assert.equal(questions('sampling').length, 20);
    assert.match(answers.at(-1) ?? '', /Too many requests/);
  });

  it('gets a clear error without a question when there is no model, or it sends what cannot be shown', async () => {
    const svg = { type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' };
    assert.match(JSON.stringify(await ask({ messages: [{ role: 'user', content: svg }] })), /PNG, JPEG, GIF and WebP/);
    assert.match(JSON.stringify(await ask({ metadata: { long: 'x'.repeat(200_000) } })), /at most 200000 characters/);
    model = {
      ...model,
      chooseModel: () => {
        throw new AppError('chat.noSamplingModel', 'There is no language model here.');
      },
    };
    assert.match(JSON.stringify(await ask()), /There is no language model here/);
    assert.equal(questions('sampling').length, 0);
  });

  it('that stops while the model answers leaves no request and no question behind', async () => {
    answering('allowOnce');
    let ended: AbortSignal | undefined;
    const begun = new Promise<void>((resolve) => {
      model = {
        ...model,
        complete: (_, stop) => {
          ended = stop;
          resolve();
          return new Promise((__, reject) => stop.addEventListener('abort', () => reject(stop.reason as Error), { once: true }));
        },
      };
    });
    const outcome = ask().catch(() => undefined);
    await begun;
    await host.registry.stop(host.server('scripted').id);
    await outcome;
    await host.until(() => recorded.length === 1, 'the record');
    assert.deepEqual([ended?.aborted, recorded[0]?.outcome, questions('samplingResponse').length], [true, 'cancelled', 0]);
  });

  it('shows images, tools and their results, and gets the tool that the model asks for', async () => {
    answering('allowOnce', 'allowOnce', { response: { texts: [null, '{"city": "Rome"}'] } });
    model = {
      ...model,
      complete: (request) => {
        completed.push(request);
        return Promise.resolve({
          model: 'model-1',
          content: [
            { type: 'text', text: 'Let me look.' },
            { type: 'toolUse', id: 'use-2', name: 'weather', input: { city: 'Paris' } },
          ],
          stopReason: 'toolUse',
          usage: { inputTokens: 1, outputTokens: 1 },
        });
      },
    };
    const weather = { name: 'weather', description: 'Tells it.', inputSchema: { type: 'object' } };
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'use-1', name: 'weather', input: { city: 'Oslo' } }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'use-1', content: [{ type: 'text', text: 'Rain' }] }] },
    ];
    const answer = await ask({ messages, tools: [weather], toolChoice: { mode: 'required' } });
    const [question] = questions('sampling');
    assert.ok(question);
    assert.deepEqual(
      question.messages.map(({ parts }) => parts.map(({ kind }) => kind)),
      [['text', 'image', 'audio'], ['toolUse'], ['toolResult', 'text']],
    );
    assert.equal(question.tools[0]?.inputSchema.text, '{\n  "type": "object"\n}');
    assert.deepEqual([completed[0]?.toolChoice, completed[0]?.tools], ['required', [weather]]);
    assert.deepEqual(answer.result, {
      role: 'assistant',
      model: 'model-1',
      stopReason: 'toolUse',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'use-2', name: 'weather', input: { city: 'Rome' } },
      ],
    });
  });

  const use = { type: 'tool_use', id: 'u', name: 'n', input: {} };
  const result = { type: 'tool_result', toolUseId: 'u', content: [] };
  const text = { type: 'text', text: 'x' };
  for (const [what, messages, error] of [
    ['a use of a tool without its result', [{ role: 'assistant', content: use }], /Tool result missing/],
    ['a result of what was not used', [{ role: 'user', content: result }], /Tool result missing/],
    [
      'a result beside other content',
      [
        { role: 'assistant', content: use },
        { role: 'user', content: [result, text] },
      ],
      /Tool results mixed with other content/,
    ],
  ] as const) {
    it(`is told what is wrong with ${what}, without a question`, async () => {
      const { error: told } = await ask({ messages });
      assert.match(JSON.stringify(told), error);
      assert.match(JSON.stringify(told), /-32602/);
      assert.equal(questions('sampling').length, 0);
    });
  }
});
