import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { familyOf, stillRuns, sendSignal, type ProcessEntry, type TreeRoot } from './processTable.ts';

export interface StopTiming {
  /** After its input is closed. */
  readonly closeMs: number;
  readonly terminateMs: number;
  readonly killMs: number;
}

/** Together well under 4 s: the editor gives its extensions 5 s to shut down. */
export const stopTiming: StopTiming = { closeMs: 900, terminateMs: 900, killMs: 600 };

const pollMs = 20;

/** Asks politely, then firmly, then does not ask. Resolves to the number of processes that outlived even that. */
export async function endTree(root: TreeRoot, closeInput: () => void, timing: StopTiming = stopTiming): Promise<number> {
  if (process.platform === 'win32') {
    return endWindowsTree(root, closeInput, timing);
  }
  // Looked at before anything ends: afterwards its orphans belong to init and cannot be told by their parent.
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
  // More than once, for what was started between the look and the signal.
  while (lookAgain(root, members) > 0 && performance.now() < deadline) {
    signalAll(members, 'SIGKILL');
    await goneWithin(members, pollMs * 5);
  }
  return lookAgain(root, members);
}

/** For one whose own time is up: nothing can be awaited any more. */
export function killTreeNow(root: TreeRoot): void {
  if (process.platform === 'win32') {
    if (root.pid > 0 && !root.hasExited) {
      killWindowsTree(root.pid);
    }
    return;
  }
  familyOf(root).forEach((entry) => sendSignal(entry.pid, 'SIGKILL'));
}

/** Drops the dead, adds the newly found; returns how many live. */
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
  // Another process may have its number by now.
  if (root.pid > 0 && !root.hasExited) {
    killWindowsTree(root.pid);
  }
  return 0;
}

function killWindowsTree(pid: number): void {
  spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true, timeout: 2_000 });
}
