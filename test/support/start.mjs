/**
 * `npm start [-- --desktop] [--no-open]`: opens Duplex on a copy of the demo workspace, until Ctrl+C.
 *
 * The line `Address: URL` is meant for programs too.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { buildStep, packageStep, runStep } from './run/buildSteps.mjs';
import { ensureDependencies } from './run/ensureDependencies.mjs';
import { exitWithNpm } from './run/exitWithNpm.mjs';
import { openInBrowser } from './run/openInBrowser.mjs';
import { spawnProcessTree } from './run/processTree.mjs';
import { packagedExtension } from '../../src/build/steps.mjs';
import { runProcess } from './run/runProcess.mjs';
import { createTemporaryFolder } from './run/temporaryFolder.mjs';
import { copyWorkspace, defaultWorkspace } from './run/workspaceCopy.mjs';
import { quietSettings, writeUserSettings } from './vscode/userSettings.mjs';
import { startVscodeServer } from './vscode/vscodeServer.mjs';
import { ensureVscode } from './vscode/vscodeInstallation.mjs';
import { workbenchUrl } from './vscode/workbenchUrl.mjs';

const { values } = parseArgs({
  options: { desktop: { type: 'boolean', default: false }, 'no-open': { type: 'boolean', default: false } },
});

exitWithNpm();
await ensureDependencies();
console.log('Building Duplex …');
if (!(await runStep(buildStep)) || !(await runStep(packageStep))) {
  process.exit(1);
}
const folder = createTemporaryFolder();
const workspaceFolder = await copyWorkspace(defaultWorkspace, folder);
const dataFolder = path.join(folder, 'vscode');
await writeUserSettings(dataFolder, {
  ...quietSettings,
  // Trust in a folder is kept in the browser and cannot be given from here; this profile knows nothing but the demo.
  'security.workspace.trust.enabled': false,
});
await (values.desktop ? openDesktop() : openWorkbench());

async function openWorkbench() {
  const connectionToken = randomBytes(24).toString('hex');
  const installation = await ensureVscode('ceiling');
  console.log(`Starting VS Code ${installation.version} …`);
  const server = await startVscodeServer({
    installation,
    serverDataFolder: dataFolder,
    connectionToken,
    installExtensions: [packagedExtension()],
  });
  const url = workbenchUrl({ port: server.port, workspaceFolder, connectionToken });
  console.log(`\nAddress: ${url}\n`);
  const isOpened = !values['no-open'] && (await openInBrowser(url));
  console.log(isOpened ? 'Duplex opens in your browser.' : 'Open this address in a browser of this machine.');
  console.log('The address lets anyone on this machine who knows it in: keep it to yourself. Stop with Ctrl+C.');
  await server.ended;
}

async function openDesktop() {
  const profile = [`--user-data-dir=${path.join(dataFolder, 'data')}`, `--extensions-dir=${path.join(dataFolder, 'extensions')}`];
  const code = process.platform === 'win32' ? 'code.cmd' : 'code';
  const installed = await runProcess(code, [...profile, '--install-extension', packagedExtension()], {
    timeoutMilliseconds: 2 * 60_000,
    output: 'capture',
  }).catch(() => undefined);
  if (installed?.exitCode !== 0) {
    console.log(`${installed?.output ?? ''}\nThe command \`code\` is needed: install VS Code and put it on the PATH.`);
    process.exit(1);
  }
  console.log('Duplex opens in VS Code. Stop with Ctrl+C, or close the window.');
  const child = spawnProcessTree(code, [...profile, '--new-window', '--wait', workspaceFolder], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  await new Promise((resolve) => child.once('exit', resolve));
}
