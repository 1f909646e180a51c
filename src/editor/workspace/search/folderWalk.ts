import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import ignore, { type Ignore } from 'ignore';
import { readBounded } from '../../../platform/files/ownFiles.ts';
import { hiddenFolders, maxListedFiles, type SearchRoot } from './searchEngine.ts';

const ignoreFiles = ['.gitignore', '.ignore', '.rgignore'];
/** The most bytes of an ignore file; the rules of a larger one are not read. */
const maxIgnoreBytes = 256 * 1024;
/** The most rules that are taken from one ignore file. */
const maxRules = 1_000;
/** The most `**` in a rule: each more multiplies what the rule costs by the number of folders in a path. */
const maxDoubleStars = 2;
/** The most folders in folders that are walked, because rules look at each of them. */
const maxDepth = 64;
/** The longest slice of work, in ms, before other work gets a turn. */
const sliceMs = 40;

/** The rules of the ignore files of one folder. `toOwnPath` makes a path within the root relative to that folder. */
export interface Rules {
  readonly matcher: Ignore;
  readonly toOwnPath: (path: string) => string;
}

/** Lists every file below the root that the rules of its ignore files leave; links are not followed. */
export function walkFolder(root: SearchRoot, includeIgnored: boolean, signal: AbortSignal): Promise<string[]> {
  return walkFor('file', root, includeIgnored, signal);
}

/** The longest, in ms, that links are looked for; then those count that were found so far. */
const linksMs = 2_000;

/** Lists in the same way every symbolic link, wherever it leads. Ripgrep lists none without following all of them. */
export function walkLinks(root: SearchRoot, includeIgnored: boolean, signal: AbortSignal): Promise<string[]> {
  return walkFor('link', root, includeIgnored, signal, performance.now() + linksMs);
}

async function walkFor(
  wanted: 'file' | 'link',
  root: SearchRoot,
  includeIgnored: boolean,
  signal: AbortSignal,
  deadline = Infinity,
): Promise<string[]> {
  const found: string[] = [];
  let sliceBegan = performance.now();
  const walk = async (folder: string, inherited: readonly Rules[], depth: number): Promise<void> => {
    signal.throwIfAborted();
    if (performance.now() > deadline) {
      return;
    }
    const entries = await root.reader.readFolder(folder).catch(() => []);
    const own = includeIgnored ? undefined : await readRules(root, folder, new Set(entries.map((entry) => entry.name)));
    const rules = own === undefined ? inherited : [...inherited, own];
    for (const { name, kind } of entries.filter((entry) => entry.kind === wanted || entry.kind === 'folder')) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (performance.now() - sliceBegan > sliceMs) {
        await nextTurn();
        sliceBegan = performance.now();
      }
      if (hiddenFolders.includes(name) || found.length >= maxListedFiles || isIgnored(path, kind === 'folder', rules)) {
        continue;
      }
      if (kind === wanted) {
        found.push(path);
      } else if (depth < maxDepth) {
        await walk(path, rules, depth + 1);
      }
    }
  };
  await walk('', includeIgnored || root.path === undefined ? [] : await rulesFromAbove(root.path), 0);
  return found;
}

/** The rules for what is in a folder. There are none when the folder is ignored itself: who asks for it wants to see it. */
export async function rulesFor(root: SearchRoot, folder: string): Promise<readonly Rules[]> {
  const segments = folder === '' ? [] : folder.split('/');
  let rules: readonly Rules[] = root.path === undefined ? [] : await rulesFromAbove(root.path);
  for (const depth of segments.keys()) {
    rules = await withOwnRules(root, segments.slice(0, depth).join('/'), rules);
    const isClosed = hiddenFolders.includes(segments[depth] ?? '');
    if (isClosed || isIgnored(segments.slice(0, depth + 1).join('/'), true, rules)) {
      return [];
    }
  }
  return withOwnRules(root, folder, rules);
}

export async function withOwnRules(root: SearchRoot, folder: string, inherited: readonly Rules[]): Promise<readonly Rules[]> {
  const own = await readRules(root, folder, new Set(ignoreFiles));
  return own === undefined ? inherited : [...inherited, own];
}

/** Whether the rules ignore a path; the innermost rule that says anything decides. */
export function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { matcher, toOwnPath } of [...rules].reverse()) {
    const own = toOwnPath(path);
    const verdict = matcher.test(isFolder ? `${own}/` : own);
    if (verdict.ignored || verdict.unignored) {
      return verdict.ignored;
    }
  }
  return false;
}

async function readRules(root: SearchRoot, folder: string, names: ReadonlySet<string>): Promise<Rules | undefined> {
  const present = ignoreFiles.filter((name) => names.has(name));
  const texts = await Promise.all(
    present.map((name) => root.reader.readText(folder === '' ? name : `${folder}/${name}`, maxIgnoreBytes).catch(() => undefined)),
  );
  if (texts.every((text) => text === undefined)) {
    return undefined;
  }
  const offset = folder === '' ? 0 : folder.length + 1;
  return { matcher: matcherOf(texts), toOwnPath: (path) => path.slice(offset) };
}

/** The rules of the repository that the folder is in: those of the folders above it, and its private ones. */
async function rulesFromAbove(root: string): Promise<Rules[]> {
  const repository = await findRepository(root);
  if (repository === undefined) {
    return [];
  }
  const rules: Rules[] = [];
  const addRules = async (folder: string, names: readonly string[]): Promise<void> => {
    const texts = await Promise.all(names.map((name) => readText(join(folder, name)).catch(() => undefined)));
    if (texts.some((text) => text !== undefined)) {
      const way = relative(folder, root).split(sep).join('/');
      rules.push({ matcher: matcherOf(texts), toOwnPath: (path) => (way === '' ? path : `${way}/${path}`) });
    }
  };
  await addRules(repository, ['.git/info/exclude']);
  for (const folder of foldersBetween(repository, root)) {
    await addRules(folder, ignoreFiles);
  }
  return rules;
}

/** The folder with `.git`: this one or one above it. */
export async function findRepository(folder: string): Promise<string | undefined> {
  const isHere = await stat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  const parent = dirname(folder);
  return isHere ? folder : parent === folder ? undefined : findRepository(parent);
}

/** The folders from `outer` to the one just above `inner`. */
function foldersBetween(outer: string, inner: string): string[] {
  const folders: string[] = [];
  for (let folder = inner; folder !== outer;) {
    folder = dirname(folder);
    folders.unshift(folder);
  }
  return folders;
}

async function readText(path: string): Promise<string | undefined> {
  return (await readBounded(path, maxIgnoreBytes))?.toString('utf8');
}

/** Whether a rule can be matched quickly: one made of stars and little else would take forever. */
function isBounded(rule: string): boolean {
  return rule.length <= 500 && rule.split('*').length <= 12 && rule.split('**').length <= maxDoubleStars + 1;
}

function matcherOf(texts: readonly (string | undefined)[]): Ignore {
  const matcher = ignore({ allowRelativePaths: true });
  for (const text of texts) {
    const lines = (text ?? '').split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
    matcher.add(lines.filter(isBounded).slice(0, maxRules));
  }
  return matcher;
}
