import assert from 'node:assert/strict';
import { filterLine, type FilterGround } from '../../../../src/testRuns/filter/filteredLine.ts';
import type { Selection } from '../../../../src/testRuns/filter/selections.ts';

function ground(changes: Partial<FilterGround> = {}, files: Readonly<Record<string, string>> = {}): FilterGround {
  return {
    shell: 'posix',
    scripts: new Map(),
    find: (path) => Promise.resolve(files[path] === undefined ? undefined : { relative: path, isFolder: false }),
    read: (path) => Promise.resolve(files[path]),
    nodeVersion: () => Promise.resolve(24),
    ...changes,
  };
}

/** The line that runs only these tests, or why there is none. */
async function filtered(line: string, selection: Selection, around = ground()): Promise<string> {
  const result = await filterLine(line, selection, around);
  return typeof result === 'string' ? `cannot: ${result}` : result.line;
}

const name = { name: 'cart > adds (a+b)' };
const file = { path: { relative: 'test/cart.test.js', isFolder: false } };
const folder = { path: { relative: 'test/unit', isFolder: true } };

async function expectLines(selection: Selection, lines: Readonly<Record<string, string>>, around = ground()): Promise<void> {
  for (const [line, expected] of Object.entries(lines)) {
    assert.equal(await filtered(line, selection, around), expected, line);
  }
}

describe('A line with the name of a test in it', () => {
  it('tells each test program the whole name in its own way', async () => {
    const pattern = String.raw`cart (?:> )?adds \(a\+b\)$`;
    await expectLines(name, {
      'node --test': `node --test '--test-name-pattern=^${pattern}'`,
      'node --import tsx --test "test/**/*.ts"': `node --import tsx --test '--test-name-pattern=^${pattern}' "test/**/*.ts"`,
      'tsx --test test/*.test.ts': `tsx --test '--test-name-pattern=^${pattern}' test/*.test.ts`,
      mocha: `mocha '--grep=^${pattern}'`,
      'npx mocha --exit': `npx mocha '--grep=^${pattern}' --exit`,
      'node node_modules/mocha/bin/mocha.js': `node node_modules/mocha/bin/mocha.js '--grep=^${pattern}'`,
      'NODE_ENV=test c8 --reporter=lcov mocha test': `NODE_ENV=test c8 --reporter=lcov mocha '--grep=^${pattern}' test`,
      'jest --ci': `jest '--testNamePattern=^${pattern}' --ci`,
      'node --experimental-vm-modules node_modules/jest/bin/jest.js': `node --experimental-vm-modules node_modules/jest/bin/jest.js '--testNamePattern=^${pattern}'`,
      'vitest run': `vitest run '--testNamePattern=^ ?${pattern}'`,
      'pnpm exec vitest': `pnpm exec vitest '--testNamePattern=^ ?${pattern}'`,
    });
  });

  it('has that name in the place of one that was there', async () => {
    await expectLines(
      { name: 'adds' },
      {
        'node --test --test-name-pattern=prices': "node --test '--test-name-pattern=^adds$'",
        'mocha -g prices --exit': "mocha '--grep=^adds$' --exit",
        'vitest -t prices': "vitest '--testNamePattern=^ ?adds$'",
        'go test -run TestPrice ./...': "go test '-run=^adds$' ./...",
      },
    );
  });

  it('has only the test’s own title for a Node that knows no more, and only the beginning of a name that was cut', async () => {
    for (const version of [20, undefined]) {
      const old = ground({ nodeVersion: () => Promise.resolve(version) });
      const line = await filtered('node --test', { name: 'cart > adds' }, old);
      assert.equal(line, "node --test '--test-name-pattern=^(?:cart (?:> )?)?adds$'");
    }
    assert.equal(await filtered('mocha', { name: 'cart > a very long…' }), "mocha '--grep=^cart (?:> )?a very long'");
  });

  it('has the test that a failed hook of Mocha belongs to', async () => {
    assert.equal(await filtered('mocha', { name: 'cart > "before each" hook for "adds"' }), "mocha '--grep=^cart (?:> )?adds$'");
  });

  it('has the names of Python’s tests, with the file where a report joins it by dots', async () => {
    await expectLines(
      { name: 'test_cart.CartTest.test_add' },
      {
        'python3 -m unittest': "python3 -m unittest -k '*test_cart.CartTest.test_add' -k '*test_cart.CartTest.test_add.*'",
        'python3 -m unittest discover -s tests':
          "python3 -m unittest discover -k '*test_cart.CartTest.test_add' -k '*test_cart.CartTest.test_add.*' -s tests",
        pytest: "pytest -k 'test_cart and CartTest and test_add'",
      },
    );
    for (const [said, pattern] of [
      ['test_cart.CartTest.test_each (i=1)', 'test_cart.CartTest.test_each'],
      ['setUpClass (test_cart.CartTest)', 'test_cart.CartTest'],
    ] as const) {
      assert.equal(await filtered('python3 -m unittest', { name: said }), `python3 -m unittest -k '*${pattern}' -k '*${pattern}.*'`);
    }
    const withFile = ground({}, { 'tests/test_cart.py': '' });
    await expectLines(
      { name: 'test_cart.CartTest.test_add' },
      {
        'python3 -m unittest discover -s tests -v':
          "python3 -m unittest discover -p test_cart.py -k '*test_cart.CartTest.test_add' -k '*test_cart.CartTest.test_add.*' -s tests -v",
      },
      withFile,
    );
    await expectLines(
      { name: 'tests.test_cart.TestCart > test_add[1.5]' },
      { 'uv run pytest -q tests': "uv run pytest -q 'tests/test_cart.py::TestCart::test_add[1.5]'" },
      withFile,
    );
    await expectLines(
      { name: 'tests.test_cart.TestCart > test_add[1.5] [of one] (i=1)' },
      { 'pytest -q': "pytest -q 'tests/test_cart.py::TestCart::test_add[1.5]'" },
      withFile,
    );
  });

  it('has the package and the parts of a name of Go', async () => {
    await expectLines(
      { name: 'example.com/till/cart > TestThreeForTwo/three_pieces' },
      { 'go test -count 1 ./...': "go test '-run=^TestThreeForTwo$/^three_pieces$' -count 1 example.com/till/cart" },
    );
    await expectLines({ name: 'example.com/till/printer' }, { 'go test ./...': 'go test example.com/till/printer' });
  });
});

