import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';

import { runProcess } from '../run/runProcess.mjs';

/**
 * What a headless browser need not do. Pages for the list under the address bar are loaded for every window, in a process of
 * their own, although nobody sees it. The others are Playwright's choice, which another list would replace.
 */
const idleFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/**
 * What a headless browser needs to stay off the network, and to run as root or without a graphics card. Frames of other origins have
 * a process of their own, as in any browser with windows; the headless shell must be told.
 */
export const chromiumFlags = Object.freeze([
  '--no-sandbox',
  '--site-per-process',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${idleFeatures.join(',')}`,
]);

/** The headless shell, the same browser without windows of its own, opens a page in a third of the time: it is the first choice. */
const namesOnPath = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
];

const macApplications = ['Google Chrome', 'Chromium', 'Microsoft Edge'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

const windowsApplications = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((variable) => {
  const folder = process.env[variable];
  return folder === undefined
    ? []
    : ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'].map(
        (file) => path.join(folder, file),
      );
});

const quietInstall = ['install', '-y', '--no-install-recommends'];

const packageManagers = [
  {
    command: 'apt-get',
    steps: [['update'], ...['chromium-headless-shell', 'chromium'].map((name) => [...quietInstall, name, 'fonts-liberation'])],
  },
  { command: 'dnf', steps: [['install', '-y', 'chromium']] },
  { command: 'apk', steps: [['add', 'chromium']] },
  { command: 'pacman', steps: [['-Sy', '--noconfirm', 'chromium']] },
];

const installMilliseconds = 8 * 60_000;

/**
 * A Chromium, Chrome or Edge of this machine, installed by the system's package manager if need and rights are there.
 *
 * @returns {Promise<string>} the executable
 */
export async function ensureChromium() {
  const found = await findChromium();
  if (found !== undefined) {
    return found;
  }
  await installChromium();
  const installed = await findChromium();
  if (installed === undefined) {
    throw new Error('These tests need a browser: install Chromium, Google Chrome or Microsoft Edge and run them again.');
  }
  return installed;
}

/** @returns {Promise<string | undefined>} */
async function findChromium() {
  const chosen = process.env['DUPLEX_CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const onPath = namesOnPath.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  const platformApplications = { darwin: macApplications, win32: windowsApplications };
  const known = process.platform === 'darwin' || process.platform === 'win32' ? platformApplications[process.platform] : [];
  return firstExecutable([...(chosen === undefined ? [] : [chosen]), ...onPath, ...known]);
}

async function installChromium() {
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0;
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  for (const { command, steps } of mayInstall ? packageManagers : []) {
    if ((await firstExecutable(folders.map((folder) => path.join(folder, command)))) === undefined) {
      continue;
    }
    for (const step of steps) {
      if ((await findChromium()) !== undefined) {
        return;
      }
      console.log(`Installing Chromium (once): ${command} ${step.join(' ')} …`);
      const { exitCode, output } = await runProcess(command, step, {
        env: { DEBIAN_FRONTEND: 'noninteractive' },
        timeoutMilliseconds: installMilliseconds,
        output: 'capture',
      });
      if (exitCode !== 0) {
        console.log(output.trim()); // a repository that fails to refresh need not stop the installation
      }
    }
    return;
  }
}

/**
 * @param {readonly string[]} files
 * @returns {Promise<string | undefined>}
 */
async function firstExecutable(files) {
  for (const file of files) {
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    ) {
      return file;
    }
  }
  return undefined;
}
