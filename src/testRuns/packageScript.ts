import { isJsonObject, type JsonObject } from '../base/json.ts';

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** Files that tell which package manager a project uses; the first that is there decides. */
export const lockfiles: readonly (readonly [string, PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
];

/** What npm writes into a new package.json. */
const placeholder = /^echo\s+["']?Error: no test specified/;

export interface PackageScript {
  readonly manager: PackageManager;
  readonly args: readonly string[];
  /** Everything in package.json that decides what runs. */
  readonly script: string;
}

/** How to run the test script of a package.json; `undefined` if it has none. Throws on text that is not JSON. */
export function packageTestScript(
  text: string,
  foundLockfiles: ReadonlySet<string>,
  filter: string | undefined,
): PackageScript | undefined {
  const content: unknown = JSON.parse(text);
  if (!isJsonObject(content)) {
    return undefined;
  }
  const scripts = new Map(Object.entries(isJsonObject(content.scripts) ? content.scripts : {}).filter(isText));
  const test = scripts.get('test') ?? '';
  if (test.trim() === '' || placeholder.test(test)) {
    return undefined;
  }
  const manager = declaredManager(content) ?? lockfiles.find(([file]) => foundLockfiles.has(file))?.[1] ?? 'npm';
  return { manager, args: argsFor(manager, filter), script: describeScripts(scripts) };
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

function declaredManager({ packageManager }: JsonObject): PackageManager | undefined {
  const name = typeof packageManager === 'string' ? packageManager.split('@')[0] : undefined;
  return (['npm', 'pnpm', 'yarn', 'bun'] as const).find((manager) => manager === name);
}

/** Only npm needs telling where its own options end; the others would hand the dashes on. */
function argsFor(manager: PackageManager, filter: string | undefined): readonly string[] {
  if (manager === 'npm') {
    return ['test', ...(filter === undefined ? [] : ['--', filter])];
  }
  return ['run', 'test', ...(filter === undefined ? [] : [filter])];
}

/**
 * The test script with those around it and those it may call: whoever allowed it once must be asked again when any of them
 * changes. A name that merely looks like a script is shown too; better one line too many.
 */
function describeScripts(scripts: ReadonlyMap<string, string>): string {
  const shown = new Set(['pretest', 'test', 'posttest'].filter((name) => scripts.has(name)));
  for (const name of shown) {
    const words = scripts.get(name)?.split(/[\s"'`;&|()=]+/) ?? [];
    for (const other of [...scripts.keys()].filter((candidate) => words.some((word) => means(word, candidate)))) {
      [`pre${other}`, other, `post${other}`].filter((found) => scripts.has(found)).forEach((found) => shown.add(found));
    }
  }
  const named = [...shown].map((name) => `${name}: ${scripts.get(name) ?? ''}`);
  return named.length === 1 ? (scripts.get('test') ?? '') : named.join('\n');
}

/** `test:*` means many. */
function means(word: string, script: string): boolean {
  return word === script || (word.endsWith('*') && word !== '*' && script.startsWith(word.replace(/\*+$/, '')));
}
