import assert from 'node:assert/strict';
import { decodeUtf8 } from '../../../../src/editor/documents/fileBytes.ts';
import { turnsOfOthers } from '../../../support/longestBlock.ts';

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
