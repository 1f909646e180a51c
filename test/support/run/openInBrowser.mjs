import { spawn } from 'node:child_process';
import process from 'node:process';

/**
 * Opens an address in the person's browser, where there is a desktop.
 *
 * @param {string} url
 * @returns {Promise<boolean>} whether that worked
 */
export async function openInBrowser(url) {
  const commandLine = browserCommandLine(url);
  if (commandLine === undefined) {
    return false;
  }
  const [command, ...args] = commandLine;
  return new Promise((resolve) => {
    const opener = spawn(command, args, { stdio: 'ignore', detached: true });
    opener.once('error', () => resolve(false));
    opener.once('exit', (code) => resolve(code === 0));
    setTimeout(() => resolve(true), 3000).unref(); // some openers stay as long as the browser
    opener.unref();
  });
}

/**
 * @param {string} url
 * @returns {[string, ...string[]] | undefined}
 */
function browserCommandLine(url) {
  switch (process.platform) {
    case 'darwin':
      return ['open', url];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', url];
    default:
      return process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'] ? ['xdg-open', url] : undefined;
  }
}
