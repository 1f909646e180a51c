import assert from 'node:assert/strict';
import { decodeUtf8 } from '../../../../src/editor/documents/utf8.ts';

describe('What can only be UTF-8', () => {
  it('is read without its byte order mark', () => {
    assert.deepEqual([decodeUtf8(Buffer.from('\uFEFFa\u00FC\u{1F600}')), decodeUtf8(Buffer.from(''))], ['a\u00FC\u{1F600}', '']);
  });

  it('is nothing with other bytes in it, or with zeros where VS Code looks for them', () => {
    const others = [
      Buffer.from('Gr\u00FC\u00DFe', 'latin1'),
      Buffer.from('\uFEFFwide', 'utf16le'),
      Buffer.from('wide', 'utf16le'),
      Buffer.from(`${'x'.repeat(511)}\0`),
      Buffer.from([0xed, 0xa0, 0x80]),
    ];
    assert.deepEqual(others.map(decodeUtf8), [undefined, undefined, undefined, undefined, undefined]);
    assert.equal(decodeUtf8(Buffer.from(`${'x'.repeat(512)}\0`))?.length, 513);
  });
});
