import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';

export const manyFiles = 5_000;
const filesPerFolder = 100;
/** Stands in every 250th file. */
export const rareWord = 'quicksilver';

const filler = Array.from(
  { length: 60 },
  (_, line) => `export const value${line} = compute(${line}, 'some text that is long enough to be a line');`,
);

/** Makes the workspace as large as a person's: many files, a very long one, one with 5 MB. */
export function fillWorkspace(root: string): void {
  for (let index = 0; index < manyFiles; index += 1) {
    const folder = path.join(root, 'many', `part${Math.floor(index / filesPerFolder)}`);
    if (index % filesPerFolder === 0) {
      mkdirSync(folder, { recursive: true });
    }
    const own = index % 250 === 0 ? `// ${rareWord} ${index}` : `// ${index}`;
    writeFileSync(path.join(folder, `module${index}.${index % 2 === 0 ? 'ts' : 'js'}`), [...filler, own, ''].join('\n'));
  }
  const functions = Array.from(
    { length: 25_000 },
    (_, index) => `export function f${index}(a: number): number {\n  const b = a + ${index};\n  return b;\n}`,
  );
  writeFileSync(path.join(root, 'long.ts'), functions.join('\n'));
  writeFileSync(path.join(root, 'large.txt'), 'a line of text that is read as it is, word by word\n'.repeat(100_000));
}

/** All of it untracked. */
export function makeRepository(root: string): void {
  execFileSync('git', ['init', '--quiet'], { cwd: root });
}
