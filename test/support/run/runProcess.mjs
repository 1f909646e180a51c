import process from 'node:process';

import { childEnvironment } from './childEnvironment.mjs';
import { endProcessTree, spawnProcessTree } from './processTree.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {Readonly<Record<string, string | undefined>>} [env] added to our own environment
 * @property {number} timeoutMilliseconds
 * @property {'show' | 'capture'} output `show` passes it on to our terminal, `capture` returns it
 */

/**
 * @typedef {object} RunResult
 * @property {number} exitCode
 * @property {boolean} timedOut
 * @property {string} output
 */

/**
 * Runs a command to its end, or ends it with everything it started when the time is up.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} options
 * @returns {Promise<RunResult>}
 */
export async function runProcess(command, args, options) {
  const child = spawnProcessTree(command, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: childEnvironment(options.env),
    stdio: options.output === 'show' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    // npm is a batch file on Windows, and only the shell starts those.
    shell: process.platform === 'win32' && /\.cmd$/i.test(command),
  });
  /** @type {string[]} */
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => chunks.push(String(chunk)));
  }
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    void endProcessTree(child.pid);
  }, options.timeoutMilliseconds);
  try {
    const exitCode = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
    return { exitCode: timedOut ? 1 : exitCode, timedOut, output: chunks.join('') };
  } finally {
    clearTimeout(timer);
  }
}
