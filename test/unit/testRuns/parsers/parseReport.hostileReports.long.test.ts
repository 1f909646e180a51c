import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toPlainText } from '../../../../src/base/terminalText.ts';
import { parseReport, readReport, type ReportReading } from '../../../../src/testRuns/parsers/parseReport.ts';
import { placesIn } from '../../../../src/testRuns/parsers/places.ts';
import { reportLimits } from '../../../../src/testRuns/parsers/report.ts';

const folder = join(import.meta.dirname, '../../../fixtures/reports');
const patienceMs = 3_000;

/** By the processor's time: on a busy machine the clock says more of the others. */
function timed<T>(action: () => T): T {
  const start = process.cpuUsage();
  const result = action();
  const { user, system } = process.cpuUsage(start);
  assert.ok((user + system) / 1_000 < patienceMs, 'it takes too long');
  return result;
}

describe('Hostile reports', () => {
  it('entities are never expanded, neither from inside nor from a file', () => {
    const lol = Array.from({ length: 20 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${lol}<!ENTITY file SYSTEM "file:///etc/hostname">]>`;
    const report = timed(() =>
      parseReport({
        text: `${bomb}<testsuite name="s"><testcase name="a"><failure message="m">&l20;&file;</failure></testcase></testsuite>`,
        isCut: false,
      }),
    );
    assert.equal(report?.counts, undefined, 'such a report is not believed');
    assert.ok(JSON.stringify(report ?? {}).length < 1_000);
  });

  it('many short or empty lines are read elsewhere, as a long text is, and not while everybody waits', () => {
    const elsewhere: ReportReading = { kind: 'gaveUp', reason: 'was read elsewhere' };
    const read = (text: string): unknown => readReport({ text, isCut: false }, () => elsewhere as never);
    for (const line of ['\n', 'a\n', 'ok 1\n', 'not ok 1 - a\n']) {
      assert.equal(read(line.repeat(15_000)), elsewhere, JSON.stringify(line));
      assert.notEqual(read(line.repeat(5_000)), elsewhere, JSON.stringify(line));
    }
    assert.equal(read('a'.repeat(300_000)), elsewhere);
  });

  it('a suite or a file with a long name around many tests takes no longer than its text', () => {
    const [one, other] = ['a'.repeat(60_000), 'b'.repeat(60_000)];
    const junit = `<testsuite name="${one}"><testsuite name="${other}">${'<testcase/>'.repeat(8_000)}</testsuite></testsuite>`;
    assert.equal(timed(() => parseReport({ text: junit, isCut: false }))?.counts?.passed, 8_000);
    const assertionResults = Array.from({ length: 6_000 }, () => ({ status: 'failed' }));
    const jest = { numPassedTests: 0, numFailedTests: 6_000, testResults: [{ name: '/x'.repeat(50_000), assertionResults }] };
    assert.equal(timed(() => parseReport({ text: JSON.stringify(jest), isCut: false }))?.failures.length, reportLimits.failures);
    const suites = Array.from({ length: 60 }, (_, level) => `${' '.repeat(level)}▶ ${'s'.repeat(1_900)}\n`).join('');
    const failed = Array.from({ length: 1_500 }, (_, index) => `${' '.repeat(60)}✖ a${index} (1ms)\n`).join('');
    const spec = `${suites}${failed}ℹ pass 0\nℹ fail 1500\nℹ duration_ms 1\n\n✖ failing tests:\n\n✖ a1 (1ms)\n`;
    assert.equal(timed(() => parseReport({ text: spec, isCut: false }))?.failures.length, 1);
  });

  it('elements nested without end stop the reading, not the editor', () => {
    const report = timed(() => parseReport({ text: `<testsuites>${'<testsuite name="x">'.repeat(200_000)}`, isCut: false }));
    assert.deepEqual(report, { format: 'junit', counts: undefined, failures: [] });
  });

  it('subtests, objects and names nested without end do no harm', () => {
    const tap = `TAP version 13\n${Array.from({ length: 3_000 }, (_, depth) => `${' '.repeat(depth)}# Subtest: ${depth}\n${' '.repeat(depth)}not ok 1 - x\n`).join('')}1..1\n`;
    assert.equal(timed(() => parseReport({ text: tap, isCut: false }))?.failures.length, reportLimits.failures);
    assert.equal(
      timed(() => parseReport({ text: '{"numPassedTests":'.repeat(200_000), isCut: false })),
      undefined,
    );
  });

  it('a hundred thousand failures become the first of them, with the true count', () => {
    const text = `TAP version 13\n${'not ok 1 - x\n  ---\n  error: "y"\n  ...\n'.repeat(100_000)}1..100000\n`;
    const report = timed(() => parseReport({ text, isCut: false }));
    assert.deepEqual([report?.counts?.failed, report?.failures.length], [100_000, reportLimits.failures]);
  });

  it('twenty thousand runs in one text are added up in time', () => {
    const summaries: readonly (readonly [start: string, summary: string, passed: number])[] = [
      ['', 'Test Suites: 1 total\nTests: 1 passed, 1 total\n', 20_000],
      ['', ' Test Files  1 passed (1)\n      Tests  1 passed (1)\n   Duration  1ms\n', 20_000],
      ['', '  1 passing (1s)\n  1) x\n', 20_000],
      ['', 'ℹ pass 1\nℹ duration_ms 1\n✖ failing tests:\n', 20_000],
      ['= FAILURES =\n', '1 passed in 0.1s\n', 20_000],
      ['', 'Ran 1 test in 0.1s\n\nOK\n', 20_000],
      ['', 'TAP version 13\nok 1 - a\n1..1\n', 20_000],
      ['', 'ok 1 - a\n1..1\n# pass 1\n# fail 0\n', 20_000],
      ['', 'Test Suites: 1 total\nTests: 1 passed, 1 total\nWatch Usage\n', 1],
    ];
    for (const [start, summary, passed] of summaries) {
      const report = timed(() => parseReport({ text: `${start}${summary.repeat(20_000)}\n`, isCut: false }));
      assert.deepEqual(report?.counts, { passed, failed: 0, skipped: 0 }, summary);
    }
  });

  it('long names and messages are cut', () => {
    const text = `<testsuite><testcase name="${'nnn '.repeat(25_000)}"><failure>${'mmm '.repeat(250_000)}</failure></testcase></testsuite>`;
    const [failure] = timed(() => parseReport({ text, isCut: false }))?.failures ?? [];
    assert.deepEqual([failure?.name.length, failure?.message.length], [reportLimits.nameLength, reportLimits.messageLength]);
  });

  it('a line of a megabyte is read in time by every parser', () => {
    for (const piece of ['a', ' ', '(', ':1', 'a.b:1 ', '/x', '✖ ', '● ', '"', "'", '{', '= ', '_ ', '\t', '- ']) {
      const line = piece.repeat(Math.ceil(1_000_000 / piece.length));
      timed(() => placesIn(line));
      timed(() => parseReport({ text: `${line}\n1 passed in 0.1s\n= FAILURES =\n${line}\n`, isCut: false }));
      timed(() =>
        parseReport({ text: `TAP version 13\nnot ok 1 - ${line}\n  ---\n  stack: |-\n    ${line}\n  ...\n1..1\n`, isCut: false }),
      );
      timed(() => parseReport({ text: `  1 passing (1s)\n  1 failing\n\n  1) ${line}:\n${line}\n`, isCut: false }));
      timed(() => parseReport({ text: `Test Suites: 1\nTests: ${line} total\n  ● ${line}\n`, isCut: false }));
    }
  });

  it('many empty lines and a long summary that never ends are read in time', () => {
    assert.equal(
      timed(() => parseReport({ text: `${'\n'.repeat(1_000_000)}x`, isCut: false })),
      undefined,
    );
    for (const start of ['Test Suites: 1\nTests:', ' Test Files', ' Duration']) {
      timed(() => parseReport({ text: `${start}${' '.repeat(1_000_000)}x\n`, isCut: false }));
    }
  });

  it('many lines below many failures are read in time', () => {
    const failures = Array.from({ length: 1_000 }, (_, index) => `--- FAIL: T${index} (0.00s)\n    x_test.go:1: no\n`).join('');
    const text = `=== RUN   T0\n${failures}${'x\n'.repeat(300_000)}FAIL\tmodule/till\t0.1s\n`;
    const report = timed(() => parseReport({ text, isCut: false }));
    assert.deepEqual([report?.counts?.failed, report?.failures[0]?.name], [1_000, 'module/till > T0']);
  });

  it('every sample, cut off anywhere, gives results or none, and never counts that are wrong', () => {
    for (const file of readdirSync(folder)) {
      const text = toPlainText(readFileSync(join(folder, file), 'utf8'));
      const whole = parseReport({ text, isCut: false });
      for (let part = 1; part < 400; part += 1) {
        const report = parseReport({ text: text.slice(0, Math.floor((text.length * part) / 400)), isCut: true });
        if (report?.counts !== undefined) {
          assert.deepEqual(report.counts, whole?.counts, `${file} at ${part}/400`);
        }
      }
    }
  });

  it('places inside the runner, in libraries and without a number are none', () => {
    const text = [
      '    at node:internal/test_runner/test:1133:71',
      '    at run (/projects/till/node_modules/mocha/lib/runner.js:10:5)',
      '    at fetch (https://example.com/x.js:1:2)',
      '    at native',
      '    at Object.<anonymous> (/projects/my till/a b.js:3:4)',
      '    at C:\\projects\\till\\a.ts:5:6',
    ].join('\n');
    assert.deepEqual(placesIn(text), [
      { file: '/projects/my till/a b.js', line: 3 },
      { file: 'C:\\projects\\till\\a.ts', line: 5 },
    ]);
  });
});
