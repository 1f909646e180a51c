import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What npx is told to fetch and to run. */
export interface NpxCall {
  readonly packages: readonly string[];
}

const flags = /^(?:-y|--yes|-q|--quiet|--prefer-offline|--prefer-online)$/;

/** Reads the arguments of npx; undefined when they hold an option that is not known, or nothing to run. */
export function readNpx(args: readonly string[]): NpxCall | undefined {
  const packages: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const joined = /^(?:--package|-p)=(.+)$/s.exec(arg)?.[1];
    if (arg === '--package' || arg === '-p') {
      index += 1;
      packages.push(args[index] ?? '');
    } else if (joined !== undefined) {
      packages.push(joined);
    } else if (arg === '--' || !arg.startsWith('-')) {
      const first = arg === '--' ? args[index + 1] : arg;
      const all = packages.length > 0 ? packages : [first ?? ''];
      return first !== undefined && all.every(isName) ? { packages: all } : undefined;
    } else if (!flags.test(arg)) {
      return undefined;
    }
  }
  return undefined;
}

/** Whether a text names a package of the registry, and no folder, archive or repository. */
function isName(text: string): boolean {
  return /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*(?:@[A-Za-z0-9^~<>=.*_ -]+)?$/i.test(text) && text.length < 300;
}

/** Whether what is named never changes, so that it is fetched only once. */
export function isExact({ packages }: NpxCall): boolean {
  return packages.every((name) => /.@\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(name));
}

/** The arguments with which npx fetches the packages and runs nothing of them. */
export function fetchArguments({ packages }: NpxCall): readonly string[] {
  return ['--yes', ...packages.map((name) => `--package=${name}`), '--', 'node', '--version'];
}

/** The variables by which npm keeps to the cache in the box; once it is filled, without a network. */
export function npmEnvironment(registry: URL, isOffline: boolean): Readonly<Record<string, string>> {
  return {
    npm_config_cache: '/box/npm',
    npm_config_userconfig: '/box/npmrc',
    npm_config_registry: registry.href,
    npm_config_yes: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    ...(isOffline ? { npm_config_offline: 'true' } : {}),
  };
}

const usualRegistry = 'https://registry.npmjs.org/';

/** The person's own registry. Of their file only its address is read: what else stands there may be a token. */
export async function npmRegistry(env: Readonly<Record<string, string | undefined>>, userHome: string): Promise<URL> {
  const file = await readFile(path.join(userHome, '.npmrc'), 'utf8').catch(() => '');
  const line = /^\s*registry\s*=\s*["']?(https?:\/\/[^\s"']+)/m.exec(file)?.[1];
  const wanted = [env['npm_config_registry'], env['NPM_CONFIG_REGISTRY'], line].find((each) => each !== undefined && URL.canParse(each));
  const url = new URL(wanted ?? usualRegistry);
  url.username = '';
  url.password = '';
  return url;
}

/** The registry as a host of the box that fetches. */
export function registryHost({ hostname, port, protocol }: URL): string {
  const usual = protocol === 'https:' ? 443 : 80;
  return `${hostname}:${port === '' ? usual : port}`;
}
