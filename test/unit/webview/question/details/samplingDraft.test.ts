import assert from 'node:assert/strict';
import { extentOf } from '../../../../../src/webview/question/answerDraft.ts';
import type { QuestionDetail } from '../../../../../src/contract/questions/questions.ts';
import { editOf, estimateOf, initialValues, problemOf, refusedEdit } from '../../../../../src/webview/question/details/samplingDraft.ts';
import { budgetLine, costLine, requestFacts } from '../../../../../src/webview/question/details/samplingTexts.ts';
import { samplingQuestion } from '../samplingQuestion.ts';

const response: QuestionDetail = {
  kind: 'samplingResponse',
  server: 'demo',
  model: 'm',
  parts: [
    { kind: 'text', text: 'Yes.', secrets: [] },
    { kind: 'toolUse', tool: 'weather', input: '{}', secrets: [] },
  ],
  stopReason: 'toolUse',
  usage: { inputTokens: 1, outputTokens: 1 },
};

const image = { kind: 'image', mimeType: 'image/png', data: 'AAAA', bytes: 3, isSent: true } as const;
const marked = (text: string): { text: string; secrets: [] } => ({ text, secrets: [] });
const rich = samplingQuestion({
  messages: [{ role: 'user', parts: [{ kind: 'text', ...marked('Look.') }, image, image] }],
  stopSequences: [marked('END'), marked('STOP')],
  tools: [
    { name: 'weather', description: marked('Tells the weather.'), inputSchema: marked('{}') },
    { name: 'secrets', description: marked('Tells all secrets.'), inputSchema: marked('{"type": "object"}') },
  ],
});

describe('What a person changes in a request for the model', () => {
  it('goes back alone: what is as it was is left out', () => {
    const detail = samplingQuestion({ context: { results: 1, text: 'r', secrets: [] } });
    const before = initialValues(detail);
    assert.deepEqual(editOf(detail, before, { ...before, remember: 'session' }), {});
    assert.deepEqual(
      editOf(detail, before, {
        ...before,
        systemPrompt: 'Be kind.',
        texts: ['Why?'],
        model: ' claude-haiku-5-5 ',
        maxTokens: '5',
        usesContext: true,
        requestsPerHour: '3',
      }),
      {
        systemPrompt: 'Be kind.',
        texts: ['Why?'],
        model: 'claude-haiku-5-5',
        maxTokens: 5,
        context: 'r',
        budget: { requestsPerHour: 3, tokensPerDay: 100_000 },
      },
    );
    const answered = initialValues(response);
    assert.deepEqual(editOf(response, answered, { ...answered, texts: ['Yes.', '{"city": "Rome"}'] }), {
      texts: [null, '{"city": "Rome"}'],
    });
  });

  it('says which images and tools are left out, and what stop sequences say now', () => {
    const before = initialValues(rich);
    assert.deepEqual(editOf(rich, before, before), {});
    const changed = { ...before, leftOutImages: [false, true], stopSequences: ['END', ''], leftOutTools: [true, false] };
    assert.deepEqual(editOf(rich, before, changed), { leftOutImages: [1], stopSequences: [null, ''], leftOutTools: [0] });
  });

  it('costs less without an image or a tool', () => {
    const values = initialValues(rich);
    const withoutTools = { ...values, leftOutTools: [true, true] };
    const tokens = (now: typeof values): number => estimateOf(rich, now).inputTokens;
    assert.ok(tokens(withoutTools) < tokens(values));
    assert.ok(tokens({ ...values, leftOutImages: [true, false] }) < tokens(values));
  });

  it('cannot be sent when nothing is left of it', () => {
    const values = initialValues(rich);
    const texts = values.texts.map(() => '');
    assert.equal(problemOf(rich, { ...values, texts, leftOutImages: [true, false] }), undefined);
    assert.match(problemOf(rich, { ...values, texts, leftOutImages: [true, true] }) ?? '', /no message/);
  });

  it('cannot be sent without a message, beyond the limits, or with tool arguments that are no JSON object', () => {
    const detail = samplingQuestion();
    const before = initialValues(detail);
    assert.equal(problemOf(detail, before), undefined);
    assert.match(problemOf(detail, { ...before, texts: [' '] }) ?? '', /no message/);
    for (const maxTokens of ['', '0', '9000', '1.5', 'many']) {
      assert.match(problemOf(detail, { ...before, maxTokens }) ?? '', /from 1 to 8,192/, maxTokens);
    }
    assert.match(problemOf(detail, { ...before, tokensPerDay: '-1' }) ?? '', /whole numbers/);
    assert.match(problemOf(response, { ...initialValues(response), texts: ['', '[]'] }) ?? '', /JSON object/);
  });

  it('keeps the budget that the person changed when they refuse it, where it is one', () => {
    const detail = samplingQuestion();
    const before = initialValues(detail);
    const changed = { ...before, systemPrompt: 'Other', tokensPerDay: '7' };
    assert.deepEqual(refusedEdit(detail, before, changed), { budget: { requestsPerHour: 20, tokensPerDay: 7 } });
    assert.equal(refusedEdit(detail, before, { ...changed, tokensPerDay: 'many' }), undefined);
    assert.equal(refusedEdit(detail, before, { ...before, systemPrompt: 'Other' }), undefined);
  });

  it('covers something else, to be seen anew, once results are added to it', () => {
    const values = initialValues(samplingQuestion());
    assert.notEqual(extentOf(false, values), extentOf(false, { ...values, usesContext: true }));
  });

  it('is estimated by its length, at list prices where the model is known, and says so', () => {
    const detail = samplingQuestion();
    const values = initialValues(detail);
    assert.deepEqual(estimateOf(detail, values), { inputTokens: 7, outputTokens: 1_000, cost: (7 * 2 + 1_000 * 10) / 1_000_000 });
    assert.match(
      costLine(detail, values),
      /^Estimate: about 7 tokens in, at most 1,000 out, together about 0\.01 US dollars \(list prices of 2026/,
    );
    assert.match(costLine(detail, { ...values, model: 'house-model' }), /Cost unknown/);
  });

  it('shows what else the server wants, and what is not done of it', () => {
    const facts = requestFacts(
      samplingQuestion({
        hints: ['sonnet'],
        priorities: [{ name: 'cost', value: 0.5 }],
        temperature: { value: 1, asked: 7, isSent: false },
        metadata: '{}',
      }),
    );
    assert.deepEqual(facts, [
      ['Model hints', 'sonnet'],
      ['Priorities', 'low cost 0.5'],
      ['Temperature', '1, the nearest that is allowed to the 7 it asked for (not sent: your provider’s models take none)'],
      ['Metadata', '{} (shown only: it is not sent)'],
    ]);
    assert.equal(
      budgetLine({ requestsPerHour: 20, tokensPerDay: 100_000, requests: 2, tokens: 1_200, isExceeded: false }),
      '2 of 20 requests in the last hour, 1,200 of 100,000 tokens in the last 24 hours',
    );
  });
});
