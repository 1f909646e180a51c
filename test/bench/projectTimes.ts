import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { DiscoveryFile } from '../../src/contract/bridgeFiles.ts';
import type { BenchRow } from './rows.ts';
import type { ToolStep } from './toolClient.ts';
import { withStalls, type ToolTime } from './toolTimes.ts';

const filesPerFolder = 100;
const compilerMs = 300_000;

/** How long it takes to read and to check a closed file, and all of a project whose files import each other; beside its compiler. */
export async function measureProjects(window: DiscoveryFile): Promise<BenchRow[]> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const rows: BenchRow[] = [];
  for (const count of [2_000, 10_000]) {
    const folder = path.join(root, `project${count}`);
    writeProject(folder, count);
    try {
      rows.push(...(await rowsOf(window, folder, count)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  return rows;
}

/** Every 50th file has an error, and all but the first of a folder import the one before. */
function writeProject(folder: string, count: number): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [], module: 'esnext', moduleResolution: 'bundler' } }),
  );
  for (let index = 0; index < count; index += 1) {
    const part = path.join(folder, `part${Math.floor(index / filesPerFolder)}`);
    mkdirSync(part, { recursive: true });
    const before = index % filesPerFolder === 0 ? '' : `import { value${index - 1} } from './module${index - 1}';\n`;
    const value = index % 50 === 0 ? `'wrong'` : before === '' ? '1' : `value${index - 1} + 1`;
    const lines = Array.from(
      { length: 20 },
      (_, line) => `export function f${index}_${line}(a: number): string {\n  return String(a + ${line});\n}`,
    );
    writeFileSync(path.join(part, `module${index}.ts`), `${before}export const value${index}: number = ${value};\n${lines.join('\n')}\n`);
  }
}

async function rowsOf({ urls, token }: DiscoveryFile, folder: string, count: number): Promise<BenchRow[]> {
  const name = path.basename(folder);
  const tool = (toolName: string, args: object): ToolStep['calls'][number] => ({ params: { name: toolName, arguments: args } });
  const among = `among ${count.toLocaleString('en')}`;
  const closed = `${name}/part3/module321.ts`;
  const project = [tool('get_diagnostics', { path: name, severity: 'error' })];
  const steps: ToolStep[] = [
    { name: `read_file, a closed file ${among}`, rounds: 20, calls: [tool('read_file', { path: closed })] },
    { name: `get_diagnostics, a closed file ${among}`, rounds: 10, calls: [tool('get_diagnostics', { path: closed })] },
    { name: `get_diagnostics, a project of ${count.toLocaleString('en')} files`, rounds: 2, calls: project },
  ];
  const times = await withStalls({ mcpUrl: urls.mcp, token, ripgrep: '', folder: '', steps });
  const compiler = await compile(folder);
  return times.flatMap((time): BenchRow[] => {
    if ('failure' in time) {
      console.error(time.name, time.failure);
      return [];
    }
    return rowsOfTime(time, time.name.includes('a project') ? `tsc --noEmit ${compiler.toFixed(0)} ms` : undefined);
  });
}

function rowsOfTime({ name, milliseconds, stallMs }: ToolTime, beside: string | undefined): BenchRow[] {
  return [
    { what: name, measured: milliseconds, unit: 'ms', ...(beside !== undefined && { beside }), isInReadme: true },
    { what: `${name}: longest block`, measured: stallMs, unit: 'ms', goal: { atMost: 100 }, isInReadme: true },
  ];
}

/** The compiler that VS Code brings, in a process of its own. */
async function compile(folder: string): Promise<number> {
  const compiler = path.join(vscode.env.appRoot, 'extensions/node_modules/typescript/lib/_tsc.js');
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  const started = performance.now();
  // It ends with a code of its own when it finds errors.
  await promisify(execFile)(process.execPath, [compiler, '--noEmit', '-p', folder], { env, timeout: compilerMs }).catch(() => undefined);
  return performance.now() - started;
}
