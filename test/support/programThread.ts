import path from 'node:path';
import { buildSync } from 'esbuild';
import { outFolder, repositoryRoot } from './run/repository.mjs';

/** The program of the thread that starts others, made of the sources as they are now. */
export const programThread = path.join(outFolder, 'test', 'programThread.js');

buildSync({
  entryPoints: [path.join(repositoryRoot, 'src', 'platform', 'programThread.ts')],
  outfile: programThread,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
});
