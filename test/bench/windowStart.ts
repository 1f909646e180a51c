/** Runs inside the extension host of a new window: what Duplex costs when the window opens, and while it rests. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { activateDuplex, discovery, until } from '../editor/support/duplex.ts';

export interface WindowStart {
  readonly activateMs: number;
  /** Loading and evaluating the code, each time from a copy that nobody has read before. */
  readonly loadMs: readonly number[];
  /** Beyond what the extension host had before; unknown where Duplex was there first. */
  readonly moreMegabytes: number | undefined;
  readonly supervisorMegabytes: number | undefined;
}

const copies = 5;

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension('duplex-mcp.duplex');
  const before = extension?.isActive === true ? undefined : restingMegabytes();
  const access = await activateDuplex();
  const answering = access.questions.onDidChange(() => allowAll(access));
  await discovery();
  allowAll(access);
  await startServers(access);
  const after = restingMegabytes();
  const result: WindowStart = {
    activateMs: performance.getEntriesByName('duplex.activate')[0]?.duration ?? Number.NaN,
    loadMs: await loadTimes(path.join(extension?.extensionPath ?? '', 'dist')),
    moreMegabytes: before === undefined ? undefined : after - before,
    supervisorMegabytes: supervisorMegabytes(),
  };
  answering.dispose();
  writeFileSync(process.env['DUPLEX_BENCH_RESULT'] ?? '', JSON.stringify(result));
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

async function loadTimes(dist: string): Promise<number[]> {
  const times: number[] = [];
  for (let copy = 0; copy < copies; copy += 1) {
    const folder = path.join(process.env['DUPLEX_BENCH_FOLDER'] ?? '', `dist${copy}`);
    cpSync(dist, folder, { recursive: true });
    const started = performance.now();
    await import(pathToFileURL(path.join(folder, 'extension.js')).href);
    times.push(performance.now() - started);
  }
  return times;
}

/** What belongs to nobody else: the code of the editor itself is shared by all its processes. */
function restingMegabytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return privateMegabytes('self') ?? process.memoryUsage().rss / 1e6;
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
