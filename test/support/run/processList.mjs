import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Everything that descends from a process, nearest first. Synchronous, so that it also works while Node is exiting.
 * It walks parents instead of using process groups, because terminals and daemons leave their parent's group.
 *
 * @param {number} rootPid
 * @returns {number[]}
 */
export function descendantsOf(rootPid) {
  const processes = process.platform === 'linux' ? readProcFileSystem() : askProcessStatus();
  const descendants = [rootPid];
  for (const ancestor of descendants) {
    descendants.push(...processes.filter((each) => each.parentPid === ancestor).map((each) => each.pid));
  }
  return descendants.slice(1);
}

/**
 * A zombie counts as gone: it waits only for its parent to ask for its exit code, and that may be us, who cannot ask
 * while waiting synchronously.
 *
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^Z/.test(readProcStatus(pid));
  } catch {
    return false;
  }
}

/**
 * @param {number} pid
 * @returns {string} empty when the process is gone
 */
export function commandLineOf(pid) {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** @typedef {{ readonly pid: number, readonly parentPid: number }} RunningProcess */

/** Slim Linux images have no `ps`. @returns {RunningProcess[]} */
function readProcFileSystem() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ pid: Number(name), parentPid: Number(readProcStatus(Number(name)).split(' ')[1]) }];
      } catch {
        return []; // it ended while we were reading
      }
    });
}

/**
 * The state, the parent and more. The name before them is in parentheses and may itself hold spaces and parentheses.
 *
 * @param {number} pid
 */
function readProcStatus(pid) {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '');
}

/** @returns {RunningProcess[]} */
function askProcessStatus() {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [pid, parentPid] = line.trim().split(/\s+/).map(Number);
    return pid && parentPid !== undefined ? [{ pid, parentPid }] : [];
  });
}
