import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toPlainText } from '../../../../src/base/terminalText.ts';
import { parseReport } from '../../../../src/testRuns/parsers/parseReport.ts';

const folder = join(import.meta.dirname, '../../../fixtures/reports');

function sample(file: string): string {
  return toPlainText(readFileSync(join(folder, file), 'utf8'));
}

/** Counts and the names of failures. */
type Results = readonly [counts: readonly number[] | undefined, failures: readonly string[]];

function read(text: string, isCut = false): Results {
  const { counts, failures = [] } = parseReport({ text, isCut }) ?? {};
  return [counts && [counts.passed, counts.failed, counts.skipped], failures.map(({ name }) => name)];
}

const jestGood =
  'PASS unit/a.test.js\n  ✓ adds (2 ms)\n\nTest Suites: 1 passed, 1 total\nTests:       5 passed, 5 total\nTime:        0.5 s\n';
const jestBad = `FAIL e2e/b.test.js
  ● subtracts

    expect(received).toBe(expected)

      at Object.toBe (e2e/b.test.js:3:13)

Test Suites: 1 failed, 1 total
Tests:       1 failed, 2 passed, 3 total
Time:        0.5 s
`;
const ranAll = 'Ran all test suites.\n';
const vitestGood = '\n RUN  v3.1.0 /w\n\n Test Files  1 passed (1)\n      Tests  5 passed (5)\n   Start at  10:00:00\n   Duration  300ms\n';
const mochaGood = '\n\n  Cart\n    ✔ adds\n\n\n  3 passing (5ms)\n\n';
const nodeGood = '✔ adds (1ms)\nℹ tests 3\nℹ pass 3\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 30.1\n';
const nodeTapGood = 'TAP version 13\nok 1 - adds\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# duration_ms 3\n';
const pytestGood = '====== test session starts ======\ncollected 3 items\n\ntest_a.py ...      [100%]\n\n====== 3 passed in 0.05s ======\n';
const unittestGood = `...\n${'-'.repeat(70)}\nRan 3 tests in 0.001s\n\nOK\n`;
const banner = '\n> shop@1.0.0 test\n> run\n\n';

