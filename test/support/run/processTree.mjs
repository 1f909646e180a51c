import { spawn, spawnSync } from 'node:child_process';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { exitOnSignals } from './exitOnSignals.mjs';
import { descendantsOf, isAlive } from './processList.mjs';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {import('node:child_process').SpawnOptions} SpawnOptions */

/** @type {Set<number>} */
const ownedTrees = new Set();
let endsTreesOnExit = false;
const graceMilliseconds = 3000;

/**
 * Starts a process whose whole tree ends with us: when we exit, are interrupted or call `endProcessTree`.
 * It gets a process group of its own, so that Ctrl+C reaches only us and we decide the order of the shutdown.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {SpawnOptions} options
 * @returns {ChildProcess & { readonly pid: number }}
 */
export function spawnProcessTree(command, args, options) {
  if (!endsTreesOnExit) {
    endsTreesOnExit = true;
    exitOnSignals();
    process.on('exit', endOwnedTreesNow);
  }
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32', windowsHide: true });
  const { pid } = child;
  if (pid === undefined) {
    child.on('error', () => undefined);
    throw new Error(`${command} cannot be started.`);
  }
  ownedTrees.add(pid);
  child.once('exit', () => ownedTrees.delete(pid)); // the system may give the number to somebody else
  return Object.assign(child, { pid });
}

/**
 * Asks every process of the tree to end, and after a grace period makes it.
 *
 * @param {number} rootPid
 */
export async function endProcessTree(rootPid) {
  ownedTrees.delete(rootPid);
  if (process.platform === 'win32') {
    killWindowsTree(rootPid);
    return;
  }
  // Listed before the first signal: afterwards orphans belong to init and cannot be found any more.
  const pids = [rootPid, ...descendantsOf(rootPid)];
  pids.forEach((pid) => signal(pid, 'SIGTERM'));
  const deadline = Date.now() + graceMilliseconds;
  while (Date.now() < deadline && pids.some(isAlive)) {
    await sleep(50);
  }
  pids.forEach((pid) => signal(pid, 'SIGKILL'));
}

/** The same while Node is exiting, when nothing can be awaited any more; what we started cleans up after itself, too. */
export function endOwnedTreesNow() {
  const rootPids = [...ownedTrees];
  ownedTrees.clear();
  if (process.platform === 'win32') {
    rootPids.forEach(killWindowsTree);
    return;
  }
  const pids = rootPids.flatMap((rootPid) => [rootPid, ...descendantsOf(rootPid)]);
  pids.forEach((pid) => signal(pid, 'SIGTERM'));
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const deadline = Date.now() + graceMilliseconds;
  while (Date.now() < deadline && pids.some(isAlive)) {
    Atomics.wait(clock, 0, 0, 50);
  }
  pids.forEach((pid) => signal(pid, 'SIGKILL'));
}

/** @param {number} rootPid */
function killWindowsTree(rootPid) {
  spawnSync('taskkill', ['/pid', String(rootPid), '/T', '/F'], { stdio: 'ignore' });
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals} name
 */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch {
    // it has already ended
  }
}
