import { isPlainBase64 } from '../../base/visibleText.ts';

/** The largest PDF that is sent to a model, in characters of Base64: about 5.5 MB as a file. */
const maxDocumentBase64 = 7_400_000;

/** Whether models take this PDF. Nobody can check what is in it, so it is sent only when the person attached it themselves. */
export function isDocumentForModels({ mimeType, data }: { readonly mimeType: string; readonly data: string }): boolean {
  return mimeType === pdfType && data.length <= maxDocumentBase64 && isPlainBase64(data);
}

export const pdfType = 'application/pdf';

export function base64Bytes(data: string): number {
  let end = data.length;
  while (end > 0 && data[end - 1] === '=') {
    end -= 1;
  }
  return Math.floor((end * 3) / 4);
}

interface CutText {
  readonly text: string;
  readonly isCut: boolean;
  readonly shownBytes: number;
  readonly totalBytes: number;
}

/** The beginning of a text, within so many bytes of UTF-8. */
export function cutToBytes(value: string, maxBytes: number): CutText {
  const totalBytes = Buffer.byteLength(value);
  if (totalBytes <= maxBytes) {
    return { text: value, isCut: false, shownBytes: totalBytes, totalBytes };
  }
  const bytes = Buffer.from(value);
  let end = maxBytes;
  // A cut must not fall inside a character, whose later bytes begin with the bits 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  return { text: bytes.toString('utf8', 0, end), isCut: true, shownBytes: end, totalBytes };
}