describe('A line with the path of tests in it', () => {
  it('has it in the place of the files that were named', async () => {
    await expectLines(file, {
      'node --test': 'node --test test/cart.test.js',
      'node --test --test-reporter spec test/*.test.js': 'node --test --test-reporter spec test/cart.test.js',
      'node --import tsx --test "test/**/*.ts"': 'node --import tsx --test test/cart.test.js',
      'mocha --require ./setup.js "test/**/*.js"': 'mocha --require ./setup.js test/cart.test.js',
      'mocha --recursive test': 'mocha --recursive test/cart.test.js',
      'jest src': 'jest --runTestsByPath test/cart.test.js',
      'vitest run src': 'vitest run test/cart.test.js',
      'pytest -q tests': 'pytest -q test/cart.test.js',
      'python -m unittest -v tests.test_till': 'python -m unittest -v test/cart.test.js',
      'python -m unittest discover -s tests -p *_test.py': 'python -m unittest discover -s tests -p cart.test.js',
    });
    await expectLines(folder, {
      'mocha test': 'mocha --recursive test/unit',
      'jest --ci': 'jest --ci test/unit',
      'go test -v ./...': 'go test -v ./test/unit/...',
      'node --test': 'cannot: folder',
      'python -m unittest': 'cannot: folder',
    });
  });

  it('has only the test of that name in a file of Python, however much of where it is the name says', async () => {
    const test = (path: string, said: string): Selection => ({ path: { relative: path, isFolder: false }, name: said });
    const text = 'class TestCart:\n    def test_add(self):\n        pass\n\nasync def test_alone():\n    pass\n';
    const files = ground({}, { 'tests/test_cart.py': text });
    for (const [said, expected] of [
      ['TestCart::test_add[1.5]', "pytest -q 'tests/test_cart.py::TestCart::test_add[1.5]'"],
      ['tests.test_cart.TestCart > test_add', 'pytest -q tests/test_cart.py::TestCart::test_add'],
      ['test_cart.TestCart.test_add[a > b.c]', "pytest -q 'tests/test_cart.py::TestCart::test_add[a > b.c]'"],
      ['TestCart > test_add (i=1.5)', 'pytest -q tests/test_cart.py::TestCart::test_add'],
      ['TestCart', 'pytest -q tests/test_cart.py::TestCart'],
      ['test_alone', 'pytest -q tests/test_cart.py::test_alone'],
      ['test_add', 'pytest -k test_add -q tests/test_cart.py'],
      ['Other > test_add[1]', "pytest -k 'Other and test_add' -q tests/test_cart.py"],
    ] as const) {
      assert.equal(await filtered('pytest -q tests', test('tests/test_cart.py', said), files), expected, said);
    }
    const names = "-k '*test_cart.CartTest.test_add' -k '*test_cart.CartTest.test_add.*'";
    for (const said of ['test_cart.CartTest.test_add', 'test_cart.CartTest.test_add (i=1)', 'test_cart.CartTest > test_add']) {
      await expectLines(test('test_cart.py', said), {
        'python3 -m unittest': `python3 -m unittest ${names} test_cart.py`,
        'python3 -m unittest discover -s tests': `python3 -m unittest discover -s tests -p test_cart.py ${names}`,
      });
    }
  });

  it('is the tests of a file of Go by their names, in its package', async () => {
    const files = { 'cart/cart_test.go': 'package cart\n\nfunc TestAdd(t *testing.T) {\n}\n\nfunc TestSub(t *testing.T) {\n}\n' };
    const selection = { path: { relative: 'cart/cart_test.go', isFolder: false } };
    assert.equal(await filtered('go test ./...', selection, ground({}, files)), "go test '-run=^(?:TestAdd|TestSub)$' ./cart");
  });

  it('is none where it is not clear which words are files, or where settings name files, too', async () => {
    assert.equal(await filtered('mocha --unheard-of test/a.js', file), 'cannot: files');
    const settings = ground({}, { '.mocharc.json': '{"spec": ["test/*.js"]}' });
    assert.equal(await filtered('mocha', file, settings), 'cannot: files');
    assert.equal(await filtered('mocha', { name: 'adds' }, settings), "mocha '--grep=^adds$'");
  });

  it('is never an option', async () => {
    const hostile = { path: { relative: '--require=evil.js', isFolder: false } };
    for (const line of ['node --test', 'mocha', 'vitest', 'pytest', 'python3 -m unittest']) {
      assert.match(await filtered(line, hostile), / \.\/--require=evil\.js$/, line);
    }
  });
});