describe('The output of several runs', () => {
  const pairs: readonly (readonly [name: string, bad: string, good: string, passed: number])[] = [
    ['Jest', jestBad + ranAll, jestGood + ranAll, 5],
    ['Jest, when it is silent', jestBad, jestGood, 5],
    ['Vitest', sample('vitest.txt'), vitestGood, 5],
    ['Mocha', sample('mocha.txt'), mochaGood, 3],
    ['node:test', sample('node24.spec.txt'), nodeGood, 3],
    ['node:test as TAP', sample('node24.tap'), nodeTapGood, 1],
    ['Mocha as TAP', sample('mocha.tap'), '1..1\nok 1 adds\n# tests 1\n# pass 1\n# fail 0\n', 1],
    ['pytest', sample('pytest.txt'), pytestGood, 3],
    ['unittest', sample('unittest313.txt'), unittestGood, 3],
  ];
  for (const [name, bad, good, more] of pairs) {
    it(`${name}: the tests of both runs count, and no failure is lost, whichever comes first`, () => {
      const [counts, failures] = read(bad);
      const [passed = 0, ...rest] = counts ?? [];
      assert.ok(failures.length > 0);
      const both = [[passed + more, ...rest], failures];
      for (const between of ['', banner]) {
        assert.deepEqual(read(bad + between + good), both);
        assert.deepEqual(read(good + between + bad), both);
      }
      assert.deepEqual(read(bad + banner + bad), [counts?.map((count) => count * 2), [...failures, ...failures]]);
      assert.equal(read(bad + banner + good, true)[0], undefined, 'with a part missing, there may be more of them');
    });
  }

  it('packages that use different programs count together', () => {
    const text = [jestBad + ranAll, pytestGood, sample('mocha.txt'), nodeTapGood].join(banner);
    const [counts, failures] = read(text);
    assert.deepEqual(
      [counts, [...failures].sort()],
      [
        [7, 3, 1],
        ['subtracts', ...read(sample('mocha.txt'))[1]],
      ],
    );
    assert.equal(read(text, true)[0], undefined);
  });

  it('a failure at the end of a run has nothing of the next run in its message', () => {
    const [, last] = parseReport({ text: `${sample('mocha.txt')}${mochaGood}`, isCut: false })?.failures ?? [];
    assert.match(last?.message ?? '', /processImmediate \(node:internal\/timers:483:21\)$/);
    const second =
      '✖ subtracts (1ms)\nℹ pass 0\nℹ fail 1\nℹ duration_ms 1\n\n✖ failing tests:\n\ntest at t/b.mjs:3:1\n✖ subtracts (1ms)\n  Error: no\n';
    assert.deepEqual(read(sample('node24.spec.txt') + second), [
      [1, 3, 1],
      ['the till > gives every third piece for free', 'the till > with a broken price > refuses it', 'subtracts'],
    ]);
  });

  it('a program that watches runs the same tests again: only how they went last is true', () => {
    const rerun: readonly (readonly [string, string, string])[] = [
      ['\nWatch Usage: Press w to show more.', jestBad + ranAll, jestGood + ranAll],
      [
        '\n FAIL  Tests failed. Watching for file changes...\n       press h to show help\n\n RERUN  src/cart.mjs x1\n',
        sample('vitest.txt'),
        vitestGood,
      ],
      ['ℹ [mocha] waiting for changes...\n', sample('mocha.txt'), mochaGood],
      ['########## waiting for changes ##########\n', sample('pytest.txt'), pytestGood],
      ['\nRestarted at 11/18/2026, 7:52:19 PM\n', sample('node24.spec.txt'), nodeGood],
      ['[nodemon] restarting due to changes...\n[nodemon] starting `mocha`\n', sample('mocha.txt'), mochaGood],
      ['[Command exited with 1]\n[Running: npm test]\n', sample('mocha.txt'), mochaGood],
      ['\nChange detected: cart.py\n\n[Wed Nov 18 19:52:19 2026] Running: py.test\n', sample('pytest.txt'), pytestGood],
      ['[pytest-watcher]\nCurrent runner args: []\nPress w to show menu', sample('pytest.txt'), pytestGood],
    ];
    for (const [mark, bad, good] of rerun) {
      assert.deepEqual(read(`${bad}${mark}\n${good}`), read(good), mark);
      assert.deepEqual(read(`${good}${mark}\n${bad}${mark}\n`), read(bad), mark);
      assert.deepEqual(read(`${good}${mark}\n${bad}${mark}\n\n> it has begun again\n`), read(bad), mark);
    }
  });

  it('the summary that a program shows in a terminal while it runs is not one of a run', () => {
    const live = (done: number): string =>
      `\n RUNS  e2e/b.test.js\n\nTest Suites: ${done} of 2 total\nTests:       ${done} passed, ${done} total\nTime:        1 s, estimated 2 s\n`;
    assert.deepEqual(read(`${live(0)}${live(1)}${jestBad}${ranAll}`), read(jestBad + ranAll));
    assert.deepEqual(read(`${jestGood}${ranAll}${live(1)}${jestBad}${ranAll}`), [[7, 1, 0], ['subtracts']]);
    assert.deepEqual(read(`${live(0)}${jestBad}`), read(jestBad), 'when it is silent');
    const window = ' ❯ t/a.test.ts 0/3\n\n Test Files 0 passed (3)\n      Tests 2 passed (10)\n   Start at 10:00:00\n   Duration 1.03s\n';
    assert.deepEqual(read(`${window}${window}${sample('vitest.txt')}`), read(sample('vitest.txt')));
  });

  it('what a failed test printed of a pytest that it started is no run', () => {
    const inner = `----------------------------- Captured stdout call -----------------------------\n${pytestGood}`;
    const text = sample('pytest.txt').replace('=========================== short test', `${inner}=========================== short test`);
    assert.notEqual(text, sample('pytest.txt'));
    assert.deepEqual(read(text), read(sample('pytest.txt')));
    const quiet =
      'FF [100%]\n=== FAILURES ===\n___ test_a ___\nE   no\n----- Captured stdout call -----\nhello\n1 failed, 2 passed in 0.1s\n';
    assert.deepEqual(read(quiet)[0], [2, 1, 0]);
  });

  describe('What a failed test of pytest printed', () => {
    const captured = '----- Captured stdout call -----\n';
    const test = (name: string, printed: string): string => `____ ${name} ____\nE   no\n${captured}${printed}`;
    const run = (sections: string, end: string): string =>
      `=== test session starts ===\ncollected 3 items\n\ntest_a.py F.F\n\n=== FAILURES ===\n${sections}${end}`;
    const listed = '=== short test summary info ===\nFAILED test_a.py::test_a - no\nFAILED test_a.py::test_b - no\n';
    const end = '=== 2 failed, 1 passed in 5.00s ===\n';
    const both: Results = [
      [1, 2, 0],
      ['test_a.py::test_a', 'test_a.py::test_b'],
    ];

    it('is no run, although it ends like a quiet one, or has no end', () => {
      const [header] = pytestGood.split('\n', 1);
      for (const printed of ['.   [100%]\n1 passed in 0.01s\n', '100 rows inserted in 0.35s\n', pytestGood, pytestGood + pytestGood]) {
        assert.deepEqual(read(run(test('test_a', printed) + test('test_b', printed), listed + end)), both, printed);
        const quiet = run(test('test_a', printed) + test('test_b', printed), listed + end.replaceAll(/=+ ?/g, ''));
        assert.deepEqual(read(quiet.slice(quiet.indexOf('test_a.py F'))), both, `quiet: ${printed}`);
      }
      const cut = `${header}\ncollecting ...\nINTERNALERROR\n`;
      assert.deepEqual(read(run(test('test_a', 'x\n') + test('test_b', cut), listed + end)), both);
    });

    it('is no run of another program, but what follows is one', () => {
      for (const printed of [nodeTapGood, unittestGood, jestGood + ranAll, mochaGood, nodeGood, vitestGood, 'ok  \tshop/cart\t0.01s\n']) {
        const sections = test('test_a', printed) + test('test_b', printed);
        assert.deepEqual(read(run(sections, listed + end)), both, printed);
        const [counts] = read(run(sections, end) + banner + jestGood + ranAll);
        assert.deepEqual(counts, [6, 2, 0], printed);
      }
    });

    it('leaves each failure all that was said of it', () => {
      const text = run(test('test_a', '100 rows inserted in 0.35s\n') + test('test_b', 'x\n').replace('no', 'not this'), end);
      const { failures = [] } = parseReport({ text, isCut: false }) ?? {};
      assert.deepEqual(
        failures.map(({ name, message }) => [name, message]),
        [
          ['test_a', 'no'],
          ['test_b', 'not this'],
        ],
      );
    });

    it('ends with its run, of which several may follow one another', () => {
      const one = run(test('test_a', 'x\n') + test('test_b', 'x\n'), end);
      assert.deepEqual(read(one + one), [
        [2, 4, 0],
        ['test_a', 'test_b', 'test_a', 'test_b'],
      ]);
    });
  });

  it('the title of a test of tape that looks like the end of a summary ends no run', () => {
    const tape = 'TAP version 13\n# ok\nok 1 adds\n# fail 0\nnot ok 2 subtracts\n\n1..2\n# tests 2\n# pass  1\n# fail  1\n';
    assert.deepEqual(read(tape), [[1, 1, 0], ['subtracts']]);
    assert.deepEqual(read(tape, true), [[1, 1, 0], ['subtracts']]);
    assert.deepEqual(read(tape + tape), [
      [2, 2, 0],
      ['subtracts', 'subtracts'],
    ]);
  });

  it('a run that is still being written does not take away what the one before it said', () => {
    assert.deepEqual(read(`${jestBad}${ranAll}${banner}PASS unit/a.test.js\n`), read(jestBad + ranAll));
    assert.deepEqual(read(`${sample('node24.spec.txt')}✔ adds (1ms)\nℹ pass 3\n`), read(sample('node24.spec.txt')));
  });
});
