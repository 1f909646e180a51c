import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { resolveChain, type ChainSources, type RunChain } from '../../../../src/testRuns/chain/runChain.ts';

export type Scripts = Readonly<Record<string, string>>;

/** Packages by their folder, and other files by their path. */
export function disk(packages: Readonly<Record<string, Scripts>>, files: Readonly<Record<string, string>> = {}): ChainSources {
  return {
    readFile: (folder, name) => {
      const scripts = packages[folder];
      const manifest = name === 'package.json' && scripts !== undefined ? JSON.stringify({ name: 'demo', scripts }) : undefined;
      return Promise.resolve(files[posix.resolve(folder, name)] ?? manifest);
    },
    filesIn: (folder, names) => Promise.resolve(new Set(names.filter((name) => files[posix.join(folder, name)] !== undefined))),
    resolveFolder: (from, to) => posix.resolve(from, to),
  };
}

export function chainOf(
  command: string | readonly string[],
  scripts: Scripts,
  more: Readonly<Record<string, Scripts>> = {},
): Promise<RunChain> {
  return resolveChain([{ command, folder: '/demo' }], disk({ '/demo': scripts, ...more }));
}

/** The names of the scripts it reaches, without the word that all have. */
export async function reached(
  command: string | readonly string[],
  scripts: Scripts,
  more?: Readonly<Record<string, Scripts>>,
): Promise<string[]> {
  const { steps, unknown } = await chainOf(command, scripts, more);
  assert.deepEqual(unknown, [], `all of ${String(command)} is known`);
  return steps.map(({ name }) => name.replace('scripts.', ''));
}
