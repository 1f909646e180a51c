import assert from 'node:assert/strict';
import { decodeUtf8, firstDifference, firstHalf, isPdf } from '../../../../src/editor/documents/fileBytes.ts';
import { longestBlock, turnsOfOthers } from '../../../support/longestBlock.ts';

describe('What can only be UTF-8', () => {
  it('is read without its byte order mark', async () => {
    assert.deepEqual(
      [await decodeUtf8(Buffer.from('\uFEFFa\u00FC\u{1F600}')), await decodeUtf8(Buffer.from(''))],
      ['a\u00FC\u{1F600}', ''],
    );
  });

  it('is nothing with other bytes in it, or with zeros where VS Code looks for them', async () => {
    const others = [
      Buffer.from('Gr\u00FC\u00DFe', 'latin1'),
      Buffer.from('\uFEFFwide', 'utf16le'),
      Buffer.from('wide', 'utf16le'),
      Buffer.from(`${'x'.repeat(511)}\0`),
      Buffer.from([0xed, 0xa0, 0x80]),
    ];
    assert.deepEqual(await Promise.all(others.map(decodeUtf8)), [undefined, undefined, undefined, undefined, undefined]);
    assert.equal((await decodeUtf8(Buffer.from(`${'x'.repeat(512)}\0`)))?.length, 513);
  });

  it('is the same in pieces, wherever they end, and others get their turn meanwhile', async () => {
    const step = 1024 * 1024;
    for (const middle of ['😀', 'ü', '\uFEFF', 'é\uFEFF', '€']) {
      for (const before of [1, 2, 3, 4]) {
        const text = `${'x'.repeat(step - before)}${middle}${'y'.repeat(step)}`;
        assert.ok((await decodeUtf8(Buffer.from(text))) === text, `${middle} ${before}`);
      }
    }
    for (const bytes of [[0x80, 0x80, 0x80, 0x80, 0x80], [0xf0, 0x9f, 0x98], [0xc3], [0xed, 0xa0, 0x80]]) {
      const broken = Buffer.concat([Buffer.alloc(step - 2, 'x'), Buffer.from(bytes), Buffer.alloc(step, 'y')]);
      assert.equal(await decodeUtf8(broken), undefined);
    }
    assert.ok((await turnsOfOthers(() => decodeUtf8(Buffer.from('\u20AC'.repeat(15_000_000))))) >= 2);
  });
});

describe('A PDF', () => {
  it('is told by its beginning, its end and that it is no plain text', () => {
    const isOne = (text: string): boolean => isPdf(Buffer.from(text, 'latin1'));
    assert.deepEqual(
      [isOne('%PDF-1.7\n%\xe2\xe3\n%%EOF\n'), isOne('%PDF-1.7\npassword=hunter2\n%%EOF'), isOne('%PDF-1.7\n\0'), isOne('\0%%EOF')],
      [true, false, false, false],
    );
  });
});

const stepLength = 250_000;

describe('Characters that would be lost', () => {
  it('are found where a half of one stands, and not where both are, also across steps', async () => {
    const whole = '\u{1F600}';
    for (const before of ['', 'a', 'a'.repeat(stepLength - 1), 'a'.repeat(stepLength), 'a'.repeat(2 * stepLength - 1)]) {
      assert.equal(await firstHalf(`${before}${whole}b`), undefined);
      assert.equal(await firstHalf(`${before}\uD83Db`), before.length);
      assert.equal(await firstHalf(`${before}\uDE00b`), before.length);
      assert.equal(await firstHalf(`${before}${whole}\uDE00`), before.length + 2);
    }
    assert.equal(await firstHalf('a\uD83D'), 1);
  });

  it('are found where the text that came back differs, or ends', async () => {
    for (const length of [0, 1, stepLength - 1, stepLength, 2 * stepLength + 1]) {
      const same = 'a'.repeat(length);
      assert.equal(await firstDifference(`${same}\u20ACb`, `${same}?b`), length);
      assert.equal(await firstDifference(`${same}b`, same), length);
      assert.equal(await firstDifference(same, `${same}b`), undefined);
    }
  });

  it('are looked for in turns, so that nobody waits for a text of many megabytes', async () => {
    const text = '\u{1F600}ab'.repeat(10_000_000);
    const copy = `${text.slice(0, -1)}c`;
    const block = await longestBlock(async () => {
      assert.equal(await firstHalf(text), undefined);
      assert.equal(await firstDifference(text, copy), text.length - 1);
    });
    assert.ok(block < 1_000, `${block} ms`);
  }).timeout(60_000);
});
