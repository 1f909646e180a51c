import { existsSync, readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';

import { repositoryRoot } from './repository.mjs';

const fixtures = path.join(repositoryRoot, 'test', 'fixtures', 'workspaces');

export const defaultWorkspace = 'demo';

/** @param {string} name */
export function isWorkspaceFixture(name) {
  return existsSync(path.join(fixtures, name));
}

/**
 * Tests and people work on a copy, so that they may change what they like.
 *
 * @param {string} fixture a folder of test/fixtures/workspaces, or an absolute path
 * @param {string} parentFolder
 * @returns {Promise<string>} the copy
 */
export async function copyWorkspace(fixture, parentFolder) {
  const source = path.resolve(fixtures, fixture);
  const target = path.join(parentFolder, path.basename(source));
  await cp(source, target, { recursive: true });
  return target;
}

/**
 * What VS Code opens of it: a workspace file, where there is one, or the folder itself.
 *
 * @param {string} copy
 * @returns {string}
 */
export function workspaceToOpen(copy) {
  const file = readdirSync(copy).find((name) => name.endsWith('.code-workspace'));
  return file === undefined ? copy : path.join(copy, file);
}
