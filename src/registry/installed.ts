import { bundleFolderName, isBundleFolderName } from './bundles/bundleFolder.ts';
import { piecesOf } from './installForm.ts';
import type { InstallWay } from './installWays.ts';
import type { RegistryRemote } from './serverJson.ts';

/** A configured server, as far as it can be recognised. */
export interface ConfiguredServer {
  readonly id: string;
  readonly label: string;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly url?: string | undefined;
}

export interface InstalledServer {
  readonly server: ConfiguredServer;
  readonly way: InstallWay;
  /** The version that runs; undefined where none is named, as at an address. */
  readonly version: string | undefined;
  /** The place of the package among the arguments, and what would stand there after an update. */
  readonly update?: { readonly index: number; readonly before: string; readonly after: string } | undefined;
  /** The name of the folder of a bundle of which the entry has a newer version. */
  readonly olderBundle?: string | undefined;
}

/** Finds the configured servers that an entry describes, by the package or the address that they use. */
export function installedOf(ways: readonly InstallWay[], servers: readonly ConfiguredServer[]): readonly InstalledServer[] {
  return servers.flatMap((server) => {
    for (const way of ways) {
      const found = foundBy(way, server);
      if (found !== undefined) {
        return [found];
      }
    }
    return [];
  });
}

function foundBy(way: InstallWay, server: ConfiguredServer): InstalledServer | undefined {
  switch (way.kind) {
    case 'remote':
      return byAddress(way, server);
    case 'package':
      return byPackage(way, server);
    case 'bundle':
      return byBundle(way, server);
  }
}

/** A bundle is known by the folder that it was unpacked into, which also names its version. */
function byBundle(way: Extract<InstallWay, { kind: 'bundle' }>, server: ConfiguredServer): InstalledServer | undefined {
  const [name = ''] = bundleFolderName(way.bundle).split('@');
  const isOf = (folder: string): boolean => isBundleFolderName(folder) && folder.startsWith(`${name}@`);
  const words = [server.command ?? '', ...(server.args ?? [])];
  const folder = words.flatMap((word) => word.split(/[\\/=]/)).find(isOf);
  if (folder === undefined) {
    return undefined;
  }
  const version = folder.split('@')[1] ?? '';
  const isOlder = way.refusal === undefined && isNewer(way.bundle.version, version);
  return { server, way, version, ...(isOlder ? { olderBundle: folder } : {}) };
}

function byAddress(way: Extract<InstallWay, { kind: 'remote' }>, server: ConfiguredServer): InstalledServer | undefined {
  return server.url !== undefined && isFilledIn(way.remote, server.url) ? { server, way, version: undefined } : undefined;
}

/**
 * Whether it is the address of a remote, with anything in the place of each of its variables: the person has filled them in. Looked
 * through once, without a pattern: a stranger wrote the address.
 */
function isFilledIn({ url, variables = {} }: RegistryRemote, address: string): boolean {
  const [first = '', ...others] = piecesOf(url, variables).flatMap((piece) => ('text' in piece ? [piece.text] : []));
  let at = address.startsWith(first) ? first.length : -1;
  for (const [index, text] of others.entries()) {
    const isLast = index === others.length - 1;
    const found = isLast ? (address.endsWith(text) ? address.length - text.length : -1) : address.indexOf(text, at + 1);
    if (at < 0 || found <= at || /[/?#]/.test(address.slice(at, found))) {
      return false;
    }
    at = found + text.length;
  }
  return at === address.length;
}

const programs: Readonly<Record<string, readonly string[]>> = {
  npx: ['npx', 'bunx', 'pnpx'],
  uvx: ['uvx'],
  dnx: ['dnx'],
  docker: ['docker', 'podman'],
};

function byPackage(way: Extract<InstallWay, { kind: 'package' }>, server: ConfiguredServer): InstalledServer | undefined {
  const { runtime, target, refusal } = way;
  const program =
    server.command
      ?.split(/[\\/]/)
      .at(-1)
      ?.replace(/\.(?:exe|cmd)$/i, '') ?? '';
  if (runtime === undefined || target === '' || programs[runtime]?.includes(program) !== true) {
    return undefined;
  }
  const [name, version] = splitVersion(target, runtime === 'docker');
  const index = server.args?.findIndex((word) => splitVersion(word, runtime === 'docker')[0] === name) ?? -1;
  const before = server.args?.[index];
  if (before === undefined) {
    return undefined;
  }
  const present = splitVersion(before, runtime === 'docker')[1];
  // What runs under `latest`, a range or a digest is not known.
  const isKnown = present !== undefined && /^v?\d/i.test(present);
  const isOlder = refusal === undefined && isKnown && version !== undefined && isNewer(version, present);
  return { server, way, version: present, ...(isOlder ? { update: { index, before, after: target } } : {}) };
}

/** A package's name and version: `@scope/name@1.0.0`, `name==1.0.0`, `image:1.0.0`. */
function splitVersion(word: string, isImage: boolean): readonly [name: string, version: string | undefined] {
  const at = isImage ? imageEnd(word) : word.indexOf('@', 1);
  const equals = isImage ? -1 : word.indexOf('==');
  if (equals > 0) {
    return [word.slice(0, equals), word.slice(equals + 2)];
  }
  return at <= 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function imageEnd(word: string): number {
  const digest = word.indexOf('@');
  return digest > 0 ? digest : word.indexOf(':', word.lastIndexOf('/') + 1);
}

/** Whether one version comes after another: by its numbers, and a version before a release comes before it. */
export function isNewer(one: string, other: string): boolean {
  const [left, right] = [partsOf(one), partsOf(other)];
  const difference = compared(left.numbers, right.numbers);
  if (difference !== 0) {
    return difference > 0;
  }
  if (left.before.length === 0 || right.before.length === 0) {
    return left.before.length === 0 && right.before.length > 0;
  }
  return compared(left.before, right.before) > 0;
}

interface VersionParts {
  readonly numbers: readonly (string | number)[];
  /** What stands behind the numbers of a version that came before the release: `beta.2`, Python's `rc1`. */
  readonly before: readonly (string | number)[];
}

function partsOf(version: string): VersionParts {
  // Python's `1.0.post2` came after the release.
  const whole = (version.split('+')[0] ?? '').replace(/[.-]?post(\d+)/i, '.$1');
  const [, release = '', before = ''] = /^v?([\d.]*)-?(.*)$/is.exec(whole) ?? [];
  return { numbers: wordsOf(release), before: wordsOf(before) };
}

function wordsOf(text: string): readonly (string | number)[] {
  return (text.match(/\d+|[^\d.-]+/g) ?? []).map((word) => (/^\d/.test(word) ? Number(word) : word));
}

/** Compares part by part: numbers by their size, and before any word. What is missing is a zero, or comes first among words. */
function compared(left: readonly (string | number)[], right: readonly (string | number)[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const [one, other] = [left[index] ?? 0, right[index] ?? 0];
    if (one !== other) {
      return typeof one === typeof other ? (one > other ? 1 : -1) : typeof one === 'number' ? -1 : 1;
    }
  }
  return 0;
}
