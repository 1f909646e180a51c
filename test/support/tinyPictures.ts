/** The beginning of a PNG file of a size, in base64, with so many bytes behind it: as much of a picture as is looked at before it is sent. */
export function pngOf(width = 1, height = 1, more = 0): string {
  const head = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000', 'hex');
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return Buffer.concat([head, Buffer.alloc(more, 'x')]).toString('base64');
}

/** The beginning of a JPEG file, in base64. */
export const jpeg = Buffer.from('ffd8ffe000044a46ffc0001108000100010301', 'hex').toString('base64');
