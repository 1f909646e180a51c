import assert from 'node:assert/strict';
import { imageType } from '../../../../src/editor/documents/imageType.ts';

describe('The type of an image', () => {
  const typeOf = (start: string, rest = '\0'): string | undefined => imageType(Buffer.from(`${start}${rest}`, 'latin1'));

  it('is told by what the file begins with', () => {
    assert.deepEqual(
      [typeOf('\x89PNG\r\n\x1a\n'), typeOf('\xff\xd8\xff\xe0'), typeOf('GIF89a'), typeOf('RIFF\x10\0\0\0WEBPVP8 ')],
      ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    );
  });

  it('is none for text, not even for one that begins like an image: its secrets would not be taken out', () => {
    assert.deepEqual(
      [typeOf('password=hunter2'), typeOf('GIF89a\npassword=', 'hunter2'), typeOf('', '')],
      [undefined, undefined, undefined],
    );
  });
});
