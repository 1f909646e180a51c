import path from 'node:path';
import { buildSync } from 'esbuild';
import { outFolder, repositoryRoot } from './run/repository.mjs';

/** The program of the threads, made of the sources as they are now: a thread does not inherit tsx, and tests need no build. */
export const workThread = path.join(outFolder, 'test', 'workThread.mjs');

buildSync({
  entryPoints: [path.join(repositoryRoot, 'src', 'worker', 'workThread.ts')],
  outdir: path.dirname(workThread),
  outExtension: { '.js': '.mjs' },
  splitting: true,
  chunkNames: 'workThread/[name]-[hash]',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
});
