import assert from 'node:assert/strict';
import { hiddenCharacter } from '../../../../../src/secrets/secretMarks.ts';
import { applyEdits } from '../../../../../src/editor/acting/text/wantedEdits.ts';
import type { TextEdit } from '../../../../../src/server/seen/ports/actingPort.ts';
import { longestBlock } from '../../../../support/longestBlock.ts';

const text = [
  'function total(items) {',
  '  let sum = 0;',
  '  for (const item of items) {',
  '    sum += item.price;',
  '  }',
  '  return sum;',
  '}',
  '',
].join('\n');

function replacing(oldText: string, newText: string, replaceAll?: boolean): TextEdit {
  return { oldText, newText, ...(replaceAll !== undefined && { replaceAll }) };
}

/** The sentence with which edits are refused. */
async function refusal(edits: readonly TextEdit[], whole = text, shown?: string): Promise<string> {
  let sentence = '';
  await assert.rejects(applyEdits(whole, edits, '\n', shown), (error: Error) => {
    sentence = error.message;
    return true;
  });
  return sentence;
}

describe('Edits by the text that is there', () => {
  it('are made where it occurs, all on the text as it was, together with ranges', async () => {
    const range = { start: { line: 2, character: 13 }, end: { line: 2, character: 14 } };
    const edits = [replacing('return sum', 'return total'), { range, newText: '1' }, replacing('let sum', 'let total')];
    const after = await applyEdits(text, edits, '\n');
    assert.equal(after, text.replace('return sum', 'return total').replace('let sum = 0', 'let total = 1'));
  });

  it('take the line ends of the document, however the client wrote them', async () => {
    assert.equal(await applyEdits('a\r\nb\r\nc\r\n', [replacing('a\nb\n', 'x\ny\nz\n')], '\r\n'), 'x\r\ny\r\nz\r\nc\r\n');
    assert.equal(await applyEdits('a\nb\nc\n', [replacing('a\r\nb', 'x\r\ny')], '\n'), 'x\ny\nc\n');
  });

  it('replace every occurrence only if asked to, and none twice', async () => {
    assert.equal(await applyEdits('aXbXc', [replacing('X', 'YX', true)], '\n'), 'aYXbYXc');
    assert.equal(await applyEdits('aaaaa', [replacing('aa', 'b', true)], '\n'), 'bba');
  });

  it('say how often the text occurs and where, when it is not once', async () => {
    assert.match(await refusal([replacing('sum', 'x')]), /The oldText of edits\[0\] occurs 3 times, at lines 2, 4, 6\..* replaceAll/);
    const many = await refusal([replacing('a', 'x')], 'a\n'.repeat(5_000));
    assert.match(many, /occurs 5000 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and so on/);
    assert.match(await refusal([replacing('aa', 'x')], 'aaa'), /occurs 2 times/, 'overlapping: which one is meant is not known');
  });

  it('that are not found say how the text does occur, or where the nearest line is', async () => {
    const refused: [string, RegExp][] = [
      ['for (const item of items) {\n  sum += item.price;', /occurs with other white space at line 3:/],
      ['\tlet sum = 0;', /occurs with other white space at line 2:/],
      ['LET Sum = 0;', /occurs in other upper and lower case at line 2\./],
      ['2\t  let sum = 0;\n3\t  for (const item', /occurs at line 2 without the line numbers/],
      ['for (const entry of items) {', /The line most like it is line 3:/],
      ['nowhere', /Nothing like it was found/],
    ];
    for (const [oldText, sentence] of refused) {
      assert.match(await refusal([replacing('return', ''), replacing(oldText, 'x')]), sentence);
    }
    assert.match(await refusal([replacing('return', ''), replacing('nowhere', 'x')]), /^The oldText of edits\[1\] does not occur/);
  });

  it('that overlap are refused by both names', async () => {
    const range = { start: { line: 2, character: 1 }, end: { line: 3, character: 1 } };
    assert.match(await refusal([replacing('let sum', 'x'), { range, newText: '' }]), /overlap: edits\[0\] and the range 2:1-3:1\./);
    assert.match(await refusal([replacing('let sum', 'x'), replacing('sum = 0', 'y')]), /overlap: edits\[1\] and edits\[0\]\./);
  });

  it('with an empty text, or with the mark of a withheld one, are refused with what to do instead', async () => {
    assert.match(await refusal([replacing('', 'x')]), /edits\[0\] is empty\. To insert/);
    assert.match(
      await refusal([replacing('key = [redacted]', 'x')], 'key = hunter2'),
      /contains \[redacted\].* Give only what stands before or behind it/,
    );
    assert.equal(await applyEdits('say [redacted]', [replacing('[redacted]', 'it')], '\n'), 'say it', 'a word like any other');
  });

  it('find nothing in what is withheld, nor anything like it, and change what stands around it', async () => {
    const whole = 'name = app\npassword = hunter2\n';
    const shown = whole.replace('hunter2', hiddenCharacter.repeat(7));
    for (const guess of ['hunter2', 'h', 'password = h', 'HUNTER2', 'hunter 2', hiddenCharacter, hiddenCharacter.repeat(7)]) {
      const sentence = await refusal([replacing(guess, 'x')], whole, shown);
      assert.equal(sentence, await refusal([replacing(guess, 'x')], whole.replace('hunter2', '1234567'), shown));
      assert.match(sentence, /does not occur in the text\. (?:Nothing like it|The line most like it)/);
    }
    assert.equal(await applyEdits(whole, [replacing('password =', 'secret =')], '\n', shown), 'name = app\nsecret = hunter2\n');
  });

  it('make no text of a size that nobody wants', async () => {
    assert.match(await refusal([replacing('a', 'b'.repeat(100_000), true)], 'a'.repeat(1_000)), /more than 20 Mi characters/);
    assert.match(await refusal([replacing('a', 'b', true)], 'a'.repeat(200_000)), /occurs 200000 times; at most 100000/);
  });

  it('are found ten thousand at once in five million characters without keeping others waiting (release)', async () => {
    const lines = Array.from({ length: 120_000 }, (_, index) => `const value${index} = compute(${(index * 7_919) % 10_007}, 'x');`);
    const edits = Array.from({ length: 10_000 }, (_, index) => replacing(`const value${index * 7} =`, `let value${index * 7} =`));
    const { slowestMs } = await whileOthersWait(() => applyEdits(lines.join('\n'), edits, '\n'));
    assert.ok(slowestMs < 1_000, `${slowestMs} ms`);
  });

  it('that are made to look alike everywhere are given up, in turns (release)', async () => {
    const edits = Array.from({ length: 4_000 }, (_, index) => replacing(`${'a'.repeat(900)}${index}`, 'x'));
    const { slowestMs, outcome } = await whileOthersWait(() => refusal(edits, 'a'.repeat(5_000_000)));
    assert.match(outcome, /takes too long to find/);
    assert.ok(slowestMs < 1_000, `${slowestMs} ms`);
  }).timeout(60_000);
});

/** How long the others, who come every few milliseconds, had to wait at most. */
async function whileOthersWait<T>(work: () => Promise<T>): Promise<{ readonly outcome: T; readonly slowestMs: number }> {
  const outcomes: T[] = [];
  const slowestMs = await longestBlock(async () => outcomes.push(await work()));
  const [outcome] = outcomes;
  assert.ok(outcome !== undefined);
  return { outcome, slowestMs };
}
