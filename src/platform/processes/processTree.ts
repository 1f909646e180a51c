import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { windowsProgram } from './findExecutable.ts';

export interface StopTiming {
  /** How long it may run on after its input is closed. */
  readonly closeMs: number;
  readonly terminateMs: number;
  readonly killMs: number;
}

/** How long each way of asking may take, in ms. Together well under 4 s, because the editor gives its extensions 5 s to shut down. */
export const stopTiming: StopTiming = { closeMs: 900, terminateMs: 900, killMs: 600 };

/** How often, in ms, it is looked whether processes have ended. */
const pollMs = 20;

/** Ends a process and all it started: closes its input, then sends SIGTERM, then SIGKILL. Resolves to the number of processes that outlived even that. */
export async function endTree(root: TreeRoot, closeInput: () => void, timing: StopTiming = stopTiming): Promise<number> {
  if (process.platform === 'win32') {
    return endWindowsTree(root, closeInput, timing);
  }
  // The family is looked up before anything ends: afterwards its orphans belong to init, and their parent does not tell them any more.
  const members = new Map<number, ProcessEntry>();
  lookAgain(root, members);
  closeInput();
  await goneWithin(members, timing.closeMs);
  if (lookAgain(root, members) === 0) {
    return 0;
  }
  signalAll(members, 'SIGTERM');
  await goneWithin(members, timing.terminateMs);
  const deadline = performance.now() + timing.killMs;
  // More than once, because of processes that were started between the look and the signal.
  while (lookAgain(root, members) > 0 && performance.now() < deadline) {
    signalAll(members, 'SIGKILL');
    await goneWithin(members, pollMs * 5);
  }
  return lookAgain(root, members);
}

/** Kills a process and all it started without waiting: for a process that is itself about to end. */
export function killTreeNow(root: TreeRoot): void {
  if (process.platform === 'win32') {
    if (root.pid > 0 && !root.hasExited) {
      killWindowsTree(root.pid);
    }
    return;
  }
  familyOf(root).forEach((entry) => sendSignal(entry.pid, 'SIGKILL'));
}

/** Removes the members that have ended, adds those newly found, and returns how many live. */
function lookAgain(root: TreeRoot, members: Map<number, ProcessEntry>): number {
  for (const entry of [...members.values()]) {
    if (!stillRuns(entry)) {
      members.delete(entry.pid);
    }
  }
  familyOf(root).forEach((entry) => members.set(entry.pid, entry));
  return members.size;
}

function signalAll(members: ReadonlyMap<number, ProcessEntry>, signal: NodeJS.Signals): void {
  for (const entry of members.values()) {
    if (stillRuns(entry)) {
      sendSignal(entry.pid, signal);
    }
  }
}

async function goneWithin(members: ReadonlyMap<number, ProcessEntry>, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && [...members.values()].some(stillRuns)) {
    await sleep(pollMs);
  }
}

async function endWindowsTree(root: TreeRoot, closeInput: () => void, timing: StopTiming): Promise<number> {
  closeInput();
  const deadline = performance.now() + timing.closeMs;
  while (performance.now() < deadline && !root.hasExited) {
    await sleep(pollMs);
  }
  // If it has exited, another process may have its pid by now.
  if (root.pid > 0 && !root.hasExited) {
    killWindowsTree(root.pid);
  }
  return 0;
}

function killWindowsTree(pid: number): void {
  const { program, args } = treeKiller(pid, process.env);
  spawnSync(program, args, { stdio: 'ignore', windowsHide: true, timeout: 2_000 });
}

/** What ends a process and all it started on Windows, which has no process groups: Windows' own program, and no other of that name. */
export function treeKiller(
  pid: number,
  env: Readonly<Record<string, string | undefined>>,
): { readonly program: string; readonly args: readonly string[] } {
  return { program: windowsProgram('taskkill.exe', env), args: ['/pid', String(pid), '/T', '/F'] };
}

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** The id of its session; 0 where the system does not tell. */
  readonly sessionId: number;
  /** Together with the pid this names one process for good: the system gives pids out again. */
  readonly startTime: string;
}

