import path from 'node:path';
import { buildSync } from 'esbuild';
import { outFolder, repositoryRoot } from './run/repository.mjs';

/** The search worker's program, made of the sources as they are now: a thread does not inherit tsx, and unit tests need no build. */
export const searchWorker = path.join(outFolder, 'test', 'searchWorker.js');

buildSync({
  entryPoints: [path.join(repositoryRoot, 'src', 'worker', 'searchWorker.ts')],
  outfile: searchWorker,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
