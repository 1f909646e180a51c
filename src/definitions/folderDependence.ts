import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import { readBounded } from '../platform/files/ownFiles.ts';
import { isDangerousVariable } from './childEnvironment.ts';

/** A start as its definition has it, with nothing left to expand. */
export interface StartInFolder {
  readonly command: string;
  readonly args: readonly string[];
  /** The variables that the definition or its envFile sets. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly cwd: string;
  readonly userHome: string;
  readonly platform: NodeJS.Platform;
}

/** Programs that look for what they run, or for what they load first, in the folder where they start. */
const folderPrograms: ReadonlySet<string> = new Set(
  [
    'npm pnpm pnpx yarn yarnpkg bun bunx deno tsx ts-node nx turbo lerna rush vite-node corepack php composer',
    'poetry pipenv pdm hatch rye pixi conda mamba tox nox bundle rake',
    'make gmake nmake cmake ninja just task mage bazel bazelisk',
    'go cargo dotnet gradle gradlew mvn mvnw sbt lein mix swift zig nix nix-shell',
    'sh bash zsh dash ksh fish cmd powershell pwsh env sudo nice nohup time timeout stdbuf xargs direnv mise asdf volta dotenv dotenvx',
  ].flatMap((names) => names.split(' ')),
);
/** Programs that run the file which is their first argument, and that look for modules in the folder where they start. */
const interpreters = /^(?:node(?:js)?|python|pyw?|pypy|ruby|perl|java)w?(?:-?\d+(?:\.\d+)*)?w?$/;
const containerPrograms: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl']);

/**
 * Whether another program could run if the same definition started in another folder: something in it is a relative path, or could be one,
 * or its program looks for what it runs in that folder. In doubt it could. Nothing is looked at through a link.
 */
export async function dependsOnFolder(start: StartInFolder): Promise<boolean> {
  const { command, args, env } = start;
  const { paths, separator } = rulesOf(start);
  if (separator.test(command) && !paths.isAbsolute(command)) {
    return true;
  }
  const variables = Object.entries(env).flatMap(([name, value]) => (value !== null && isDangerousVariable(name) ? [{ name, value }] : []));
  const isLooking = variables.some(({ name, value }) => looksInFolder(name, value, start.platform));
  const values = variables.map(({ value }) => value);
  if (isLooking || (await isAnyInFolder(values, start))) {
    return true;
  }
  const name = paths
    .basename(command)
    .toLowerCase()
    .replace(/\.(?:exe|com|cmd|bat)$/, '');
  if (name === 'npx') {
    return npxDependsOnFolder(start);
  }
  if (containerPrograms.has(name)) {
    // The name of an image looks like a path.
    return args[0] !== 'run' || isAnyInFolder(args, start, true);
  }
  const isOther =
    folderPrograms.has(name) ||
    (interpreters.test(name) && !paths.isAbsolute(args[args[0] === '-jar' ? 1 : 0] ?? '')) ||
    (name === 'uv' && !(args[0] === 'tool' && args[1] === 'run'));
  return isOther || isAnyInFolder(args, start);
}

interface PathRules {
  readonly paths: path.PlatformPath;
  readonly separator: RegExp;
}

function rulesOf({ platform }: Pick<StartInFolder, 'platform'>): PathRules {
  return platform === 'win32' ? { paths: path.win32, separator: /[\\/]/ } : { paths: path.posix, separator: /\// };
}

/** Whether a variable has a program look in the folder: options that load modules (`NODE_OPTIONS`), or an empty entry of a PATH. */
function looksInFolder(name: string, value: string, platform: NodeJS.Platform): boolean {
  if (/PATH$/i.test(name)) {
    return platform !== 'win32' && value.split(':').includes('');
  }
  const words = value.split(/\s+/).filter((word) => word !== '');
  const isLoading = (word: string): boolean => !word.startsWith('-') || /^--?(?:r|import|loader|experimental-loader)/.test(word);
  return /OPT(?:ION)?S?$/i.test(name) && words.some(isLoading);
}

/** Whether one of these texts names something in the folder; `mayHaveSlash` for texts that are known to be no paths because of a slash. */
async function isAnyInFolder(texts: readonly string[], start: StartInFolder, mayHaveSlash = false): Promise<boolean> {
  const rules = rulesOf(start);
  for (const piece of new Set(texts.flatMap(piecesOf))) {
    if (piece.startsWith('.')) {
      return true;
    }
    if (piece === '' || rules.paths.isAbsolute(piece)) {
      continue;
    }
    const isNeverPath = mayHaveSlash || /^@[\w.-]+\/[\w.@^~-]+$/.test(piece);
    if (rules.separator.test(piece) && !isNeverPath) {
      return true;
    }
    // `@file` and `-Ifolder` name a path as well.
    const names = [piece, piece.replace(/^@/, ''), piece.replace(/^-\w/, '')].filter(
      (each) => each !== '' && !rules.paths.isAbsolute(each),
    );
    for (const name of new Set(names)) {
      if (name.startsWith('.') || (await look(start.cwd, ...name.split(rules.separator))) !== 'nothing') {
        return true;
      }
    }
  }
  return false;
}

/** The parts of a text that could be paths by themselves: `source=./data,target=/data` has one. Addresses are none. */
function piecesOf(text: string): string[] {
  const words = text.split(/[\s=,;"'`()|&<>]+/);
  return words.flatMap((word) => (/^[a-z][a-z\d+.-]*:\/\//i.test(word) ? [] : word.split(':')));
}

/** A package of the registry, with a version or a tag. Anything else that npx takes may be a folder. */
const registryPackage = /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*(?:@[\w.^~*+-]+)?$/i;

/** npx takes a package of the folder, or of one above it, before one of the registry; and settings there name the registry. */
async function npxDependsOnFolder(start: StartInFolder): Promise<boolean> {
  const { args, cwd, userHome } = start;
  const packages: string[] = [];
  let index = 0;
  for (let arg = args[0]; arg?.startsWith('-'); arg = args[(index += 1)]) {
    if (arg === '-p' || arg === '--package') {
      packages.push(args[(index += 1)] ?? '');
    } else if (arg.startsWith('--package=')) {
      packages.push(arg.slice('--package='.length));
    } else if (!['-y', '--yes', '-q', '--quiet', '--'].includes(arg)) {
      return true;
    }
  }
  const names = [...packages, args[index] ?? ''];
  if (!names.every((name) => registryPackage.test(name))) {
    return true;
  }
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    // The settings of the person's home are their own.
    const hasSettings = folder !== path.resolve(userHome) && (await look(folder, '.npmrc')) !== 'nothing';
    if (hasSettings || (await isInPackage(folder)) || (await isInModules(folder, names.map(withoutVersion)))) {
      return true;
    }
    if (folder === path.dirname(folder)) {
      return isAnyInFolder(args.slice(index + 1), start);
    }
  }
}

function withoutVersion(name: string): string {
  const at = name.lastIndexOf('@');
  return at > 0 ? name.slice(0, at) : name;
}

/** The most bytes of a package.json that is read; a larger one may name programs. */
const maxManifest = 1024 * 1024;

/** Whether the package of a folder has programs of its own, which npx knows by their names. */
async function isInPackage(folder: string): Promise<boolean> {
  const kind = await look(folder, 'package.json');
  if (kind !== 'file') {
    return kind !== 'nothing';
  }
  try {
    const text = await readBounded(path.join(folder, 'package.json'), maxManifest);
    const manifest: unknown = JSON.parse(text?.toString('utf8').replace(/^\uFEFF/, '') ?? '');
    return !isJsonObject(manifest) || ['bin', 'directories', 'workspaces'].some((key) => manifest[key] !== undefined);
  } catch {
    return true;
  }
}

/** The programs through which npx starts a package: those of the folder come first in its PATH. */
const launchers = ['node', 'sh', 'bash', 'env', 'cmd', 'python', 'python3'];

/** Whether the packages that are installed in a folder have one of these, or a program under one of these names. */
async function isInModules(folder: string, names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    if ((await look(folder, 'node_modules', ...name.split('/'))) !== 'nothing') {
      return true;
    }
  }
  const bin = await look(folder, 'node_modules', '.bin');
  if (bin !== 'folder') {
    return bin !== 'nothing';
  }
  const wanted = new Set([...launchers, ...names.flatMap((name) => name.split('/'))].map((name) => name.toLowerCase()));
  const programs = await readdir(path.join(folder, 'node_modules', '.bin')).catch(() => undefined);
  return programs?.some((program) => wanted.has(program.toLowerCase().replace(/\.(?:exe|cmd|ps1|bat|com)$/, ''))) ?? true;
}

/** What stands there. A link on the way is not followed: it may lead to another machine. What cannot be looked at counts as a link. */
async function look(folder: string, ...steps: readonly string[]): Promise<'nothing' | 'file' | 'folder' | 'link'> {
  let at = folder;
  let kind: 'nothing' | 'file' | 'folder' | 'link' = 'folder';
  for (const step of steps) {
    at = path.join(at, step);
    try {
      const info = await lstat(at);
      kind = info.isSymbolicLink() ? 'link' : info.isDirectory() ? 'folder' : 'file';
    } catch (error) {
      kind = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].some((code) => hasCode(error, code)) ? 'nothing' : 'link';
    }
    if (kind === 'nothing' || kind === 'link') {
      return kind;
    }
  }
  return kind;
}
