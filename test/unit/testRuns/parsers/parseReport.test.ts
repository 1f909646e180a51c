import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toPlainText } from '../../../../src/base/terminalText.ts';
import { parseReport } from '../../../../src/testRuns/parsers/parseReport.ts';
import { redactSecrets } from '../../../../src/secrets/redactSecrets.ts';
import { reportLimits, type ParsedReport } from '../../../../src/testRuns/parsers/report.ts';

const folder = join(import.meta.dirname, '../../../fixtures/reports');

function parse(file: string): ParsedReport | undefined {
  return parseReport({ text: toPlainText(readFileSync(join(folder, file), 'utf8')), isCut: false });
}

/** Format, counts, and of each failure: its name, something of its message, and the first place. */
type Expected = readonly [
  format: ParsedReport['format'],
  counts: readonly [passed: number, failed: number, skipped: number] | undefined,
  failures: readonly (readonly [name: string, message: RegExp, place: string])[],
];

const free = /150 !== 100/;
const refuses = /Cannot destructure property 'price'/;
const nodeTest = 'file:///projects/till/t/cart.node.mjs:11';
const mochaTest = 'file:///projects/till/t/cart.mocha.mjs:10';
const source = 'file:///projects/till/src/cart.mjs:1';

const samples: Readonly<Record<string, Expected>> = {
  'node20.tap': ['tap', [1, 2, 1], nested(free, nodeTest)],
  'node24.tap': ['tap', [1, 2, 1], nested(free, nodeTest)],
  'node20.spec.txt': ['nodeSpec', [1, 2, 1], nested(free, nodeTest)],
  'node24.spec.txt': ['nodeSpec', [1, 2, 1], nested(free, nodeTest)],
  'node.junit.xml': ['junit', [1, 2, 1], nested(free, nodeTest)],
  'mocha.txt': ['mocha', [1, 2, 1], nested(free, mochaTest)],
  'mocha.json.txt': ['mochaJson', [1, 2, 1], joined(free, mochaTest)],
  'mocha.tap': ['tap', [1, 2, 1], joined(free, mochaTest)],
  'vitest.txt': ['vitest', [1, 2, 1], nested(/expected 150 to be 100/, 't/cart.vitest.test.mjs:11', 'src/cart.mjs:1')],
  'vitest.json.txt': [
    'jestJson',
    [1, 2, 1],
    nested(/expected 150 to be 100/, '/projects/till/t/cart.vitest.test.mjs:11', '/projects/till/src/cart.mjs:1'),
  ],
  'vitest.junit.xml': [
    'junit',
    [1, 2, 1],
    nested(/expected 150 to be 100/, 't/cart.vitest.test.mjs:11', 'src/cart.mjs:1', 't/cart.vitest.test.mjs > '),
  ],
  'vitest.tap': [
    'tap',
    [1, 2, 1],
    nested(
      /expected 150 to be 100/,
      '/projects/till/t/cart.vitest.test.mjs:11',
      '/projects/till/src/cart.mjs:1',
      't/cart.vitest.test.mjs > ',
    ),
  ],
  'jest.txt': [
    'jest',
    [1, 3, 1],
    [
      ...nested(/Expected: 100\nReceived: 150/, 'j/cart.test.js:9', 'cart.js:1'),
      ['j/broken.test.js', /Cannot find module/, 'j/broken.test.js:1'],
    ],
  ],
  'jest.json.txt': [
    'jestJson',
    [1, 3, 1],
    [
      ...nested(/Expected: 100\nReceived: 150/, '/projects/till/j/cart.test.js:9', '/projects/till/j/cart.js:1'),
      ['broken.test.js', /Cannot find module/, 'broken.test.js:1'],
    ],
  ],
  'jest.junit.xml': ['junit', [1, 2, 1], joined(/Received: 150/, '/projects/till/j/cart.test.js:9', '/projects/till/j/cart.js:1')],
  'tape.tap': ['tap', [1, 1, 0], [['every third piece is free', /expected: 100\nactual: 150/, '/projects/till/t/tape.cjs:2']]],
  'pytest.txt': ['pytest', [1, 3, 1], pytestFailures('::')],
  'pytest.quiet.txt': ['pytest', [1, 3, 1], pytestFailures('::')],
  'pytest.junit.xml': [
    'junit',
    [1, 3, 1],
    [
      ['tests.test_cart.TestThreeForTwo > test_every_third_piece_is_free', /assert 150 == 100/, 'tests/test_cart.py:11'],
      ['tests.test_cart > test_uses_a_broken_fixture', /no till/, 'tests/test_cart.py:21'],
      ['tests.test_cart > test_refuses[None]', /not supported between/, 'cart.py:2'],
    ],
  ],
  'unittest38.verbose.txt': ['unittest', [1, 5, 1], unittestFailures()],
  'unittest313.txt': ['unittest', [1, 5, 1], unittestFailures()],
  'cargo.txt': ['cargo', [1, 1, 1], [['tests::every_third_piece_is_free', /left: 150\n right: 100$/, 'src/lib.rs:17']]],
  'go.json.txt': [
    'goJson',
    [2, 2, 1],
    [
      [
        'example.com/till/cart > TestThreeForTwo/three_pieces',
        /^cart_test.go:21: PriceOf\(50, 3\) = 150, want 100$/,
        'till/cart/cart_test.go:21',
      ],
      ['example.com/till/printer', /undefined: paper/, 'printer/printer_test.go:7'],
    ],
  ],
  'go.verbose.txt': ['go', [2, 1, 1], goFailure()],
  'go.quiet.txt': ['go', undefined, goFailure()],
  'surefire.junit.xml': [
    'junit',
    [0, 2, 1],
    [
      ['com.example.till.CartTest > everyThirdPieceIsFree', /but was: <150>/, 'src/test/java/com/example/till/CartTest.java:21'],
      ['com.example.till.CartTest > opens', /no till/, 'src/test/java/com/example/till/Cart.java:9'],
    ],
  ],
};

