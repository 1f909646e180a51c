import { access } from 'node:fs/promises';
import path from 'node:path';
import { hostWithPort, type PackageCall, type PackageSource } from './fetchedPackages.ts';

const flags = /^(?:-q|--quiet|--no-progress)$/;
const options: Readonly<Record<string, 'from' | 'with' | 'python'>> = {
  '--from': 'from',
  '--with': 'with',
  '-w': 'with',
  '--python': 'python',
  '-p': 'python',
};

/** Reads the arguments of uvx; undefined when they hold an option that is not known, or nothing to run. */
export function readUvx(args: readonly string[]): PackageCall | undefined {
  const given: Record<'from' | 'with' | 'python', string[]> = { from: [], with: [], python: [] };
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const [, name = arg, joined] = /^(--[a-z-]+)=(.+)$/s.exec(arg) ?? [];
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option !== undefined) {
      index += joined === undefined ? 1 : 0;
      given[option].push(joined ?? args[index] ?? '');
    } else if (!arg.startsWith('-')) {
      return callOf(given.from.at(-1) ?? arg, given.with, given.python);
    } else if (!flags.test(arg)) {
      return undefined;
    }
  }
  return undefined;
}

/** uvx makes the same environment for the same packages, so what is run in it instead of the server leaves it there for the server. */
function callOf(from: string, others: readonly string[], pythons: readonly string[]): PackageCall | undefined {
  const packages = [from, ...others].map((name) => name.replace(/^([^@[\]=<>~!]+(?:\[[^\]]*\])?)@/, '$1=='));
  if (!packages.every(isRequirement) || !pythons.every((version) => /^(?:python)?\d+(?:\.\d+){0,2}$/.test(version))) {
    return undefined;
  }
  const [first = '', ...more] = packages;
  const args = [
    ...pythons.flatMap((version) => ['--python', version]),
    ...more.flatMap((name) => ['--with', name]),
    ...['--from', first, 'python', '--version'],
  ];
  return { packages, args, isExact: packages.every((name) => /==\d[\w.!+-]*$/.test(name)) };
}

const requirement =
  /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\[[A-Za-z0-9._,-]+\])?(?:(?:===?|>=|<=|~=|!=|<|>)\d[\w.*!+-]*(?:,(?:===?|>=|<=|~=|!=|<|>)\d[\w.*!+-]*)*)?$/;

/** Whether a text names a package of the index, and no file, address or repository. `@latest` asks the index at every start. */
function isRequirement(text: string): boolean {
  return requirement.test(text) && !/\.pyw?$/i.test(text) && text.length < 300;
}

const usualIndex = 'https://pypi.org/simple';
/** The usual index lists packages in one place and keeps them in another. */
const usualHosts: readonly string[] = ['pypi.org:443', 'files.pythonhosted.org:443'];

/** The person's own index of Python packages, without what they sign in with. */
export function uvSource(env: Readonly<Record<string, string | undefined>>, pythons: readonly string[]): PackageSource {
  const wanted = [env['UV_DEFAULT_INDEX'], env['UV_INDEX_URL']].find((each) => each !== undefined && URL.canParse(each));
  const url = new URL(wanted ?? usualIndex);
  url.username = '';
  url.password = '';
  const [python] = pythons;
  return {
    url: url.href,
    hosts: url.hostname === 'pypi.org' ? usualHosts : [hostWithPort(url)],
    variables: (isOffline) => ({
      UV_CACHE_DIR: '/box/uv',
      UV_TOOL_DIR: '/box/uv-tools',
      UV_NO_CONFIG: '1',
      UV_DEFAULT_INDEX: url.href,
      // An interpreter would come from elsewhere than packages do.
      UV_PYTHON_DOWNLOADS: 'never',
      ...(python === undefined ? {} : { UV_PYTHON_INSTALL_DIR: python }),
      ...(isOffline ? { UV_OFFLINE: '1' } : {}),
    }),
  };
}

/** The interpreters that uv itself installed for the person, if there are any. */
export async function uvPythons(userHome: string): Promise<readonly string[]> {
  const folder = path.join(userHome, '.local/share/uv/python');
  return access(folder).then(
    () => [folder],
    () => [],
  );
}
