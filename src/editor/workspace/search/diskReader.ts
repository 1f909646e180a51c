import { open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderEntry, FolderReader } from './searchEngine.ts';

/** A folder on this machine's disk. */
export function diskReader(root: string): FolderReader {
  return {
    readFolder: async (relative) => {
      const entries = await readdir(join(root, relative), { withFileTypes: true });
      return entries.flatMap((entry): FolderEntry[] => {
        if (entry.isDirectory()) {
          return [{ name: entry.name, kind: 'folder' }];
        }
        return entry.isFile() ? [{ name: entry.name, kind: 'file' }] : [];
      });
    },
    readText: async (relative, maxBytes) => {
      const path = join(root, relative);
      // A link that took the file's place since it was listed.
      const [real, realRoot] = await Promise.all([realpath(path), realpath(root)]);
      if (real !== join(realRoot, relative)) {
        return undefined;
      }
      return readBounded(path, maxBytes);
    },
  };
}

async function readBounded(path: string, maxBytes: number): Promise<string | undefined> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return size > maxBytes ? undefined : decodeText(await file.readFile());
  } finally {
    await file.close();
  }
}

/** `undefined` for binary content. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const byteOrderMark =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
  if (byteOrderMark === undefined && bytes.includes(0)) {
    return undefined;
  }
  return new TextDecoder(byteOrderMark ?? 'utf-8').decode(bytes);
}
