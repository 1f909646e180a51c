import { decodedAddress } from '../../base/addresses.ts';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What of this machine's sockets a box must not have: whoever sees a socket can connect to it, also where it may only be read. */
export interface OpenSockets {
  /** The sockets that the editor's environment names (ssh-agent, D-Bus, docker, the editor itself). No box has them, by any name. */
  readonly named: readonly string[];
  /** The sockets on which a program listens now. */
  readonly listening: readonly string[];
  /** Where programs put such sockets, which may come later. */
  readonly folders: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds the sockets of this machine, by their real paths. Those without a path are of the network, of which a box has its own. */
export async function openSockets(env: Environment): Promise<OpenSockets> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const [named, listening, folders] = await Promise.all([
    realSockets(Object.values(env).flatMap(pathsIn)),
    realSockets(table.split('\n').flatMap((line) => /^(?:\S+ +){7}(\/.*)$/.exec(line)?.[1] ?? [])),
    realPaths([tmpdir(), env['XDG_RUNTIME_DIR'] ?? '']),
  ]);
  return { named, listening, folders };
}

/** The paths in the value of a variable: a path alone, or an address such as `unix:path=/run/user/1000/bus,guid=1` or `unix:///x.sock`. */
function pathsIn(value: string | undefined): readonly string[] {
  const parts = value === undefined || value.length > 4_096 ? [] : [value, ...value.split(/[,;]/)];
  return parts.flatMap((part) => {
    const [, found] = /^(?:unix:(?:path=|\/\/)?|path=)?(\/.*)$/.exec(part) ?? [];
    return found === undefined ? [] : [found, decodedAddress(found)];
  });
}

async function realSockets(places: readonly string[]): Promise<readonly string[]> {
  const isSocket = (place: string): Promise<boolean> =>
    lstat(place).then(
      (found) => found.isSocket(),
      () => false,
    );
  const real = await realPaths(places);
  const found = await Promise.all(real.map(isSocket));
  return real.filter((_place, index) => found[index]);
}

/** Where places really are, each once. What is not there, or cannot be seen, is left out. */
export async function realPaths(places: readonly string[]): Promise<readonly string[]> {
  const absolute = [...new Set(places.filter((place) => path.isAbsolute(place)))];
  const real = await Promise.all(absolute.map((place) => realpath(place).catch(() => undefined)));
  return [...new Set(real.filter((place) => place !== undefined))];
}