/** The process that a tree grows from. `marker` is `NAME=value` in its environment, which everything it starts inherits. */
export interface TreeRoot {
  /** 0 while it is not known. */
  readonly pid: number;
  readonly marker: string;
  readonly hasExited: boolean;
}

/**
 * Finds the root and everything it started: by parent, by process group, by session and (on Linux) by the marker in the
 * environment, so that a daemon that has left its parent, group and session is found as well. It reads /proc, because slim
 * images have no `ps`, which the libraries of this field all call.
 */
export function familyOf(root: TreeRoot): readonly ProcessEntry[] {
  const processes = listProcesses();
  const family = new Map<number, ProcessEntry>();
  const { hasExited } = root;
  for (const entry of processes) {
    const isRoot = entry.pid === root.pid && !hasExited;
    if (isRoot || (entry.pid !== root.pid && isRelative(entry, root))) {
      family.set(entry.pid, entry);
    }
  }
  for (const ancestor of family.values()) {
    for (const entry of processes) {
      if (entry.parentPid === ancestor.pid) {
        family.set(entry.pid, entry); // a Map walks over what is added on the way
      }
    }
  }
  family.delete(process.pid);
  return [...family.values()];
}

/** Looks up one process; undefined when it is gone. Where the system does not tell when it started, its pid has to do. */
export function processEntry(pid: number): ProcessEntry | undefined {
  return process.platform === 'linux' ? readStat(pid) : { pid, parentPid: 0, groupId: pid, sessionId: 0, startTime: '' };
}

export function stillRuns(entry: ProcessEntry): boolean {
  if (process.platform === 'linux') {
    return readStat(entry.pid)?.startTime === entry.startTime;
  }
  return sendSignal(entry.pid, 0);
}

/** Sends a signal; the result is false when the process was not there. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Kills the leader of a process group with all in it. Windows has no groups. It is no failure when they are gone already. */
export function killGroup(leader: number | undefined): void {
  if (leader !== undefined && process.platform !== 'win32') {
    sendSignal(-leader, 'SIGKILL');
  }
}

function isRelative(entry: ProcessEntry, root: TreeRoot): boolean {
  // The kernel's own processes have group and session 0.
  const isKnown = root.pid > 0 && (entry.groupId === root.pid || entry.sessionId === root.pid);
  return isKnown || hasMarker(entry.pid, root.marker);
}

function hasMarker(pid: number, marker: string): boolean {
  if (process.platform !== 'linux') {
    return false;
  }
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(`${marker}\0`);
  } catch {
    return false; // another person's process, or gone
  }
}

function listProcesses(): readonly ProcessEntry[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readStat(Number(name)) ?? []) : []));
  }
  return process.platform === 'win32' ? [] : askProcessStatus(); // on Windows taskkill walks the tree itself
}

/** Reads about one process on Linux; undefined for one that is gone or is a zombie. */
function readStat(pid: number): ProcessEntry | undefined {
  try {
    // The name in parentheses may itself have spaces and parentheses in it; the other fields follow the last parenthesis.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, parent, group, session, ...others] = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    if (state === 'Z' || state === 'X') {
      return undefined;
    }
    return { pid, parentPid: Number(parent), groupId: Number(group), sessionId: Number(session), startTime: others[15] ?? '' };
  } catch {
    return undefined;
  }
}

function askProcessStatus(): readonly ProcessEntry[] {
  const { stdout } = spawnSync('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8', timeout: 1_000 });
  return stdout.split('\n').flatMap((line) => {
    const [pid, parentPid, groupId, state, ...started] = line.trim().split(/\s+/);
    const isProcess = pid !== undefined && /^\d+$/.test(pid) && state !== undefined && !state.startsWith('Z');
    const startTime = started.join(' ');
    return isProcess ? [{ pid: Number(pid), parentPid: Number(parentPid), groupId: Number(groupId), sessionId: 0, startTime }] : [];
  });
}
