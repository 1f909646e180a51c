import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import * as path from 'node:path';

/** Where `npm run bench -- --profile` wants a profile of every way to call the server. */
export const profileFolder = process.env['DUPLEX_BENCH_PROFILE'] ?? '';

let session: Session | undefined;

/** Of this process, until `endProfile`. */
export async function beginProfile(): Promise<void> {
  session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
}

/** To be opened with any viewer of processor profiles. */
export async function endProfile(name: string): Promise<void> {
  const ended = await session?.post('Profiler.stop');
  session?.disconnect();
  session = undefined;
  mkdirSync(profileFolder, { recursive: true });
  writeFileSync(path.join(profileFolder, `${name.replaceAll(/\W+/g, '-')}.cpuprofile`), JSON.stringify(ended?.profile));
}
