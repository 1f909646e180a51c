import { areDependenciesInstalled } from '../../../src/build/steps.mjs';
import { runNpm } from './npmCommand.mjs';
import { repositoryRoot } from './repository.mjs';

/** Installs what package-lock.json says, unless exactly that is installed: a fresh clone needs no second command. */
export async function ensureDependencies() {
  if (!areDependenciesInstalled()) {
    console.log('Installing the dependencies (npm ci) …');
    await runNpm(['ci'], repositoryRoot);
  }
}
