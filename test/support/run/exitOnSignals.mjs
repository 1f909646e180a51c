import process from 'node:process';

let isInstalled = false;

/** Without handlers these signals end Node before it runs the listeners of `exit`, which clean up. */
export function exitOnSignals() {
  if (isInstalled) {
    return;
  }
  isInstalled = true;
  process.on('SIGINT', () => process.exit(130));
  process.on('SIGTERM', () => process.exit(143));
  process.on('SIGHUP', () => process.exit(129));
}
