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

const maxFolders = 500;
/** Neither part of a name may begin with a dot, so that none leads to another folder. */
const packageName = /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*$/i;

/**
 * The newest version of a package that `npx` has run on this machine. No network is asked and no version is guessed: what was
 * never fetched has none.
 */
export async function fetchedVersion(name: string, cache = npmCache()): Promise<string | undefined> {
  if (!packageName.test(name)) {
    return undefined;
  }
  const folder = path.join(cache, '_npx');
  const entries = await readdir(folder).catch(() => []);
  const found = await Promise.all(entries.slice(0, maxFolders).map((each) => versionIn(path.join(folder, each, 'node_modules', name))));
  return found
    .filter((version) => version !== undefined)
    .sort(compareVersions)
    .at(-1);
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
