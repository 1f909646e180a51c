/** Run by itself: opens windows one after the other and prints what Duplex costs them when they open, and while they rest. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { bundleForExtensionHost } from '../support/editor/editorBundle.mjs';
import { runEditorWindow } from '../support/editor/editorWindow.mjs';
import { repositoryRoot } from '../support/run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { defaultWorkspace } from '../support/run/workspaceCopy.mjs';
import { median, overRounds, reportRows } from './rows.ts';
import type { Cost, Memory, WindowStart } from './windowStart.ts';

const windows = Number(process.env['DUPLEX_BENCH_WINDOWS'] ?? 3);
const servers = 5;

const folderOfTests = path.dirname(await bundleForExtensionHost('bench', ['windowStart.ts'], 'benchWindowStart'));
const program = path.join(repositoryRoot, 'test/fixtures/servers/scriptedServer.mjs');
const definitions = Array.from({ length: servers }, (_, index) => [`bench${index}`, { command: 'node', args: [program] }] as const);
const starts: WindowStart[] = [];
/** The same windows without Duplex, in turns with those. */
const without: Memory[] = [];
for (let number = 0; number < windows; number += 1) {
  without.push((await openWindow<Pick<WindowStart, 'memory'>>(true)).memory);
  starts.push(await openWindow<WindowStart>(false));
}
const loads = starts.map(({ load }) => middle(load));
const nothings = starts.map(({ loadNothing }) => middle(loadNothing));
const followings = starts.map(({ loadFollowing }) => middle(loadFollowing));
const blocks = starts.map(({ loadFollowing }) => median(loadFollowing.map(({ blockMs }) => blockMs)));
const activates = starts.map(({ activate }) => activate);
const untilStarted = starts.map(({ untilStarted: cost }) => cost);
const untilListening = starts.map(({ untilListening: cost }) => cost);
/** Of the processor, with the code that is loaded before the activation. */
const wholes = starts.map(({ load, untilListening: { cpuMs } }) => middle(load).cpuMs + cpuMs);
const more = starts.map(({ memory }, index) => memory.process - (without[index]?.process ?? Number.NaN));
const moreHeap = starts.map(({ memory }, index) => memory.heap - (without[index]?.heap ?? Number.NaN));
const supervisors = starts.flatMap(({ supervisorMegabytes }) => supervisorMegabytes ?? []);
console.log(`\na window that opens, and rests with the editor's server and ${servers} local servers (median of ${windows} windows)`);
print('activate', 'ms', activates.map(inAll), '20 ms');
print('  of the processor', 'ms', activates.map(ofProcessor));
print('load and evaluate the code', 'ms', loads.map(inAll), '30 ms');
print('  of the processor', 'ms', loads.map(ofProcessor));
print('  an empty extension', 'ms', nothings.map(inAll));
print('  of the processor', 'ms', nothings.map(ofProcessor));
print('load what follows', 'ms', followings.map(inAll));
print('  of the processor', 'ms', followings.map(ofProcessor));
print('  longest block', 'ms', blocks);
print('activated until started', 'ms', untilStarted.map(inAll));
print('  of the processor', 'ms', untilStarted.map(ofProcessor));
print('activated until listening', 'ms', untilListening.map(inAll));
print('  of the processor', 'ms', untilListening.map(ofProcessor));
print('whole start, of the processor', 'ms', wholes);
print('more at rest', 'MB', more, '40 MB with the supervisor');
print('  heap', 'MB', moreHeap);
print('supervisor', 'MB', supervisors);
reportRows([
  {
    what: '`activate` in a window that opens',
    ...overRounds(activates.map(inAll)),
    unit: 'ms',
    goal: { atMost: 20 },
    beside: `${median(activates.map(ofProcessor)).toFixed(1)} ms of the processor`,
    isInReadme: true,
  },
  {
    what: 'loading and evaluating the code',
    ...overRounds(loads.map(inAll)),
    unit: 'ms',
    goal: { atMost: 30 },
    beside: `${median(loads.map(ofProcessor)).toFixed(1)} ms of the processor; an empty extension ${median(nothings.map(inAll)).toFixed(1)} ms`,
    isInReadme: true,
  },
  {
    what: 'loading what follows after the activation',
    ...overRounds(followings.map(inAll)),
    unit: 'ms',
    beside: `${median(followings.map(ofProcessor)).toFixed(1)} ms of the processor; longest block ${median(blocks).toFixed(1)} ms`,
  },
  {
    what: "processor of the extension host from loading the code until the editor's server listens",
    ...overRounds(wholes),
    unit: 'ms',
    beside: `commands work ${median(untilStarted.map(inAll)).toFixed(0)} ms after the activation began, clients ${median(untilListening.map(inAll)).toFixed(0)} ms; with what others do meanwhile`,
    isInReadme: true,
  },
  {
    what: `memory at rest with the server on and ${servers} servers connected`,
    ...overRounds(more.map((each) => each + (supervisors.length === 0 ? 0 : median(supervisors)))),
    unit: 'MB',
    goal: { atMost: 40 },
    beside: `a window with an empty extension ${median(without.map(({ process: all }) => all)).toFixed(0)} MB`,
    isInReadme: true,
  },
]);

function inAll({ ms }: Cost): number {
  return ms;
}

function ofProcessor({ cpuMs }: Cost): number {
  return cpuMs;
}

async function openWindow<Result>(isEmpty: boolean): Promise<Result> {
  const folder = createTemporaryFolder();
  const result = path.join(folder, 'result.json');
  try {
    await runEditorWindow({
      choice: process.argv[2] === 'floor' ? 'floor' : 'ceiling',
      extensionTestsPath: path.join(folderOfTests, 'windowStart.js'),
      fixture: defaultWorkspace,
      logName: 'bench-window-start',
      env: { DUPLEX_BENCH_RESULT: result, DUPLEX_BENCH_FOLDER: folder },
      settings: isEmpty ? {} : { 'duplex.mcpServers': Object.fromEntries(definitions) },
      ...(isEmpty && { extension: writeEmptyExtension(folder) }),
    });
    return JSON.parse(readFileSync(result, 'utf8')) as Result;
  } finally {
    await removeTemporaryFolder(folder);
  }
}

function writeEmptyExtension(folder: string): string {
  const extension = path.join(folder, 'empty');
  mkdirSync(extension);
  const description = { name: 'empty', publisher: 'bench', version: '1.0.0', engines: { vscode: '*' }, type: 'module' };
  const loaded = { main: './empty.js', activationEvents: ['onStartupFinished'] };
  writeFileSync(path.join(extension, 'package.json'), JSON.stringify({ ...description, ...loaded }));
  writeFileSync(path.join(extension, 'empty.js'), "import * as vscode from 'vscode';\nexport const activate = () => vscode.version;\n");
  return extension;
}

function print(name: string, unit: string, values: readonly number[], goal = ''): void {
  const figures =
    values.length === 0 ? 'not known' : `${median(values).toFixed(1)} ${unit} (${values.map((value) => value.toFixed(1)).join(', ')})`;
  console.log(`${name.padEnd(28)} ${figures}${goal === '' ? '' : `  goal: ${goal}`}`);
}

function middle(costs: readonly Cost[]): Cost {
  return { ms: median(costs.map(inAll)), cpuMs: median(costs.map(ofProcessor)) };
}
