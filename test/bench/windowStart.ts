/**
 * Runs inside the extension host of a new window: what Duplex costs when the window opens, and what the extension host takes while
 * it rests. In a window without Duplex only the latter.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { StartStep } from '../../src/platform/startMarks.ts';
import { activateDuplex, discovery, until } from '../editor/support/duplex.ts';
import { beginProfile, endProfile, profileFolder } from './profiling.ts';

export interface WindowStart {
  readonly activate: Cost;
  /** From the activation on: until commands work, and until clients can connect. Others use the same processor meanwhile. */
  readonly untilStarted: Cost;
  readonly untilListening: Cost;
  /** Loading and evaluating the code, each time from a copy that nobody has read before. */
  readonly load: readonly Cost[];
  /** The same of what follows after the activation, in every window. */
  readonly loadFollowing: readonly BlockingCost[];
  /** The same of an extension that does nothing, in turns with the above. */
  readonly loadNothing: readonly Cost[];
  readonly memory: Memory;
  readonly supervisorMegabytes: number | undefined;
}

/** A window that opens is busy: the time includes waiting for the processor, `cpuMs` (of all threads) does not. */
export interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

export interface BlockingCost extends Cost {
  /** The longest time that nothing else could run. */
  readonly blockMs: number;
}

/** Of the extension host at rest, in megabytes; `heap` is what the programs in it hold. */
export interface Memory {
  readonly process: number;
  readonly heap: number;
}

const copies = 5;
/** The other extensions of a window that opens begin late, too. */
const untilRestMs = 20_000;

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension('duplex-mcp.duplex');
  const result = extension === undefined ? { memory: await memoryAtRest() } : await windowStart(extension);
  writeFileSync(process.env['DUPLEX_BENCH_RESULT'] ?? '', JSON.stringify(result));
}

async function windowStart(extension: vscode.Extension<unknown>): Promise<WindowStart> {
  const access = await activateDuplex();
  const answering = access.questions.onDidChange(() => allowAll(access));
  await discovery();
  allowAll(access);
  await startServers(access);
  answering.dispose();
  const memory = await memoryAtRest();
  return {
    activate: costUntil('activated'),
    untilStarted: costUntil('started'),
    untilListening: costUntil('listening'),
    ...(await loads(path.join(extension.extensionPath, 'dist'))),
    memory,
    supervisorMegabytes: supervisorMegabytes(),
  };
}

function costUntil(step: StartStep): Cost {
  const [begin, end] = (['activating', step] as const).map((each) => performance.getEntriesByName(`duplex.${each}`)[0] as PerformanceMark);
  const cpuOf = (mark: PerformanceMark | undefined): number => milliseconds(mark?.detail as NodeJS.CpuUsage);
  return { ms: (end?.startTime ?? Number.NaN) - (begin?.startTime ?? Number.NaN), cpuMs: cpuOf(end) - cpuOf(begin) };
}

/** Those of the benchmark; the workspace may have others. */
async function startServers(access: TestAccess): Promise<void> {
  const ours = (): ReturnType<TestAccess['servers']> => access.servers().filter(({ label }) => label.startsWith('bench'));
  await until('the definitions', () => (ours().length > 0 ? true : undefined));
  await Promise.all(ours().map((server) => vscode.commands.executeCommand('duplex.startServer', { server })));
  await until('the servers', () => (ours().every(({ state }) => state.kind === 'ready') ? true : undefined));
}

function allowAll(access: TestAccess): void {
  // Not inside the event that tells of the question: whoever asks is still asking.
  setImmediate(() => access.questions.list().forEach(({ askId }) => access.questions.answer({ askId, choice: 'allow' })));
}

async function loads(dist: string): Promise<Pick<WindowStart, 'load' | 'loadFollowing' | 'loadNothing'>> {
  const folder = process.env['DUPLEX_BENCH_FOLDER'] ?? '';
  const [load, loadNothing]: [Cost[], Cost[]] = [[], []];
  const loadFollowing: BlockingCost[] = [];
  const following = readdirSync(path.join(dist, 'chunks')).find((name) => name.startsWith('app-')) ?? '';
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }'); // as beside the real one
  for (let copy = 0; copy < copies; copy += 1) {
    const nothing = path.join(folder, `nothing${copy}.mjs`);
    writeFileSync(nothing, "import * as vscode from 'vscode';\nexport const activate = () => vscode.version;\n");
    loadNothing.push(await loadCost(nothing));
    cpSync(dist, path.join(folder, `dist${copy}`), { recursive: true });
    load.push(await profiled(`load ${copy}`, () => loadCost(path.join(folder, `dist${copy}`, 'extension.js'))));
    loadFollowing.push(await profiled(`following ${copy}`, () => blockingCost(path.join(folder, `dist${copy}`, 'chunks', following))));
  }
  return { load, loadFollowing, loadNothing };
}

async function profiled<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (profileFolder === '') {
    return work();
  }
  await beginProfile();
  const result = await work();
  await endProfile(name);
  return result;
}

async function loadCost(file: string): Promise<Cost> {
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  await import(pathToFileURL(file).href);
  return { ms: performance.now() - started, cpuMs: milliseconds(process.cpuUsage(cpuBefore)) };
}

/** Looks every millisecond whether it may. Node's own histogram of such delays misses most of them in an extension host. */
async function blockingCost(file: string): Promise<BlockingCost> {
  let [last, blockMs] = [performance.now(), 0];
  const looking = setInterval(() => {
    const now = performance.now();
    [last, blockMs] = [now, Math.max(blockMs, now - last)];
  }, 1);
  const cost = await loadCost(file);
  await new Promise((resolve) => setTimeout(resolve, 20));
  clearInterval(looking);
  return { ...cost, blockMs };
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

/** Without what V8 keeps to make and drop objects in, and gives back by itself after a while. */
async function memoryAtRest(): Promise<Memory> {
  await new Promise((resolve) => setTimeout(resolve, untilRestMs));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: Readonly<Record<string, string>>) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed } = process.memoryUsage();
  // What belongs to nobody else: the code of the editor itself is shared by all its processes.
  return { process: privateMegabytes('self') ?? rss / 1e6, heap: heapUsed / 1e6 };
}

/** Where the system tells. */
function privateMegabytes(pid: string): number | undefined {
  try {
    const all = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').matchAll(/^Private_\w+:\s+(\d+) kB/gm);
    return [...all].reduce((sum, [, kilobytes]) => sum + (Number(kilobytes) * 1024) / 1e6, 0);
  } catch {
    return undefined;
  }
}

function supervisorMegabytes(): number | undefined {
  try {
    const pid = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .find((each) => isOurSupervisor(each));
    return pid === undefined ? undefined : privateMegabytes(pid);
  } catch {
    return undefined;
  }
}

function isOurSupervisor(pid: string): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const isOurs = new RegExp(String.raw`^PPid:\s+${process.pid}$`, 'm').test(status);
    return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('supervisor.js');
  } catch {
    return false; // it ended meanwhile
  }
}
