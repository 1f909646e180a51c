import { readdir, readFile } from 'node:fs/promises';
import * as os from 'node:os';
import * as path from 'node:path';
import { isJsonObject } from '../base/json.ts';

/** The folder in which npm keeps what it has fetched. */
export function npmCache(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform, home = os.homedir()): string {
  const configured = env['npm_config_cache'] ?? env['NPM_CONFIG_CACHE'];
  if (configured !== undefined && path.isAbsolute(configured)) {
    return configured;
  }
  return platform === 'win32'
    ? path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'npm-cache')
    : path.join(home, '.npm');
}

/** The folder in which uv keeps what it has fetched. */
export function uvCache(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform, home = os.homedir()): string {
  const configured = env['UV_CACHE_DIR'];
  if (configured !== undefined && path.isAbsolute(configured)) {
    return configured;
  }
  if (platform === 'win32') {
    return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'uv', 'cache');
  }
  const caches = env['XDG_CACHE_HOME'];
  return path.join(caches !== undefined && path.isAbsolute(caches) ? caches : path.join(home, '.cache'), 'uv');
}

/** The most folders of npm's cache for `npx` that are looked into. */
const maxFolders = 500;
/** The most packages of uv's cache that are looked at; each is the only one of its folder. */
const maxWheels = 5_000;
const pythonName = /^[a-z\d](?:[\w.-]*[a-z\d])?$/i;
/** Neither part of a name may begin with a dot, so that none leads to another folder. */
const packageName = /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*$/i;

/**
 * The newest version of a package that `npx` has run on this machine. No network is asked and no version is guessed: what was
 * never fetched has none, and a version before a release counts only where there is no other.
 */
export async function fetchedVersion(name: string, cache = npmCache()): Promise<string | undefined> {
  if (!packageName.test(name)) {
    return undefined;
  }
  const folder = path.join(cache, '_npx');
  const entries = await readdir(folder).catch(() => []);
  const found = await Promise.all(entries.slice(0, maxFolders).map((each) => versionIn(path.join(folder, each, 'node_modules', name))));
  const versions = found.filter((version) => version !== undefined);
  const releases = versions.filter((version) => !version.includes('-'));
  return (releases.length > 0 ? releases : versions).sort(compareVersions).at(-1);
}

/**
 * The newest version of a Python package that uv has fetched: it keeps each package unpacked in a folder of its own below `archive-v0`,
 * with a folder `NAME-VERSION.dist-info` as every package of Python has it.
 */
export async function fetchedPythonVersion(name: string, cache = uvCache()): Promise<string | undefined> {
  if (!pythonName.test(name)) {
    return undefined;
  }
  const buckets = (await readdir(cache).catch(() => [])).filter((each) => /^archive-v\d{1,3}$/.test(each));
  const versions: string[] = [];
  for (const bucket of buckets) {
    const wheels = await readdir(path.join(cache, bucket)).catch(() => []);
    for (const wheel of wheels.slice(0, maxWheels)) {
      const entries = await readdir(path.join(cache, bucket, wheel)).catch(() => []);
      versions.push(...entries.flatMap((entry) => versionOfInfo(entry, name) ?? []));
    }
  }
  return versions.sort(compareVersions).at(-1);
}

/** The version in the name of a folder, if it is of this package: `Some-Name` is `some_name` there. A version before a release does not count. */
function versionOfInfo(entry: string, name: string): string | undefined {
  const [, found = '', version] = /^([^-]+)-(\d+(?:\.\d+){1,5}(?:\.post\d+)?)\.dist-info$/.exec(entry) ?? [];
  const plain = (text: string): string => text.toLowerCase().replace(/[-_.]+/g, '_');
  return plain(found) === plain(name) ? version : undefined;
}

async function versionIn(folder: string): Promise<string | undefined> {
  try {
    const manifest: unknown = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    const version = isJsonObject(manifest) ? manifest['version'] : undefined;
    return typeof version === 'string' && /^\d+\.\d+\.\d+[\w.+-]{0,100}$/.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
