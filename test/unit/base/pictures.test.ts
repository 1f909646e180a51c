import assert from 'node:assert/strict';
import { pictureSize, pictureType } from '../../../src/base/pictures.ts';

const bytes = (start: string, rest = '\0'): Buffer => Buffer.from(`${start}${rest}`, 'latin1');
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('The type of a picture', () => {
  const typeOf = (start: string, rest?: string): string | undefined => pictureType(bytes(start, rest));

  it('is told by what the file begins with', () => {
    assert.deepEqual(
      [typeOf('\x89PNG\r\n\x1a\n'), typeOf('\xff\xd8\xff\xe0'), typeOf('GIF89a'), typeOf('RIFF\x10\0\0\0WEBPVP8 ')],
      ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    );
  });

  it('is none for text, not even for one that begins like a picture: its secrets would not be taken out', () => {
    assert.deepEqual(
      [typeOf('password=hunter2'), typeOf('GIF89a\npassword=', 'hunter2'), typeOf('', '')],
      [undefined, undefined, undefined],
    );
  });
});

describe('The size of a picture', () => {
  it('is read from the beginning of each kind', () => {
    const riff = `RIFF\x40\0\0\0WEBP`;
    const sizes = [
      hex('89504e470d0a1a0a 0000000d 49484452 00000320 00000258'),
      hex('474946383961 2003 5802 00'),
      hex('ffd8 ffe0 0004 4a46 ffc4 0003 00 ffc2 0011 08 0258 0320 03'),
      Buffer.concat([bytes(riff, 'VP8 '), hex('00000000 000000 9d012a 2003 5802')]),
      Buffer.concat([bytes(riff, 'VP8L'), hex('00000000 2f 1fc3 9500 0000 0000')]),
      Buffer.concat([bytes(riff, 'VP8X'), hex('0a000000 00000000 1f0300 570200')]),
    ].map(pictureSize);
    assert.deepEqual(
      sizes,
      sizes.map(() => ({ width: 800, height: 600 })),
    );
  });

  it('is not known where the bytes end too early, or go on without end', () => {
    const endless = Buffer.concat([hex('ffd8'), Buffer.from('ffe00002'.repeat(10_000), 'hex')]);
    assert.deepEqual([hex('ffd8ffe000'), hex('89504e470d0a1a0a0000'), endless, Buffer.from('text')].map(pictureSize), [
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
