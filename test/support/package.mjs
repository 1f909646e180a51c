/** `npm run package`: builds the extension and packs it for installation. */
import path from 'node:path';
import process from 'node:process';

import { buildStep, packageStep, runStep } from './run/buildSteps.mjs';
import { ensureDependencies } from './run/ensureDependencies.mjs';
import { packagedExtension, repositoryRoot } from './run/repository.mjs';

await ensureDependencies();
if (!(await runStep(buildStep)) || !(await runStep(packageStep))) {
  process.exit(1);
}
console.log(`Packaged ${path.relative(repositoryRoot, packagedExtension())}.`);
