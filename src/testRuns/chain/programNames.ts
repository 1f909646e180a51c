import { packageManagerOf } from './packageCall.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Builtins of a shell whose words do not tell what they do, or which change what later words mean. */
export const opaqueBuiltins = words('eval source . alias trap case select function coproc');
/** Programs that run scripts by rules of their own, or what stands in files of their own. */
const opaquePrograms = words(
  'turbo nx lerna wireit rush rushx moon wsrun lage ultra nps per-env powershell pwsh nr na ni nun nlx npm-watch bnr better-npm-run',
);
export const shells = words('sh bash zsh dash ksh ash fish cmd');
export const manyScripts = words('run-s run-p npm-run-all npm-run-all2');
export const serverTests = words('start-server-and-test server-test start-test');
export const concurrents = words('concurrently conc');
/** Programs that take what they run from what they are given to read, or run it in another place. */
export const feeders = words(
  'xargs parallel find fd entr watch docker docker-compose podman nerdctl kubectl devcontainer ssh wsl vagrant chroot',
);
export const folderChanges = words('cd chdir pushd popd set-location sl push-location pop-location');
/** Programs that run what their files say, and no script by its name. */
const plainPrograms = words(
  'vitest jest mocha ava tap tape jasmine karma cypress playwright wdio uvu tsc tsx ts-node vue-tsc eslint oxlint prettier biome stylelint vite webpack rollup rolldown esbuild tsup swc babel astro next nuxt storybook typedoc publint attw echo rm rimraf mkdirp cpy cpx shx make node',
);

/** How a program is called that runs the command after its own options. */
export interface Prefix {
  readonly flags: ReadonlySet<string>;
  readonly withValue: ReadonlySet<string>;
  /** Whether an option that is not known here may lead to another command or folder. */
  readonly isStrict: boolean;
  /** Matches words that stand before the command and are no part of it. */
  readonly skipped?: RegExp;
}

const none: ReadonlySet<string> = new Set();
const packageRunner: Prefix = {
  flags: words('-y --yes --no --no-install -q --quiet --offline --prefer-offline --bun'),
  withValue: words('-p --package'),
  isStrict: true,
};
const coverage: Prefix = {
  flags: words('-a --all --clean --check-coverage'),
  withValue: words('-r --reporter -x --exclude -n --include -o --reports-dir --report-dir --temp-dir'),
  isStrict: false,
};

export const prefixes: ReadonlyMap<string, Prefix> = new Map<string, Prefix>([
  ['exec', { flags: words('-c -l'), withValue: words('-a'), isStrict: true }],
  ['command', { flags: words('-p'), withValue: none, isStrict: true }],
  ['builtin', { flags: none, withValue: none, isStrict: true }],
  ['env', { flags: words('- -i -0 --ignore-environment'), withValue: words('-u --unset'), isStrict: true }],
  ['nohup', { flags: none, withValue: none, isStrict: true }],
  ['nice', { flags: none, withValue: words('-n --adjustment'), isStrict: true, skipped: /^-n?-?\d+$/ }],
  ['sudo', { flags: words('-E -n -H'), withValue: words('-u -g'), isStrict: true }],
  ['doas', { flags: words('-n'), withValue: words('-u'), isStrict: true }],
  ['cross-env', { flags: none, withValue: none, isStrict: true }],
  ['corepack', { flags: none, withValue: none, isStrict: true }],
  ['npx', packageRunner],
  ['bunx', packageRunner],
  ['pnpx', packageRunner],
  ['dotenv', { flags: words('-o'), withValue: words('-e -v'), isStrict: false }],
  ['dotenvx', { flags: words('-q --quiet --overload'), withValue: words('-f --env-file -e --env'), isStrict: false, skipped: /^run$/ }],
  ['c8', coverage],
  ['nyc', coverage],
  ['xvfb-run', { flags: words('-a --auto-servernum'), withValue: words('-s --server-args -n -e'), isStrict: false }],
  [
    'timeout',
    {
      flags: words('--foreground --preserve-status'),
      withValue: words('-s --signal -k --kill-after'),
      isStrict: false,
      skipped: /^[\d.]+[smhd]?$/,
    },
  ],
]);

/** Whether a program may run whole chains of scripts by rules of its own. */
export function isOpaque(name: string): boolean {
  return opaquePrograms.has(name);
}

/** Whether a program by this name runs scripts or commands that its arguments name. */
export function isRunner(name: string): boolean {
  return (
    packageManagerOf(name) !== undefined ||
    name === 'cross-env-shell' ||
    [opaquePrograms, shells, manyScripts, serverTests, concurrents, prefixes].some((names) => names.has(name))
  );
}

/** Whether it is known what a program runs: nothing of the package, or what its arguments say. */
export function isKnownProgram(program: string): boolean {
  const name = nameOf(program);
  return plainPrograms.has(name) || isRunner(name) || feeders.has(name);
}

const spelled = [
  ...['npm', 'pnpm', 'yarn', 'yarnpkg', 'bun', 'npx', 'bunx', 'pnpx', 'deno'],
  ...[opaquePrograms, manyScripts, concurrents].flatMap((names) => [...names]),
].join('|');
const mentioned = new RegExp(
  `(?:^|[\\s;&|("'\`/\\\\=!])(?:${spelled})(?:@[^\\s"';&|]*)?(?:\\.cmd|\\.exe|\\.ps1|\\.[cm]?js)?(?:$|[\\s;&|)"'\`:])|(?:^|\\s)--run(?:$|[\\s=])`,
  'i',
);

/** Whether a text names a program that runs scripts. */
export function mentionsScripts(text: string): boolean {
  return mentioned.test(text);
}

/**
 * The plain name of a program: without folders, version and what Windows and Node add, and in lower case because not every disk
 * tells cases apart.
 */
export function nameOf(program: string): string {
  const file = (program.split(/[\\/]/).at(-1) ?? '').replace(/(?<=.)@[^@]*$/, '').toLowerCase();
  const plain = file.replace(/\.(?:cmd|exe|bat|ps1)$/, '');
  const asModule = plain.replace(/(?:-cli)?\.[cm]?js$/, '');
  const inPackage = /(?:^|[\\/])node_modules[\\/](?:@[^\\/]+[\\/])?([^.\\/][^\\/]*)[\\/]/i.exec(program)?.[1]?.toLowerCase();
  const isFile = asModule !== plain;
  const isCommon = shells.has(asModule) || (prefixes.has(asModule) && prefixes.get(asModule) !== packageRunner);
  if (isFile && !isCommon && isRunner(asModule)) {
    return asModule;
  }
  return inPackage !== undefined && !isRunner(plain) && isRunner(inPackage) ? inPackage : plain;
}
