import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Rejects when it cannot be opened; undefined when it is no plain file or larger than that. A pipe that nobody writes to must not hold anybody up. */
export async function readBounded(file: string, most: number): Promise<Buffer | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const info = await handle.stat();
    if (!info.isFile() || info.size > most) {
      return undefined;
    }
    const buffer = Buffer.alloc(most + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (length > most) {
        return undefined;
      }
      if (bytesRead === 0) {
        return Buffer.from(buffer.subarray(0, length));
      }
    }
  } finally {
    await handle.close();
  }
}
