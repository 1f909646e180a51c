import { deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A palette has no more. */
const maxColours = 256;

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue, one byte each. */
  readonly rgb: Buffer;
}

/** The same picture with a palette: a window of an editor has few colours, and takes a third of the bytes that way. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, rgb } = readPixels(png);
  const palette = paletteOf(rgb);
  const nearest = new Map<number, number>();
  const rows = Buffer.alloc(height * (width + 1)); // each row begins with the number of its filter: none
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = rgb.readUIntBE((y * width + x) * 3, 3);
      const known = nearest.get(colour);
      const index = known ?? nearestIn(palette, colour);
      if (known === undefined) {
        nearest.set(colour, index);
      }
      rows[y * (width + 1) + 1 + x] = index;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, index) => colours.writeUIntBE(colour, index * 3, 3));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Reads what a browser writes: eight bits a channel, with or without alpha, not interlaced. */
function readPixels(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      parts.push(png.subarray(at + 8, at + 8 + length));
    }
    at += 12 + length;
  }
  const data = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, channels);
  const rgb = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    data.copy(rgb, pixel * 3, pixel * channels, pixel * channels + 3);
  }
  return { width, height, rgb };
}

/** Takes the filters of the format back, row by row. */
function unfiltered(raw: Buffer, stride: number, channels: number): Buffer {
  const rows = raw.length / (stride + 1);
  const data = Buffer.alloc(rows * stride);
  for (let y = 0; y < rows; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (data[at - channels] ?? 0);
      const above = y === 0 ? 0 : (data[at - stride] ?? 0);
      const corner = y === 0 || x < channels ? 0 : (data[at - stride - channels] ?? 0);
      const guesses = [0, left, above, (left + above) >> 1, paeth(left, above, corner)];
      data[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + (guesses[filter] ?? 0);
    }
  }
  return data;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return toLeft <= toAbove && toLeft <= toCorner ? left : toAbove <= toCorner ? above : corner;
}

/** The colours themselves if they are few; else those in the middle of the boxes that hold them, the fullest box cut in two each time. */
function paletteOf(rgb: Buffer): number[] {
  const counts = new Map<number, number>();
  for (let at = 0; at < rgb.length; at += 3) {
    const colour = rgb.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const all: Box = [...counts.entries()];
  // What fills whole areas is kept as it is: a seam between two nearly equal greys would be seen.
  const kept = all.toSorted(([, one], [, other]) => other - one).slice(0, maxColours / 4);
  let boxes = [all.filter((entry) => !kept.includes(entry))].filter((box) => box.length > 0);
  while (boxes.length < maxColours - kept.length) {
    const widest = boxes.filter((box) => box.length > 1).toSorted((one, other) => widthOf(other).width - widthOf(one).width)[0];
    if (widest === undefined) {
      break;
    }
    boxes = [...boxes.filter((box) => box !== widest), ...halves(widest)];
  }
  return [...kept.map(([colour]) => colour), ...boxes.map(middleOf)];
}

type Box = (readonly [colour: number, count: number])[];

function widthOf(box: Box): { readonly shift: number; readonly width: number } {
  const widths = [16, 8, 0].map((shift) => {
    const values = box.map(([colour]) => (colour >> shift) & 255);
    return { shift, width: Math.max(...values) - Math.min(...values) };
  });
  return widths.reduce((one, other) => (other.width > one.width ? other : one));
}

function halves(box: Box): [Box, Box] {
  const { shift } = widthOf(box);
  const sorted = box.toSorted(([one], [other]) => ((one >> shift) & 255) - ((other >> shift) & 255));
  const half = sorted.length >> 1;
  return [sorted.slice(0, half), sorted.slice(half)];
}

function middleOf(box: Box): number {
  const total = box.reduce((sum, [, count]) => sum + count, 0);
  const mean = (shift: number): number =>
    Math.round(box.reduce((sum, [colour, count]) => sum + ((colour >> shift) & 255) * count, 0) / total);
  return (mean(16) << 16) | (mean(8) << 8) | mean(0);
}

function nearestIn(palette: readonly number[], colour: number): number {
  const distance = (other: number): number =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  return palette.reduce((best, each, index) => (distance(each) < distance(palette[best] ?? 0) ? index : best), 0);
}

function chunk(kind: string, data: Buffer): Buffer {
  const whole = Buffer.alloc(12 + data.length);
  whole.writeUInt32BE(data.length, 0);
  whole.write(kind, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(checksum(whole.subarray(4, 8 + data.length)), 8 + data.length);
  return whole;
}

/** CRC-32, as the format wants it after each part. */
function checksum(data: Buffer): number {
  let value = 0xffffffff;
  for (const byte of data) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    }
  }
  return (value ^ 0xffffffff) >>> 0;
}
