import { rm } from 'node:fs/promises';
import path from 'node:path';

import * as esbuild from 'esbuild';

import { outFolder, repositoryRoot } from '../run/repository.mjs';

const sourceFolder = path.join(repositoryRoot, 'test', 'editor');
const bundleFolder = path.join(outFolder, 'test', 'editor');

/**
 * Translates the editor tests for the extension host. One module per test file and shared chunks, so that a module of
 * the tests exists once; packages stay in node_modules, which lies above the output.
 *
 * @param {readonly string[]} testFiles relative to test/editor
 * @returns {Promise<string>} the file for `--extensionTestsPath`
 */
export async function bundleEditorTests(testFiles) {
  await rm(bundleFolder, { recursive: true, force: true });
  await esbuild.build({
    entryPoints: ['index.ts', ...testFiles].map((file) => path.join(sourceFolder, file)),
    outbase: sourceFolder,
    outdir: bundleFolder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  return path.join(bundleFolder, 'index.js');
}
