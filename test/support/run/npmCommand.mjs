import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { runProcess } from './runProcess.mjs';

const attempts = 3;
const attemptMilliseconds = 5 * 60_000;
const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Runs npm, again after a pause when it fails: most failures of an installation are the network's.
 *
 * @param {readonly string[]} args
 * @param {string} cwd
 */
export async function runNpm(args, cwd) {
  const [command, ...leadingArgs] = npmCommandLine();
  let output = '';
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const result = await runProcess(command, [...leadingArgs, ...args, ...quietly], {
      cwd,
      timeoutMilliseconds: attemptMilliseconds,
      output: 'capture',
    });
    if (result.exitCode === 0) {
      return;
    }
    output = result.timedOut ? 'It took too long.' : result.output.trim();
    if (attempt < attempts) {
      console.log(`  npm ${args.join(' ')} failed, trying again …`);
      await sleep(attempt * 3000);
    }
  }
  throw new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${output}`);
}

/** The npm that runs us, where one does; otherwise the one on the PATH. @returns {[string, ...string[]]} */
function npmCommandLine() {
  const runningNpm = process.env['npm_execpath'];
  if (runningNpm?.endsWith('npm-cli.js')) {
    return [process.execPath, runningNpm];
  }
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}
