/** Run by itself: the tasks of test/ui/release/agentTasks.spec.ts done with a shell, and what an agent would have read for them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import process from 'node:process';
import { largeShop, type ProjectFiles, pythonShop, typescriptShop } from '../fixtures/agentProjects.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { type BenchRow, reportRows } from './rows.ts';

interface ShellTask {
  readonly name: string;
  readonly files: ProjectFiles;
  /** Each is one call of an agent. */
  readonly commands: readonly string[];
  /** What the last command must have said. */
  readonly isDone: (output: string) => boolean;
}

const compiler = path.resolve(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
const check = `node ${compiler} --noEmit -p .`;

const tasks: readonly ShellTask[] = [
  {
    name: 'TypeScript with errors in closed files and a failing test',
    files: typescriptShop,
    commands: [
      'find . -type f',
      check,
      'npm test',
      ...['src/cart.ts', 'src/order.ts', 'lib/discount.js'].map((file) => `cat ${file}`),
      `sed -i 's/: string => items.length/: number => items.length/' src/cart.ts`,
      `sed -i 's/cuont/count/' src/stock.ts`,
      `sed -i 's/count > 3/count >= 3/' lib/discount.js`,
      check,
      'npm test',
    ],
    isDone: (output) => /fail 0/.test(output),
  },
  {
    name: 'Python with a failing test',
    files: pythonShop,
    commands: [
      'find . -type f',
      'python3 -m unittest',
      'cat tests/test_discount.py',
      'cat shop/discount.py',
      `sed -i 's/count > 3/count >= 3/' shop/discount.py`,
      'python3 -m unittest tests.test_discount.DiscountTest.test_three_are_enough',
      'python3 -m unittest',
    ],
    isDone: (output) => /^OK$/m.test(output),
  },
  {
    name: 'a function renamed among 2,000 files',
    files: largeShop,
    commands: [
      'grep -rn "netPrice" src',
      `grep -rlw netPrice src | xargs sed -i 's/\\bnetPrice\\b/priceWithoutTax/g'`,
      'grep -rlw priceWithoutTax src | wc -l',
      check,
    ],
    isDone: (output) => output === '',
  },
];

function work({ name, files, commands, isDone }: ShellTask): BenchRow {
  const folder = createTemporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  const began = performance.now();
  const outputs = commands.map((command) => {
    const { stdout, stderr } = spawnSync(command, { cwd: folder, shell: true, encoding: 'utf8' });
    return stdout + stderr;
  });
  const seconds = (performance.now() - began) / 1_000;
  void removeTemporaryFolder(folder);
  assert.ok(isDone(outputs.at(-1) ?? ''), `${name}: ${outputs.at(-1)}`);
  const characters = outputs.reduce((sum, output) => sum + output.length, 0);
  console.log(`${name}: ${commands.length} calls, ${characters} characters, ${seconds.toFixed(1)} s`);
  return {
    what: `${name}, with a shell: characters to read`,
    measured: characters,
    unit: '',
    beside: `${commands.length} calls, ${seconds.toFixed(1)} s`,
    isInReadme: true,
  };
}

if (process.platform === 'win32') {
  console.log('There is no sed here.');
} else {
  reportRows(tasks.map(work));
}
