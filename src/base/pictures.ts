/** The pictures that both models and pages take. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The type of a picture, by what the bytes begin with; `undefined` for anything else. The name does not count: text in a picture's
 * name would leave the editor without its secrets taken out. Nor must text that only begins like a picture, so a zero byte is asked
 * for, which every real one has.
 */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  const type = signatures.find(([pattern]) => pattern.test(start))?.[1];
  return type !== undefined && bytes.includes(0) ? type : undefined;
}

const signatures: readonly (readonly [RegExp, PictureType])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
];

/** The size of a picture in pixels, as its beginning says; `undefined` where that is not in these bytes. */
export function pictureSize(bytes: Uint8Array): PictureSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (pictureType(bytes)) {
      case 'image/png':
        return { width: view.getUint32(16), height: view.getUint32(20) };
      case 'image/gif':
        return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
      case 'image/webp':
        return webpSize(view);
      case 'image/jpeg':
        return jpegSize(view);
      case undefined:
        return undefined;
    }
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined; // the bytes end before the size
    }
    throw error;
  }
}

/** A WebP picture is coded in one of three ways, each of which has its size elsewhere. */
function webpSize(view: DataView): PictureSize | undefined {
  const [low, high] = [view.getUint32(20, true), view.getUint32(24, true)];
  switch (view.getUint32(12)) {
    case 0x56503820: // VP8 and a space: lossy
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 0x5650384c: // VP8L: lossless; 14 bits each, behind one byte
      return { width: 1 + ((low >>> 8) & 0x3fff), height: 1 + ((low >>> 22) | ((high & 0xf) << 10)) };
    case 0x56503858: // VP8X: with more than the picture; 24 bits each
      return { width: 1 + (high & 0xffffff), height: 1 + ((high >>> 24) | (view.getUint16(28, true) << 8)) };
    default:
      return undefined;
  }
}

/** The most parts of a JPEG file before its picture that are looked at. */
const maxSegments = 200;

function jpegSize(view: DataView): PictureSize | undefined {
  let at = 2;
  for (let segment = 0; segment < maxSegments; segment += 1) {
    const marker = view.getUint16(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}
