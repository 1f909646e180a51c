/** The end of `npm run bench`: prints the rows of all its parts as one table and writes them to out/bench.json; `--readme` into test/bench/README.md too. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { formatted } from '../support/formatted.ts';
import { tableText, withFigures, type BenchResult } from './benchTable.ts';
import { rowsFileVariable, type BenchRow } from './rows.ts';

const root = path.resolve(import.meta.dirname, '../..');
const resultFile = path.join(root, 'out', 'bench.json');
const rowsFile = process.env[rowsFileVariable];

if (rowsFile !== undefined) {
  const rows = readFileSync(rowsFile, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BenchRow);
  const [cpu] = os.cpus();
  const on = `${process.platform} ${process.arch}, ${os.cpus().length} × ${cpu?.model.trim() ?? 'unknown'}`;
  const result: BenchResult = { date: new Date().toISOString().slice(0, 10), command: 'npm run bench', on, rows };
  mkdirSync(path.dirname(resultFile), { recursive: true });
  writeFileSync(resultFile, `${JSON.stringify(result, undefined, 2)}\n`);
  console.log(`\n${tableText(rows)}\n`);
}
if (process.argv.includes('--readme')) {
  const page = path.join(root, 'test/bench/README.md');
  const result = JSON.parse(readFileSync(resultFile, 'utf8')) as BenchResult;
  const text = withFigures(readFileSync(page, 'utf8'), result);
  writeFileSync(page, await formatted(page, text));
}
