import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as vscode from 'vscode';
import type { DiscoveryFile } from '../../src/contract/bridgeFiles.ts';
import { median, type BenchRow } from './rows.ts';
import type { SubscriberOrder } from './subscriberClient.ts';
import { withStalls, type ToolTime } from './toolTimes.ts';

const subscribers = 10;
const changes = 30;
/** What VS Code gathers before it tells of a change, and some time for what follows from it. */
const settleMs = 150;

/** How long diagnostics take, by how many there are; beside VS Code's own call for them. */
export async function measureDiagnostics(window: DiscoveryFile): Promise<BenchRow[]> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const collection = vscode.languages.createDiagnosticCollection('figures');
  const uris = writeFiles(path.join(root, 'figures'), 10_000);
  const rows: BenchRow[] = [];
  try {
    for (const count of [100, 1_000, 10_000]) {
      await report(collection, uris.slice(0, count), 1);
      rows.push(...(await rowsOf(`get_diagnostics, ${count.toLocaleString('en')} files with one each`, window, { block: 100 })));
    }
    await report(collection, uris.slice(0, 5_000), 20);
    rows.push(...(await rowsOf('get_diagnostics, 100,000 in 5,000 files', window, { over: 50, block: 100 })));
    rows.push(await changeRow(collection, uris, window));
  } finally {
    collection.dispose();
  }
  return rows;
}

function writeFiles(folder: string, count: number): vscode.Uri[] {
  return Array.from({ length: count }, (_, index) => {
    const part = path.join(folder, `part${Math.floor(index / 100)}`);
    if (index % 100 === 0) {
      mkdirSync(part, { recursive: true });
    }
    const file = path.join(part, `figure${index}.txt`);
    writeFileSync(file, 'a line\n');
    return vscode.Uri.file(file);
  });
}

const diagnosticAt = (line: number, text = 'something is wrong'): vscode.Diagnostic =>
  new vscode.Diagnostic(new vscode.Range(line, 0, line, 5), text, vscode.DiagnosticSeverity.Warning);

async function report(collection: vscode.DiagnosticCollection, uris: readonly vscode.Uri[], each: number): Promise<void> {
  collection.clear();
  collection.set(uris.map((uri) => [uri, Array.from({ length: each }, (_, line) => diagnosticAt(line))]));
  await quiet(2_000);
}

const quiet = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Goals {
  readonly over?: number;
  readonly block?: number;
}

async function rowsOf(what: string, { urls, token }: DiscoveryFile, goals: Goals): Promise<BenchRow[]> {
  const own = ownCall();
  const calls = [{ params: { name: 'get_diagnostics', arguments: {} } }];
  const steps = [
    { name: what, rounds: 1, calls },
    { name: what, rounds: 15, calls },
  ];
  const [first, later] = (await withStalls({ mcpUrl: urls.mcp, token, ripgrep: '', folder: '', steps })) as ToolTime[];
  const beside = `VS Code’s own call ${own.toFixed(1)} ms`;
  const over = (time: ToolTime | undefined): number => (time?.milliseconds ?? Number.NaN) - own;
  const goal = (most: number | undefined): Pick<BenchRow, 'goal'> => (most === undefined ? {} : { goal: { atMost: most } });
  return [
    {
      what: `${what}: first page over VS Code’s own call`,
      measured: over(later),
      unit: 'ms',
      ...goal(goals.over),
      beside,
      isInReadme: true,
    },
    {
      what: `${what}: longest block`,
      measured: Math.max(first?.stallMs ?? Number.NaN, later?.stallMs ?? Number.NaN),
      unit: 'ms',
      ...goal(goals.block),
      beside,
      isInReadme: goals.block !== undefined,
    },
  ];
}

/** Cannot be done without, and blocks while it runs. */
function ownCall(): number {
  const times = Array.from({ length: 15 }, () => {
    const started = performance.now();
    vscode.languages.getDiagnostics();
    return performance.now() - started;
  });
  return median(times);
}

/** The processor's time for a change of one file, among many beside among few. */
async function changeRow(collection: vscode.DiagnosticCollection, uris: readonly vscode.Uri[], window: DiscoveryFile): Promise<BenchRow> {
  const leave = await subscribe({ wsUrl: window.urls.ws, token: window.token, clients: subscribers });
  try {
    const among = async (files: number): Promise<number> => {
      await report(collection, uris.slice(0, files), 20);
      return cpuPerChange(collection, uris[7] ?? vscode.Uri.file('/'));
    };
    const few = await among(50);
    const many = await among(5_000);
    return {
      what: `a change of one file’s diagnostics among 5,000, ${subscribers} subscribers: processor time beside one among 50`,
      measured: many / few,
      unit: '×',
      goal: { atMost: 1.5 },
      beside: `${(many / 1_000).toFixed(2)} ms; ${(few / 1_000).toFixed(2)} ms`,
      isInReadme: true,
    };
  } finally {
    leave();
  }
}

async function cpuPerChange(collection: vscode.DiagnosticCollection, uri: vscode.Uri): Promise<number> {
  const used: number[] = [];
  for (let change = 0; change < changes; change += 1) {
    const before = process.cpuUsage();
    collection.set(uri, [diagnosticAt(change, `change ${change}`)]);
    await quiet(settleMs);
    const { user, system } = process.cpuUsage(before);
    used.push(user + system);
  }
  return median(used);
}

async function subscribe(order: SubscriberOrder): Promise<() => void> {
  const script = path.join(path.dirname(fileURLToPath(import.meta.url)), 'subscriberClient.js');
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => Promise.reject(new Error('Nobody subscribed.')))]);
  return () => child.kill();
}
