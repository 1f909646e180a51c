import { readdir, readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { discoveryFile, type DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';

/** The discovery files under a `DUPLEX_HOME`, in no order. */
export async function discoveredWindows(home: string): Promise<DiscoveryFile[]> {
  const folder = path.join(home, 'windows');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => undefined)));
  return texts.flatMap((text) => (text === undefined ? [] : [discoveryFile.parse(JSON.parse(text))]));
}

/** What a program of the same person knows of a window: nothing but its discovery file. */
export function readDiscovery(home: string): Promise<DiscoveryFile> {
  return eventually('the discovery file', async () => (await discoveredWindows(home))[0]);
}

export async function eventually<T>(what: string, look: () => Promise<T | undefined>, milliseconds = 30_000): Promise<T> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    await sleep(100);
  }
  throw new Error(`Still waiting for ${what}.`);
}
