import { rm } from 'node:fs/promises';
import path from 'node:path';

import * as esbuild from 'esbuild';

import { outFolder, repositoryRoot } from '../run/repository.mjs';

/**
 * Translates a folder of test/ for the extension host. One module per entry and shared chunks, so that a module of the
 * tests exists once; packages stay in node_modules, which lies above the output.
 *
 * @param {string} folder of test/
 * @param {readonly string[]} entries relative to the folder; the first is the one with `run`
 * @param {string} [name] of the bundle's folder, where several are in use at a time
 * @returns {Promise<string>} the file for `--extensionTestsPath`
 */
export async function bundleForExtensionHost(folder, entries, name = folder) {
  const sourceFolder = path.join(repositoryRoot, 'test', folder);
  const bundleFolder = path.join(outFolder, 'test', name);
  await rm(bundleFolder, { recursive: true, force: true });
  await esbuild.build({
    entryPoints: entries.map((file) => path.join(sourceFolder, file)),
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
