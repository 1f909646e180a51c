import { readlink } from 'node:fs/promises';
import * as nodePath from 'node:path';
import path from 'node:path';

type System = 'windows' | 'posix';

function systemOf(platform: NodeJS.Platform): System {
  return platform === 'win32' ? 'windows' : 'posix';
}

/**
 * Whether merely looking at a path would call another machine (on Windows with the person's name and credentials): a share, a
 * device path that may lead to one, or a host under `/net`. Nothing is looked up. The machine of one of `homes` does not count as
 * another one: somebody chose to work there.
 */
export function isOnAnotherMachine(path: string, homes: readonly string[], system = systemOf(process.platform)): boolean {
  const machine = machineOf(path, system);
  return machine !== undefined && !homes.some((home) => machineOf(home, system) === machine);
}

/** Names the machine that a path is on, by the path alone; `undefined` for this machine. */
function machineOf(path: string, system: System): string | undefined {
  const match = system === 'windows' ? /^[\\/]{2,}([^\\/]*)/.exec(path) : /^\/+net\/+([^/]+)/.exec(path);
  return match?.[1]?.toLowerCase();
}

/** How many links are followed: as many as systems follow themselves. */
const maxLinks = 40;

/**
 * Names the first machine, except the `known` ones, that an absolute path leads to, by itself or through links. Links are followed
 * one by one, and none is looked at before it is clear on which machine it is.
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
  return undefined; // the links form a ring, so nothing can be opened there
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

/** Whether `path` is `folder` or in it. Whole segments are compared: `/repo/..x` is a name in `/repo` and does not lead out. Nothing is looked up. */
export function isInsideFolder(path: string, folder: string): boolean {
  return !leadsOut(nodePath.relative(folder, path));
}

/** Whether a relative path, as `path.relative` gives it, leaves the folder it starts from; to another drive it is absolute. */
export function leadsOut(way: string): boolean {
  return way.split(nodePath.sep)[0] === '..' || nodePath.isAbsolute(way);
}
