import process from 'node:process';

/**
 * A signal that reaches only the shell of `npm start` ends that shell and tells us nothing: then nobody is left to press Ctrl+C,
 * and what we started would stay.
 *
 * @param {number} [everyMilliseconds]
 */
export function exitWithNpm(everyMilliseconds = 500) {
  // Started by hand, whoever started us may well go first.
  if (process.env['npm_lifecycle_event'] === undefined) {
    return;
  }
  const parent = process.ppid;
  const look = () => process.ppid !== parent && process.exit(129);
  setInterval(look, everyMilliseconds).unref();
}
