import assert from 'node:assert/strict';
import { hasCode } from '../../../../src/base/errors.ts';
import type { PersonAnswer, Question } from '../../../../src/contract/questions/questions.ts';
import { askingUntilFit, parseArguments } from '../../../../src/host/tools/askedCall.ts';
import { callQuestion } from '../../../../src/host/tools/callQuestion.ts';

const tool = {
  name: 't',
  title: undefined,
  description: '',
  inputSchema: { type: 'object' },
  outputSchema: undefined,
  annotations: undefined,
};
const detail = callQuestion({ serverId: 's', server: 's', identity: 'i', tool, risk: 'unknown' }, { kind: 'model', name: 'm' }, { a: 1 });
const rules = [{ what: { kind: 'exactArguments' as const }, scopes: ['session' as const] }];
const first: Question = {
  askId: '1',
  detail: { ...detail, rules },
  choices: ['deny', 'allowOnce', 'allowWhen'],
  why: 'new',
  differences: [],
};
const signal = new AbortController().signal;

const places = [{ path: ['a'], keyword: 'const', wanted: '', reason: 'must be 2' }];

/** The person gives these answers one after the other; only `{"a":2}` fits. */
async function answered(...answers: readonly Omit<PersonAnswer, 'askId'>[]): Promise<{ answer: PersonAnswer; asked: Question[] }> {
  const asked: Question[] = [];
  const left = [...answers];
  const ask = askingUntilFit(
    (question) => {
      asked.push(question);
      const next = left.shift();
      assert.ok(next);
      return Promise.resolve({ askId: question.askId, ...next });
    },
    {
      refusalOf: (args) => Promise.resolve(args['a'] === 2 ? undefined : { reason: 'a must be 2', places }),
      knowledgeOf: () => Promise.resolve({ place: { kind: 'thisMachine' }, carried: [], compared: 7, isPartly: false }),
    },
  );
  return { answer: await ask(first, signal), asked };
}

const seen = ({ detail: each }: Question): unknown =>
  each.kind === 'callTool' && [each.arguments.replace(/\s/g, ''), each.refusal, each.refusals, each.knows?.compared];

describe('A question about arguments that the person may change', () => {
  it('is over at once where they left them as they were asked for', async () => {
    const { answer, asked } = await answered({ choice: 'allowOnce' });
    assert.deepEqual([answer.arguments, asked.length], [undefined, 1]);
  });

  it('comes again with the reason and new knowledge while they are refused, until they are mended', async () => {
    const { answer, asked } = await answered({ choice: 'allowOnce', arguments: '{"a":3}' }, { choice: 'allowOnce', arguments: '{"a":2}' });
    assert.deepEqual(asked.map(seen), [
      ['{"a":1}', undefined, undefined, undefined],
      ['{"a":3}', 'a must be 2', places, 7],
    ]);
    assert.equal(answer.arguments, '{"a":2}');
    assert.equal(new Set(asked.map(({ askId }) => askId)).size, 2);
  });

  it('offers no rules when it comes again, because they were made for other arguments', async () => {
    const { asked } = await answered({ choice: 'allowOnce', arguments: '{"a":3}' }, { choice: 'allowOnce', arguments: '{"a":2}' });
    assert.deepEqual(
      asked.map((question) => [question.choices, question.detail.kind === 'callTool' && question.detail.rules]),
      [
        [['deny', 'allowOnce', 'allowWhen'], rules],
        [['deny', 'allowOnce'], undefined],
      ],
    );
  });

  it('comes again also where they leave what was refused as it came back', async () => {
    const { answer, asked } = await answered(
      { choice: 'allowOnce', arguments: '{"a":3}' },
      { choice: 'allowOnce' },
      { choice: 'allowOnce', arguments: '{"a":2}' },
    );
    assert.deepEqual([asked.length, answer.arguments], [3, '{"a":2}']);
  });

  it('is over when they refuse, whatever they wrote', async () => {
    for (const choice of ['deny', 'denyAlways', 'cancel'] as const) {
      assert.equal((await answered({ choice, arguments: '{"a":3}' })).asked.length, 1);
      const again = await answered({ choice: 'allowOnce', arguments: '{"a":3}' }, { choice });
      assert.deepEqual([again.asked.length, again.answer.choice], [2, choice]);
    }
  });

  it('takes no arguments that would be sent otherwise than they are written', () => {
    for (const text of ['{"a":1,"a":2}', '{"a":9007199254740993}', '{"a":1e999}']) {
      assert.throws(
        () => parseArguments(text),
        (error) => hasCode(error, 'host.inexactArguments'),
      );
    }
    assert.throws(
      () => parseArguments('[]'),
      (error) => hasCode(error, 'host.badArguments'),
    );
  });
});

describe('The question about a call', () => {
  it('shows arguments with a name of any length as JSON, because every field of a form would repeat it', () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const formFor = (name: string): unknown =>
      callQuestion(
        { serverId: 's', server: 's', identity: 'i', tool: { ...tool, inputSchema }, risk: 'unknown' },
        { kind: 'model', name: 'm' },
        { a: [{ [name]: 1 }] },
      ).form;
    assert.notEqual(formFor('k'.repeat(1_000)), undefined);
    assert.equal(formFor('k'.repeat(1_001)), undefined);
  });
});
