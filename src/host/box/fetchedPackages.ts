import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What a program such as npx is told to fetch and to run. */
export interface PackageCall {
  readonly packages: readonly string[];
  /** The arguments with which it fetches them and runs nothing of them. */
  readonly args: readonly string[];
  /** Whether what is named never changes, so that it is fetched only once. */
  readonly isExact: boolean;
}

/** Where packages come from. */
export interface PackageSource {
  readonly url: string;
  /** The hosts of the box that fetches. */
  readonly hosts: readonly string[];
  /** The variables by which the program keeps to the cache in the box; once it is filled, without a network. */
  readonly variables: (isOffline: boolean) => Readonly<Record<string, string>>;
}

const flags = /^(?:-y|--yes|-q|--quiet|--prefer-offline|--prefer-online)$/;

/** Reads the arguments of npx; undefined when they hold an option that is not known, or nothing to run. */
export function readNpx(args: readonly string[]): PackageCall | undefined {
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
      return first !== undefined && all.every(isName) ? callOf(all) : undefined;
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

function callOf(packages: readonly string[]): PackageCall {
  return {
    packages,
    args: ['--yes', ...packages.map((name) => `--package=${name}`), '--', 'node', '--version'],
    isExact: packages.every((name) => /.@\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(name)),
  };
}

function npmEnvironment(registry: URL, isOffline: boolean): Readonly<Record<string, string>> {
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
export async function npmSource(env: Readonly<Record<string, string | undefined>>, userHome: string): Promise<PackageSource> {
  const file = await readFile(path.join(userHome, '.npmrc'), 'utf8').catch(() => '');
  const line = /^\s*registry\s*=\s*["']?(https?:\/\/[^\s"']+)/m.exec(file)?.[1];
  const wanted = [env['npm_config_registry'], env['NPM_CONFIG_REGISTRY'], line].find((each) => each !== undefined && URL.canParse(each));
  const url = new URL(wanted ?? usualRegistry);
  url.username = '';
  url.password = '';
  return { url: url.href, hosts: [hostWithPort(url)], variables: (isOffline) => npmEnvironment(url, isOffline) };
}

/** An address as a host of a box, with its port. */
export function hostWithPort({ hostname, port, protocol }: URL): string {
  const usual = protocol === 'https:' ? 443 : 80;
  return `${hostname}:${port === '' ? usual : port}`;
}
