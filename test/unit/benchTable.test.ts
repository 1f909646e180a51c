import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { tableText, withFigures, type BenchResult } from '../bench/benchTable.ts';
import type { Measurement } from '../bench/roundTrips.ts';
import { serverRows, targetNames } from '../bench/serverRows.ts';
import type { BenchRow } from '../bench/rows.ts';

const rows: readonly BenchRow[] = [
  { what: 'calls', measured: 91.4, unit: '%', spread: [88, 95], goal: { atLeast: 90 }, beside: 'an echo | 7,000 /s', isInReadme: true },
  { what: 'time', measured: 1.5, unit: '×', goal: { atMost: 1.3 } },
  { what: 'size', measured: 1_234, unit: 'KB' },
];
const result: BenchResult = { date: '2026-01-02', command: 'npm run bench', on: 'linux', rows };
const page = readFileSync(path.resolve(import.meta.dirname, '../bench/README.md'), 'utf8');

describe('The table of the benchmark', () => {
  it('says of every goal whether it is reached, and nothing of what has none', () => {
    assert.equal(
      tableText(rows),
      [
        'what   measured  spread  goal     reached  beside',
        'calls  91 %      88–95   ≥ 90 %   yes      an echo | 7,000 /s',
        'time   1.50 ×            ≤ 1.3 ×  no',
        'size   1234 KB',
      ].join('\n'),
    );
  });

  it('takes the place of the last one on its page, with the rows that are meant for it, and of nothing else', () => {
    const written = withFigures(page, result);
    assert.match(written, /`npm run bench` on 2026-01-02, linux: 1 of 2 goals reached\./);
    assert.match(written, /^\| calls \| 91 % \| 88–95 \| ≥ 90 % \| yes \| an echo \\\| 7,000 \/s \|$/m);
    assert.doesNotMatch(written, /^\| size \|/m);
    const [before, after] = page.split(/<!-- figures: [^]*<!-- end of the figures -->/);
    assert.ok(before !== undefined && after !== undefined);
    assert.ok(written.startsWith(before) && written.endsWith(after));
    const again = withFigures(written, { ...result, date: '2026-01-03' });
    assert.equal(again, written.replace('2026-01-02', '2026-01-03'));
  });

  it('is not written into a page that has lost its marks', () => {
    assert.throws(() => withFigures('# A page', result), /lost the marks/);
  });

  it('compares rounds that were measured one after the other, so that a slow moment of the machine counts for both', () => {
    const measured = (name: string, perSecond: readonly number[], cpuMicros: number): Measurement => ({
      name,
      inFlight: 1,
      perSecond: 0,
      rounds: perSecond.map((each) => ({ perSecond: each, cpuMicros, p50: 1, p99: 2 })),
    });
    const [calls, cpu, tail, peer] = serverRows([
      measured(targetNames.jsonFloor, [1_000, 100, 500], 50),
      measured(targetNames.mcp, [950, 90, 480], 60),
      measured(targetNames.peer, [475, 45, 120], 200),
    ]);
    assert.deepEqual([calls?.measured, calls?.spread], [95, [90, 96]]);
    assert.deepEqual([cpu?.measured, tail?.measured, peer?.measured], [1.2, 2, 2]);
  });
});
