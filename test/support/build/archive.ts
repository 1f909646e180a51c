import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

export interface Archived {
  readonly name: string;
  text(): string;
}

/** The files of a package, in its order: as much of the format as the packager writes. */
export function readArchive(file: string): readonly Archived[] {
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const entries: Archived[] = [];
  let at = bytes.readUInt32LE(end + 16);
  while (entries.length < bytes.readUInt16LE(end + 10)) {
    const [method, size, nameLength, extraLength, commentLength] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ];
    const local = bytes.readUInt32LE(at + 42);
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      text: () => {
        const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
        const content = bytes.subarray(start, start + size);
        return (method === 0 ? content : inflateRawSync(content)).toString('utf8');
      },
    });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}
