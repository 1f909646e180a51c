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
  const test = isJsonObject(content.scripts) ? content.scripts['test'] : undefined;
  if (typeof test !== 'string' || test.trim() === '' || placeholder.test(test)) {
    return undefined;
  }
  const manager = declaredManager(content) ?? lockfiles.find(([file]) => foundLockfiles.has(file))?.[1] ?? 'npm';
  return { manager, args: argsFor(manager, filter) };
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