function nested(message: RegExp, place: string, other = source, before = ''): Expected[2] {
  return [
    [`${before}the till > gives every third piece for free`, message, place],
    [`${before}the till > with a broken price > refuses it`, refuses, other],
  ];
}

function joined(message: RegExp, place: string, other = source): Expected[2] {
  return [
    ['the till gives every third piece for free', message, place],
    ['the till with a broken price refuses it', refuses, other],
  ];
}

function unittestFailures(): Expected[2] {
  const file = '/projects/till/tests/test_cart.py';
  return [
    ['test_cart.ThreeForTwo.test_refuses (count=None)', /^TypeError: '>' not supported/, '/projects/till/cart.py:2'],
    ["test_cart.ThreeForTwo.test_refuses (count='x')", /^TypeError: '>' not supported/, '/projects/till/cart.py:2'],
    ['setUpClass (test_cart.Till)', /^RuntimeError: no till$/, `${file}:27`],
    ['test_printer', /^ModuleNotFoundError: No module named 'printer'$/, '/projects/till/tests/test_printer.py:1'],
    ['test_cart.ThreeForTwo.test_every_third_piece_is_free', /^AssertionError: 150 != 100$/, `${file}:12`],
  ];
}

function pytestFailures(between: string): Expected[2] {
  const file = 'tests/test_cart.py';
  return [
    [`${file}${between}test_uses_a_broken_fixture`, /^RuntimeError: no till$/, `${file}:21`],
    [`${file}${between}TestThreeForTwo${between}test_every_third_piece_is_free`, /^assert 150 == 100/, `${file}:11`],
    [`${file}${between}test_refuses[None]`, /^TypeError: '>' not supported/, 'cart.py:2'],
  ];
}

function goFailure(): Expected[2] {
  return [['example.com/till/cart > TestThreeForTwo/three_pieces', /^cart_test.go:21: .* want 100$/, 'till/cart/cart_test.go:21']];
}

