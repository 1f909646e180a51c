#!/usr/bin/env node
/**
 * Takes the arguments of desktop VS Code and runs the tests in the packaged one: @vscode/test-electron starts it as if
 * it were the downloaded executable.
 */
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { chromium } from 'playwright-core';

import { chromiumFlags, ensureChromium } from '../vscode/chromium.mjs';
import { fewBuiltInExtensions } from '../vscode/builtInExtensions.mjs';
import { keepStill } from '../vscode/stillPages.mjs';
import { startVscodeServer } from '../vscode/vscodeServer.mjs';
import { ensureVscode } from '../vscode/vscodeInstallation.mjs';
import { workbenchUrl } from '../vscode/workbenchUrl.mjs';
import { relayTestOutput } from './testOutput.mjs';

/** @typedef {import('../vscode/vscodeServer.mjs').VscodeServer} VscodeServer */

const { values, positionals } = parseArgs({
  strict: false, // desktop VS Code takes many more options than concern us
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string' },
    extensionTestsPath: { type: 'string' },
    'user-data-dir': { type: 'string' },
    'extensions-dir': { type: 'string' },
    'disable-workspace-trust': { type: 'boolean' },
  },
});

/** Nobody looks at it, and every pixel is painted by the processor. */
const smallWindow = { width: 640, height: 400 };

process.exit(await main());

async function main() {
  const installation = await ensureVscode(process.env['DUPLEX_TEST_VSCODE'] === 'floor' ? 'floor' : 'ceiling');
  const serverDataFolder = path.dirname(text('user-data-dir'));
  const server = await startVscodeServer({
    installation,
    serverDataFolder,
    builtInExtensionsFolder: await fewBuiltInExtensions(installation, serverDataFolder),
    extensionsFolder: text('extensions-dir'),
    acceptsDevelopmentExtension: true,
    keepsCompiledCode: true,
    disablesWorkspaceTrust: values['disable-workspace-trust'] === true,
  });
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: [...chromiumFlags] });
  try {
    const context = await browser.newContext({ viewport: smallWindow, reducedMotion: 'reduce' });
    await keepStill(context);
    const page = await context.newPage();
    const exitCode = await runTestsInPage(page, server);
    await page.close();
    await server.waitForExtensionHostsToEnd();
    return exitCode;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {VscodeServer} server
 * @returns {Promise<number>}
 */
async function runTestsInPage(page, server) {
  /** @type {Promise<number>} */
  const finished = new Promise((resolve, reject) => {
    page.exposeFunction('codeAutomationExit', resolve).catch(reject);
    page.once('crash', () => reject(new Error('The browser page crashed.')));
  });
  await page.exposeFunction('codeAutomationLog', relayTestOutput);
  const [workspaceFolder] = positionals;
  await page.goto(
    workbenchUrl({
      port: server.port,
      extensionDevelopmentPath: text('extensionDevelopmentPath'),
      extensionTestsPath: text('extensionTestsPath'),
      ...(workspaceFolder === undefined ? {} : { workspaceFolder }),
    }),
  );
  return finished;
}

/** @param {'extensionDevelopmentPath' | 'extensionTestsPath' | 'user-data-dir' | 'extensions-dir'} name */
function text(name) {
  const value = values[name];
  if (typeof value !== 'string') {
    throw new Error(`The launcher needs --${name}=….`);
  }
  return path.resolve(value);
}
