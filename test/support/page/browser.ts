import { chromium, type Browser } from 'playwright-core';

import { chromiumFlags, ensureChromium } from '../vscode/chromium.mjs';

let running: Promise<Browser> | undefined;

/** One browser for all windows of this process; every window has a context of its own. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  running ??= launchBrowser();
  return running;
}

async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await ensureChromium(),
    args: [...chromiumFlags],
    // The harness ends everything it started itself when a signal arrives.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}