describe('Reports of test runners', () => {
  for (const [file, [format, counts, failures]] of Object.entries(samples)) {
    it(`${file} gives its counts and each failure with its place`, () => {
      const report = parse(file);
      const [passed, failed, skipped] = counts ?? [];
      assert.equal(report?.format, format);
      assert.deepEqual(report.counts, counts === undefined ? undefined : { passed, failed, skipped });
      assert.deepEqual(
        report.failures.map(({ name, places: [place] }) => [name, `${place?.file}:${place?.line}`]),
        failures.map(([name, , place]) => [name, place]),
      );
      failures.forEach(([, message], index) => assert.match(report.failures[index]?.message ?? '', message));
    });
  }

  it('a run of one form is read also between the lines of a package manager', () => {
    const text = `\n> till@1.0.0 test\n> mocha --reporter json\n\n${readFileSync(join(folder, 'mocha.json.txt'), 'utf8')}\nnpm error code 2\n`;
    assert.deepEqual(parseReport({ text, isCut: false })?.counts, { passed: 1, failed: 2, skipped: 1 });
  });

  it('the plan that Mocha writes last is no second run, of which a part could be missing', () => {
    const text = readFileSync(join(folder, 'mocha.tap'), 'utf8');
    assert.deepEqual(parseReport({ text, isCut: true })?.counts, { passed: 1, failed: 2, skipped: 1 });
  });

  it('a run in which everything passed has no failures', () => {
    const text = 'TAP version 13\nok 1 - a\nok 2 - b # SKIP later\nnot ok 3 - c # TODO soon\n1..3\n';
    assert.deepEqual(parseReport({ text, isCut: false }), {
      format: 'tap',
      counts: { passed: 1, failed: 0, skipped: 2 },
      failures: [],
    });
  });

  it('a suite that fails by itself counts beside its tests', () => {
    const text = [
      'TAP version 13',
      '# Subtest: suite',
      '    # Subtest: a',
      '    ok 1 - a',
      '    1..1',
      'not ok 1 - suite',
      '  ---',
      "  failureType: 'hookFailed'",
      "  error: 'after failed'",
      '  ...',
      '1..1',
    ].join('\n');
    const report = parseReport({ text, isCut: false });
    assert.deepEqual(report?.counts, { passed: 1, failed: 1, skipped: 0 });
    assert.deepEqual(report.failures, [{ name: 'suite', message: 'after failed', places: [] }]);
  });

  it('a test of Go is not counted beside a subtest of it whose name has a slash', () => {
    const text = [
      '=== RUN   TestA',
      '=== RUN   TestA/b/c',
      '--- PASS: TestA (0.00s)',
      '    --- PASS: TestA/b/c (0.00s)',
      'PASS',
      'ok  \tm\t0.1s',
    ];
    assert.deepEqual(parseReport({ text: text.join('\n'), isCut: false })?.counts, { passed: 1, failed: 0, skipped: 0 });
  });

  it('pytest counts the tests that failed, and names the subtests that did', () => {
    const section = [
      '=================================== FAILURES ===================================',
      '________________________________ T.test_a (i=2) ________________________________',
      'E               AssertionError: 2 not less than 2',
      '',
      'test_u.py:6: AssertionError',
      '=========================== short test summary info ============================',
    ];
    const listed = [
      'SUBFAILED(i=2) test_u.py::T::test_a - AssertionError: 2 not less than 2',
      'SUBFAILED[of one] (i=1) test_s.py::test_one - assert 1 == 2',
    ];
    const text = [...section, ...listed, '2 failed, 2 passed, 5 subtests passed, 1 subtests skipped in 4.72s', ''].join('\n');
    assert.deepEqual(parseReport({ text, isCut: false }), {
      format: 'pytest',
      counts: { passed: 2, failed: 2, skipped: 0 },
      failures: [
        {
          name: 'test_u.py::T::test_a (i=2)',
          message: '              AssertionError: 2 not less than 2'.trim(),
          places: [{ file: 'test_u.py', line: 6 }, { file: 'test_u.py' }],
        },
        { name: 'test_s.py::test_one [of one] (i=1)', message: 'assert 1 == 2', places: [{ file: 'test_s.py' }] },
      ],
    });
  });

  it('colours in forms made for programs, which write them in their own way, are gone', () => {
    const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
    const stack = `${red('expected')} 1\n${red('    at f (/w/a.js:3:4)')}`;
    const plain = { message: 'expected 1\n    at f (/w/a.js:3:4)', line: 3 };
    const assertionResults = [{ status: 'failed', title: red('x'), failureMessages: [stack] }];
    const jest = { numPassedTests: 0, numFailedTests: 1, testResults: [{ name: '/w/a.js', status: 'failed', assertionResults }] };
    const mocha = {
      stats: { passes: 0, failures: 1, pending: 0 },
      failures: [{ fullTitle: red('x'), err: { message: red('expected'), stack } }],
    };
    for (const value of [jest, mocha]) {
      const [failed] = parseReport({ text: JSON.stringify(value), isCut: false })?.failures ?? [];
      assert.deepEqual([failed?.name, failed?.message, failed?.places[0]?.line], ['x', plain.message, plain.line]);
    }
    const go = [
      { Time: '', Action: 'output', Package: 'm', Test: 'TestA', Output: `    ${red('a_test.go:7:')} no\n` },
      { Action: 'fail', Package: 'm', Test: 'TestA' },
      { Action: 'fail', Package: 'm' },
    ];
    const [failed] = parseReport({ text: go.map((event) => JSON.stringify(event)).join('\n'), isCut: false })?.failures ?? [];
    assert.deepEqual([failed?.message, failed?.places[0]?.line], ['a_test.go:7: no', 7]);
  });

  it('a line that is too long is cut before a secret that does not fit, so that none is half there', () => {
    const key = `-----BEGIN PRIVATE KEY----- ${'MIIEk3Y0'.repeat(9)} ${'MIIEk3Y1'.repeat(9)} -----END PRIVATE KEY-----`;
    for (const secret of [`ghp_${'a1B2'.repeat(9)}`, `password="${'pa55'.repeat(9)}"`, key]) {
      for (let inside = 1; inside < secret.length; inside += 3) {
        const line = `    ${'word '.repeat(reportLimits.lineLength / 5).slice(4 + inside)}${secret} and more`;
        const messages = [
          `TAP version 13\nnot ok 1 - x\n  ---\n${line}\n  ...\n1..1\n`,
          `  1 passing (1s)\n  1 failing\n\n  1) x:\n${line}\n`,
        ].map((text) => parseReport({ text, isCut: false })?.failures[0]?.message ?? assert.fail(text));
        assert.doesNotMatch(redactSecrets(messages.join('\n')), /ghp_|pa55|MIIE/, `${secret.slice(0, inside)}|`);
        assert.match(messages.join('\n'), /word/);
      }
    }
  });

  it('output of no known form has no results', () => {
    const texts = ['', 'hello\n', '{"a": 1}', '<html><body>testsuite</body></html>', 'Tests: many\n', '1..2\n', '\u0000\u0001\uFFFF'];
    assert.deepEqual(
      texts.map((text) => parseReport({ text, isCut: false })),
      texts.map(() => undefined),
    );
  });
});
