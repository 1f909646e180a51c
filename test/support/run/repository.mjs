import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** Everything that a build or a test leaves behind. */
export const outFolder = path.join(repositoryRoot, 'out');
