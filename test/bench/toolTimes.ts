import { execFile } from 'node:child_process';
import * as path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { DiscoveryFile } from '../../src/contract/bridgeFiles.ts';
import { findRipgrep } from '../../src/editor/workspace/search/ripgrep.ts';
import { median, type BenchRow } from './rows.ts';
import { beginProfile, endProfile, profileFolder } from './profiling.ts';
import { fillWorkspace, makeRepository, rareWord } from './bigWorkspace.ts';
import { epochNow, tickMs, watchStalls, type Stall } from './stallWatch.ts';
import type { ToolFailure, ToolMeasurement, ToolOrder, ToolStep } from './toolClient.ts';

export interface ToolTime extends Omit<ToolMeasurement, 'from' | 'to'>, Stall {}

const clientMs = 300_000;

const tool = (name: string, args: object): ToolStep['calls'][number] => ({ params: { name, arguments: args } });
const searchFor = (query: string): ToolStep['calls'][number] => tool('search_text', { query });

function steps(root: string): ToolStep[] {
  const large = pathToFileURL(path.join(root, 'large.txt')).href;
  return [
    { name: 'nothing', rounds: 1, calls: [] },
    {
      name: 'search_text, a rare word',
      rounds: 15,
      calls: [searchFor(rareWord)],
      floor: ['--json', '--fixed-strings', '--ignore-case', '--hidden', rareWord, '.'],
    },
    {
      name: 'search_text, a word in every line',
      rounds: 15,
      calls: [searchFor('compute')],
      floor: ['--json', '--fixed-strings', '--ignore-case', '--hidden', 'compute', '.'],
    },
    {
      name: 'find_files, by a glob',
      rounds: 15,
      calls: [tool('find_files', { pattern: 'many/**/module12*.ts' })],
      floor: ['--files', '--hidden', '--glob', 'many/**/module12*.ts'],
    },
    { name: 'read_file, 60 lines', rounds: 200, calls: [tool('read_file', { path: 'many/part0/module7.js' })] },
    { name: 'read_file, of 5 MB', rounds: 10, calls: [tool('read_file', { path: 'large.txt', startLine: 50_000 })] },
    { name: 'resource, 5 MB', rounds: 3, calls: [{ method: 'resources/read', params: { uri: large } }] },
    { name: 'outline of 100,000 lines', rounds: 3, calls: [tool('get_document_symbols', { path: 'long.ts' })] },
    { name: 'four searches at once', rounds: 5, calls: ['compute', rareWord, 'value59', 'long enough'].map(searchFor) },
  ];
}

const gitSteps: ToolStep[] = [
  { name: 'git, 5,000 changes', rounds: 3, calls: [tool('get_git_changes', {})] },
  { name: 'git, 5,000 changes counted', rounds: 3, calls: [tool('get_git_changes', { summary: true, limit: 1_000, maxChars: 200_000 })] },
];

/** In this window, with a workspace that is made large for it. */
export async function measureTools({ urls, token }: DiscoveryFile): Promise<(ToolTime | ToolFailure)[]> {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const ripgrep = findRipgrep(vscode.env.appRoot);
  if (ripgrep === undefined) {
    throw new Error('This VS Code brings no ripgrep.');
  }
  fillWorkspace(root);
  const order = { mcpUrl: urls.mcp, token, ripgrep, folder: root };
  const long = vscode.Uri.file(path.join(root, 'long.ts'));
  const own = [
    await measureOwn('find_files', () => vscode.workspace.findFiles('many/**/module12*.ts')),
    await measureOwn('outline', () => vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', long)),
  ];
  const before = await withStalls({ ...order, steps: steps(root) });
  makeRepository(root);
  const git = await untilQuiet();
  return [...own, ...before, git, ...(await withStalls({ ...order, steps: gitSteps }))];
}

/** What became of them in the one table of all; a step that did not work has no row. */
export function toolRows(times: readonly (ToolTime | ToolFailure)[]): BenchRow[] {
  return times.flatMap((time) => {
    if ('failure' in time) {
      return [];
    }
    const { name, milliseconds, floorMilliseconds, stallMs, garbageMs } = time;
    const what = `${name}, 5,000 files`;
    const beside: BenchRow[] =
      floorMilliseconds === undefined
        ? [{ what, measured: milliseconds, unit: 'ms' }]
        : [
            {
              what: `${what}: time beside bare ripgrep`,
              measured: (milliseconds / floorMilliseconds) * 100,
              unit: '%',
              goal: { atMost: 200 },
              beside: `${milliseconds.toFixed(1)} ms; ripgrep ${floorMilliseconds.toFixed(1)} ms`,
              isInReadme: true,
            },
          ];
    // What is VS Code's own cannot be mended here: it stands beside ours.
    const goal = name.includes(ownName) ? {} : { goal: { atMost: 100 } };
    return [...beside, { what: `${what}: longest block`, measured: stallMs, unit: 'ms', ...goal, beside: garbageText(garbageMs) }];
  });
}

const ownName = 'VS Code’s own';

/** Told where it is most of what may be missing. */
const garbageText = (garbageMs: number): string | undefined => (garbageMs < 10 ? undefined : `garbage ${garbageMs.toFixed(0)} ms of it`);

/** What VS Code's own call for the same costs: a tool that asks for it cannot do with less. */
async function measureOwn(name: string, call: () => Thenable<unknown>): Promise<ToolTime> {
  const times: number[] = [];
  const stalls = watchStalls();
  const from = epochNow();
  for (let round = 0; round < 3; round += 1) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
    await pause(4 * tickMs);
  }
  const stall = stalls.longest(from, epochNow());
  stalls.stop();
  return { name: `${name}, ${ownName} call`, milliseconds: median(times), ...stall, characters: 0 };
}

/** Until VS Code's own Git extension has seen the repository: it works in this process, too. */
async function untilQuiet(): Promise<ToolTime> {
  const stalls = watchStalls();
  const from = epochNow();
  do {
    await pause(quietMs);
  } while (stalls.longest(epochNow() - quietMs, epochNow()).stallMs > quietStallMs && epochNow() - from < maxGitMs);
  const to = epochNow();
  const stall = stalls.longest(from, to);
  stalls.stop();
  return { name: `git, ${ownName} extension`, milliseconds: to - from - quietMs, ...stall, characters: 0 };
}

const quietMs = 4_000;
const quietStallMs = 25;
const maxGitMs = 60_000;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function withStalls(order: ToolOrder): Promise<(ToolTime | ToolFailure)[]> {
  if (profileFolder !== '') {
    await beginProfile();
  }
  const stalls = watchStalls();
  try {
    const script = path.join(path.dirname(fileURLToPath(import.meta.url)), 'toolClient.js');
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const running = promisify(execFile)(process.execPath, [script, JSON.stringify(order)], { env, timeout: clientMs });
    const { stdout } = await running.catch((error: unknown) => {
      console.error('Not all was measured.', error);
      return error as { readonly stdout: string };
    });
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => {
      const measured = JSON.parse(line) as ToolMeasurement | ToolFailure;
      if ('failure' in measured) {
        return measured;
      }
      const { from, to, ...rest } = measured;
      return { ...rest, ...stalls.longest(from, to) };
    });
  } finally {
    stalls.stop();
    if (profileFolder !== '') {
      await endProfile(order.steps.at(-1)?.name ?? '');
    }
  }
}
