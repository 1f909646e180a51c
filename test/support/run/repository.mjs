import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');

/** Everything that a build or a test leaves behind. */
export const outFolder = path.join(repositoryRoot, 'out');

/** Where `npm run package` puts the extension. */
export function packagedExtension() {
  const { name, version } = JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8'));
  return path.join(outFolder, `${name}-${version}.vsix`);
}
