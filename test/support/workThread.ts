import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { buildSync } from 'esbuild';
import { outFolder, repositoryRoot } from './run/repository.mjs';

/** The program of the threads, made of the sources as they are now: a thread does not inherit tsx, and tests need no build. */
export const workThread = path.join(outFolder, 'test', 'workThread.mjs');

const { outputFiles } = buildSync({
  entryPoints: [path.join(repositoryRoot, 'src', 'worker', 'workThread.ts')],
  outdir: path.dirname(workThread),
  outExtension: { '.js': '.mjs' },
  splitting: true,
  chunkNames: 'workThread/[name]-[hash]',
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
});
// The program itself last: what it loads is there then.
outputFiles.sort((one, other) => Number(one.path === workThread) - Number(other.path === workThread)).forEach(bringUpToDate);

/** Other kinds of tests run beside this one, and their threads load the same files: they find them whole. */
function bringUpToDate({ path: file, contents }: { readonly path: string; readonly contents: Uint8Array }): void {
  if (contentOf(file)?.equals(contents) === true) {
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, file);
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
