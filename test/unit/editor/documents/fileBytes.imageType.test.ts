import assert from 'node:assert/strict';
import { imageType, isPdf } from '../../../../src/editor/documents/fileBytes.ts';

describe('The type of an image', () => {
  const typeOf = (start: string, rest = '\0'): string | undefined => imageType(Buffer.from(`${start}${rest}`, 'latin1'));

  it('is told by what the file begins with', () => {
    assert.deepEqual(
      [typeOf('\x89PNG\r\n\x1a\n'), typeOf('\xff\xd8\xff\xe0'), typeOf('GIF89a'), typeOf('RIFF\x10\0\0\0WEBPVP8 ')],
      ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    );
  });

  it('is not that of a PDF, which is told by its beginning, its end and that it is no plain text', () => {
    const isOne = (text: string): boolean => isPdf(Buffer.from(text, 'latin1'));
    assert.deepEqual(
      [isOne('%PDF-1.7\n%\xe2\xe3\n%%EOF\n'), isOne('%PDF-1.7\npassword=hunter2\n%%EOF'), isOne('%PDF-1.7\n\0'), isOne('\0%%EOF')],
      [true, false, false, false],
    );
  });

  it('is none for text, not even for one that begins like an image: its secrets would not be taken out', () => {
    assert.deepEqual(
      [typeOf('password=hunter2'), typeOf('GIF89a\npassword=', 'hunter2'), typeOf('', '')],
      [undefined, undefined, undefined],
    );
  });
});
