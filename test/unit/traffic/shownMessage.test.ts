import assert from 'node:assert/strict';
import { ownTime } from '../../support/longestBlock.ts';
import { keepMessage, toShownMessage, type MaskText } from '../../../src/traffic/shownMessage.ts';

const mask: MaskText = (text) => text.replaceAll(/sesame-\d{1,40}/g, '[redacted]');
const asIs: MaskText = (text) => text;

describe('A message as it is shown', () => {
  it('is the message itself, with its size', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { list: [1, true, null, 'a'] } } };
    const shown = toShownMessage(message, asIs);
    assert.deepEqual(JSON.parse(shown.text), message);
    assert.deepEqual([shown.isCut, shown.hasSecrets], [false, false]);
    assert.ok(Math.abs(shown.size - JSON.stringify(message).length) < 10, `${shown.size} is no size of ${JSON.stringify(message).length}`);
  });

  it('has no secret, whether its name tells or its look, in values, in names and in texts that are JSON themselves', () => {
    const shown = toShownMessage(
      {
        params: {
          password: 'correct horse',
          api_key: 'k1',
          headers: { Authorization: 'Bearer abc' },
          text: '{"inner":"sesame-7"}',
          'sesame-8': 1,
          list: ['sesame-9'],
        },
      },
      mask,
    );
    assert.deepEqual(JSON.parse(shown.text), {
      params: {
        password: '[redacted]',
        api_key: '[redacted]',
        headers: { Authorization: '[redacted]' },
        text: '{"inner":"[redacted]"}',
        '[redacted]': 1,
        list: ['[redacted]'],
      },
    });
    assert.ok(shown.hasSecrets);
  });

  it('has nothing of what stands under the name of a secret, whatever its type; what a schema says of one stays', () => {
    const schema = { properties: { password: { type: 'string', description: 'Yours' } } };
    const message = { password: 12_345_678, authorization: { value: 'hunter2', list: [{ pin: 1 }] }, pass: 'x', hasPin: true, schema };
    assert.deepEqual(JSON.parse(toShownMessage(message, asIs).text), {
      password: '[redacted]',
      authorization: { value: '[redacted]', list: [{ pin: '[redacted]' }] },
      pass: '[redacted]',
      hasPin: true,
      schema,
    });
  });

  it('keeps what only sounds like a secret: tokens of progress and of pages, and numbers', () => {
    const message = { _meta: { progressToken: 'p-1' }, nextPageToken: 'n', maxTokens: 5, keyword: 'k', primaryKey: 'id' };
    assert.deepEqual(JSON.parse(toShownMessage(message, mask).text), message);
  });

  it('is cut where it grows too long, stays JSON, and still says its whole size', () => {
    const message = { first: 'x'.repeat(300), then: ['y'.repeat(500), 'z'.repeat(500), 'w'], last: { a: 1 } };
    const shown = toShownMessage(message, asIs, 1_000);
    assert.ok(shown.isCut);
    assert.ok(shown.text.length < 1_100, `it has ${shown.text.length} characters`);
    assert.equal((JSON.parse(shown.text) as { first: string }).first, message.first);
    assert.ok(shown.size > 1_300, `it says ${shown.size}`);
  });

  it('shows no half of a secret that stands where it is cut', () => {
    for (const before of [980, 985, 990, 995, 999]) {
      const { text } = toShownMessage(`${'a'.repeat(before)}sesame-${'1'.repeat(30)}${'b'.repeat(9_000)}`, mask, 1_000);
      assert.ok(!/s?esame-\d/.test(text), text.slice(-60));
    }
  });

  it('shows nothing behind a cut, even where much that came before was a secret', () => {
    const secret = `sesame-${'1'.repeat(31)}`; // so long that what is looked at ends within one
    const { text } = toShownMessage(secret.repeat(200), mask, 1_000);
    assert.equal(text, '"…"');
  });

  it('ends at a depth that nothing honest has', () => {
    let deep: unknown = 'end';
    for (let depth = 0; depth < 200; depth += 1) {
      deep = { deep };
    }
    const shown = toShownMessage(deep, asIs);
    assert.deepEqual([shown.isCut, shown.text.includes('end')], [true, false]);
  });

  it('is made ready quickly, though every item of a list has a name of any length', async () => {
    const message = { ['k'.repeat(300_000)]: Array.from({ length: 3_000 }, () => 1) };
    const took = await ownTime(() => toShownMessage(message, asIs));
    assert.ok(took < 1_000, `it took ${took} ms`);
  });

  it('is what it was with every kind of line break in it, and still has no secret', () => {
    const texts = ['a\n\u2028', '\u2028\n', 'b\n\u2028\nsesame-1', '', 'c'];
    assert.deepEqual(JSON.parse(toShownMessage(texts, mask).text), texts.with(2, 'b\n\u2028\n[redacted]'));
    const many = Array.from({ length: 300 }, () => '\u2028');
    assert.deepEqual(new Set(JSON.parse(toShownMessage(many, mask).text) as string[]), new Set(['\u2028', '[redacted]']));
  });

  it('is masked when somebody looks, not when it passes, and is as it was then', () => {
    const looks: string[] = [];
    const counting = (text: string): string => {
      looks.push(text);
      return mask(text);
    };
    const message = { jsonrpc: '2.0', id: 1, result: { text: 'it is sesame-1', token: 'open' } };
    const kept = keepMessage(message, counting);
    message.result.text = 'another one';
    assert.deepEqual([kept.size, kept.weight, kept.isCut, looks], [74, 74, false, []]);
    const text = '{"jsonrpc":"2.0","id":1,"result":{"text":"it is [redacted]","token":"[redacted]"}}';
    assert.deepEqual([kept.text, kept.hasSecrets, kept.text, kept.weight, looks.length], [text, true, text, 74, 1]);
  });

  it('is made ready at once where it is long, deep or has many parts, so that no more is kept than can be shown', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) as unknown;
    for (const message of [
      { text: 'x'.repeat(40_000) },
      { items: Array.from({ length: 300 }, () => 1) },
      deep,
      { ['k'.repeat(9_000)]: 1 },
    ]) {
      let looks = 0;
      keepMessage(message, (text) => {
        looks += 1;
        return text;
      });
      assert.ok(looks > 0);
    }
  });
});