describe('A line that calls package scripts', () => {
  const scripts = new Map([
    ['test', 'npm run build && npm run unit -- --exit'],
    ['build', 'tsc'],
    ['unit', 'mocha'],
    ['preunit', 'node prepare.js'],
    ['loop', 'npm run loop'],
    ['piped', 'mocha | tee log.txt'],
    ['either', 'npm run both || echo no'],
    ['both', 'tsc && mocha'],
    ['ava', 'ava'],
  ]);

  it('has their own lines in the place of the calls, so that the filter goes through no package manager', async () => {
    await expectLines(
      { name: 'adds' },
      {
        'npm test': "tsc && npm run preunit && mocha '--grep=^adds$' --exit",
        'yarn run unit': "yarn run preunit && mocha '--grep=^adds$'",
      },
      ground({ scripts }),
    );
  });

  it('is left alone where its test program is not known', async () => {
    for (const line of [
      'make test',
      'npm run loop',
      'npm run piped',
      'npm run either',
      'npm run ava',
      'npm run missing',
      'tsc',
      'mocha $X',
    ]) {
      assert.equal(await filtered(line, { name: 'adds' }, ground({ scripts })), 'cannot: unknown', line);
    }
  });
});

describe('What a filter says', () => {
  const hostile = [
    '$(touch evil)',
    '`touch evil`',
    "'; touch evil; '",
    '" && touch evil "',
    '| touch evil',
    'a\ntouch evil',
    '--require=evil',
  ];

  it('is one word to a shell, whatever it is', async () => {
    for (const text of hostile) {
      const result = await filterLine('tsc && mocha test/*.js', { name: text }, ground());
      assert.ok(typeof result === 'object');
      assert.deepEqual(
        result.commands.map((words) => words.length),
        [1, 3],
      );
      const quoted = result.line.slice('tsc && mocha '.length, -' test/*.js'.length);
      assert.match(quoted, /^'--grep=(?:[^']|'\\'')*'$/s);
    }
  });

  it('has nothing in it on Windows that its shell could read', async () => {
    for (const text of [...hostile, '%PATH%', '^& calc']) {
      const line = await filtered('mocha', { name: text }, ground({ shell: 'windows' }));
      assert.match(line, /^mocha "?--grep=[\w .{},-]*"?$/, line);
    }
    const path = { relative: 'test/a & calc.js', isFolder: false };
    assert.equal(await filtered('mocha', { path }, ground({ shell: 'windows' })), 'cannot: unsafe');
    assert.equal(await filtered('mocha', { name: 'cart > adds' }, ground({ shell: 'windows' })), 'mocha "--grep=cart.{1,3}adds"');
  });
});
