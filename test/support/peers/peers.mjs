import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

import { installOnce } from '../run/cacheFolder.mjs';
import { runNpm } from '../run/npmCommand.mjs';
import { ensureNode } from '../vscode/vscodeInstallation.mjs';
import { vscodeVersions } from '../vscode/versions.mjs';

/**
 * Other people's software that tests talk to, in versions that a clone of the repository does not install. Every
 * version is exact: what a test says of a peer is true of that version only.
 *
 * `modules` are names of folders in `node_modules`, so that several versions of a package can stand side by side.
 */
const peers = /** @type {const} */ ({
  // The last ones whose newest revision is 2024-11-05.
  servers2024: {
    '@modelcontextprotocol/server-everything': '0.6.2',
    '@modelcontextprotocol/server-filesystem': '0.6.2',
  },
  // The last version of each line of the first SDK, by the newest revision it knows.
  sdkLines: {
    'sdk-2024-11-05': 'npm:@modelcontextprotocol/sdk@1.10.2',
    'sdk-2025-03-26': 'npm:@modelcontextprotocol/sdk@1.12.3',
    'sdk-2025-06-18': 'npm:@modelcontextprotocol/sdk@1.24.0',
    'sdk-2025-11-25': 'npm:@modelcontextprotocol/sdk@1.32.2',
  },
  // The SDK that servers of 2026-07-28 are made with.
  sdkModern: { '@modelcontextprotocol/server': '2.4.0' },
  proxies: { 'mcp-proxy': '6.7.19', supergateway: '4.0.0' },
  // The very first SDK, which expects a global EventSource; version 2 of it takes headers.
  sdk2024: { 'sdk-first': 'npm:@modelcontextprotocol/sdk@1.0.4', eventsource: '2.0.2' },
  // Servers with tools of many and large parameters.
  browsers: { '@playwright/mcp': '0.0.83', 'chrome-devtools-mcp': '1.11.0' },
  // Servers whose tools have pages.
  apps: {
    '@modelcontextprotocol/server-debug': '2.0.3',
    '@modelcontextprotocol/server-basic-vanillajs': '2.0.3',
    '@modelcontextprotocol/server-basic-react': '2.0.3',
    '@modelcontextprotocol/server-basic-vue': '2.0.3',
    '@modelcontextprotocol/server-basic-svelte': '2.0.3',
    '@modelcontextprotocol/server-budget-allocator': '2.0.3',
    '@modelcontextprotocol/server-cohort-heatmap': '2.0.3',
    '@modelcontextprotocol/server-customer-segmentation': '2.0.3',
    '@modelcontextprotocol/server-scenario-modeler': '2.0.3',
    '@modelcontextprotocol/server-system-monitor': '2.0.3',
    '@modelcontextprotocol/server-threejs': '2.0.3',
    '@modelcontextprotocol/server-pdf': '2.0.4',
  },
  inspector: { '@modelcontextprotocol/inspector': '2.12.0' },
  // What makers of bundles pack them with.
  mcpb: { '@anthropic-ai/mcpb': '2.1.2' },
  mcpRemote: { 'mcp-remote': '0.15.1' },
  mcpc: { '@apify/mcpc': '0.2.6' },
  conformance: { '@modelcontextprotocol/conformance': '0.2.0-alpha.12' },
});

/** Where the newest version of what a peer needs cannot be installed. @type {Readonly<Record<string, object>>} */
const overrides = { mcpc: { viem: '2.46.3' } };

/** @typedef {keyof typeof peers} PeerName */

/**
 * Installs a group of peers into the cache outside the repository, unless they are there.
 *
 * @param {PeerName} name
 * @returns {Promise<string>} its `node_modules`
 */
export async function ensurePeer(name) {
  const dependencies = peers[name];
  const folder = await installOnce(`peers-${name}-${fingerprint(dependencies)}`, async (unfinished) => {
    console.log(`Installing ${Object.keys(dependencies).join(', ')} for the tests (once) …`);
    await writeFile(
      path.join(unfinished, 'package.json'),
      JSON.stringify({ private: true, dependencies, overrides: overrides[name] ?? {} }),
    );
    await runNpm(['install', '--ignore-scripts', '--omit=dev'], unfinished);
  });
  return path.join(folder, 'node_modules');
}

/**
 * The program that a package of a group installs under its own name.
 *
 * @param {PeerName} name
 * @param {string} module
 * @returns {Promise<string>} a JavaScript file
 */
export async function ensurePeerProgram(name, module) {
  const folder = path.join(await ensurePeer(name), module);
  const { bin } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bin === 'string' ? bin : String(Object.values(bin)[0]));
}

/** A Node for peers that need a newer one than Duplex does. @returns {Promise<string>} the executable */
export function ensureNewNode() {
  const isNew = Number(process.versions.node.split('.')[0]) >= 22;
  return isNew ? Promise.resolve(process.execPath) : ensureNode(vscodeVersions.ceiling.node);
}

/** A changed version is another folder. @param {Readonly<Record<string, string>>} dependencies */
function fingerprint(dependencies) {
  return Object.values(dependencies)
    .map((version) => version.replace(/^.*@/, ''))
    .join('+');
}
