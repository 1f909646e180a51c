import { readlink } from 'node:fs/promises';
import path from 'node:path';
import { machineOf, systemOf } from './otherMachine.ts';

/** As many as systems follow themselves. */
const maxLinks = 40;

/**
 * The first machine, but for the `known` ones, that an absolute path leads to: by itself or through links. They are followed one
 * by one, and none is looked at before it is clear on which machine it is.
 */
export async function linkedMachine(
  absolute: string,
  known: ReadonlySet<string>,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  let whole = paths.resolve(absolute);
  for (let links = 0; links <= maxLinks; links += 1) {
    const machine = machineOf(whole, systemOf(platform));
    if (machine !== undefined && !known.has(machine)) {
      return machine;
    }
    const next = await throughFirstLink(whole, paths);
    if (next === undefined) {
      return undefined;
    }
    whole = next;
  }
  return undefined; // a ring: nothing can be opened there
}

async function throughFirstLink(whole: string, paths: path.PlatformPath): Promise<string | undefined> {
  const { root } = paths.parse(whole);
  const names = whole
    .slice(root.length)
    .split(paths.sep)
    .filter((name) => name !== '');
  let folder = root;
  for (const [index, name] of names.entries()) {
    const target = await readlink(paths.join(folder, name)).catch(() => undefined);
    if (target !== undefined) {
      return paths.resolve(folder, target, ...names.slice(index + 1));
    }
    folder = paths.join(folder, name);
  }
  return undefined;
}
