/** Run by itself: opens windows one after the other and prints what Duplex costs them when they open, and while they rest. */
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { bundleForExtensionHost } from '../support/editor/editorBundle.mjs';
import { runEditorWindow } from '../support/editor/editorWindow.mjs';
import { repositoryRoot } from '../support/run/repository.mjs';
import { createTemporaryFolder, removeTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { defaultWorkspace } from '../support/run/workspaceCopy.mjs';
import type { WindowStart } from './windowStart.ts';

const windows = Number(process.env['DUPLEX_BENCH_WINDOWS'] ?? 3);
const servers = 5;

const folderOfTests = path.dirname(await bundleForExtensionHost('bench', ['windowStart.ts'], 'benchWindowStart'));
const program = path.join(repositoryRoot, 'test/fixtures/servers/scriptedServer.mjs');
const definitions = Array.from({ length: servers }, (_, index) => [`bench${index}`, { command: 'node', args: [program] }] as const);
const starts: WindowStart[] = [];
for (let number = 0; number < windows; number += 1) {
  starts.push(await openWindow());
}
console.log(`\na window that opens, and rests with the editor's server and ${servers} local servers (median of ${windows} windows)`);
print(
  'activate',
  'ms',
  '20 ms',
  starts.map(({ activateMs }) => activateMs),
);
print(
  'load and evaluate the code',
  'ms',
  '30 ms',
  starts.map(({ loadMs }) => median(loadMs)),
);
print(
  'more in the extension host',
  'MB',
  '40 MB with the supervisor',
  starts.map(({ moreMegabytes }) => moreMegabytes),
);
print(
  'supervisor',
  'MB',
  '',
  starts.map(({ supervisorMegabytes }) => supervisorMegabytes),
);

async function openWindow(): Promise<WindowStart> {
  const folder = createTemporaryFolder();
  const result = path.join(folder, 'result.json');
  try {
    await runEditorWindow({
      choice: process.argv[2] === 'floor' ? 'floor' : 'ceiling',
      extensionTestsPath: path.join(folderOfTests, 'windowStart.js'),
      fixture: defaultWorkspace,
      logName: 'bench-window-start',
      env: { DUPLEX_BENCH_RESULT: result, DUPLEX_BENCH_FOLDER: folder },
      settings: { 'duplex.mcpServers': Object.fromEntries(definitions) },
    });
    return JSON.parse(readFileSync(result, 'utf8')) as WindowStart;
  } finally {
    await removeTemporaryFolder(folder);
  }
}

function print(name: string, unit: string, goal: string, values: readonly (number | undefined)[]): void {
  const known = values.filter((value) => value !== undefined);
  const figures =
    known.length === 0 ? 'not known' : `${median(known).toFixed(1)} ${unit} (${known.map((value) => value.toFixed(1)).join(', ')})`;
  console.log(`${name.padEnd(28)} ${figures}${goal === '' ? '' : `  goal: ${goal}`}`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
