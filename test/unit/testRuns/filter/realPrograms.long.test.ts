import assert from 'node:assert/strict';
import { hasMatchedNothing, type TestRun } from '../../../../src/testRuns/testRun.ts';
import { hasProgram, nodeVersion, RealWorkspace } from '../support/realWorkspace.ts';

const hasPython = hasProgram('python3', '--version');
const hasPytest = hasPython && hasProgram('python3', '-c', 'import pytest');
/** Before version 22, Node compares patterns only with a test's own title. */
const knowsSuites = nodeVersion >= 22;

/** What an agent does with a failure: its name, and then its path, given back as the filter. */
async function expectEachAlone(workspace: RealWorkspace, all: TestRun, names: readonly string[]): Promise<void> {
  assert.deepEqual(
    all.failures.map(({ name }) => name),
    names,
  );
  for (const { name } of all.failures) {
    const run = await workspace.run({ filter: name });
    assert.deepEqual([run.status, run.counts?.passed, run.failures.map((each) => each.name)], ['failed', 0, [name]], run.output);
  }
}

async function expectNothing(workspace: RealWorkspace, filter = 'there is no such test'): Promise<void> {
  const run = await workspace.run({ filter });
  assert.deepEqual([run.counts?.passed, run.counts?.failed, hasMatchedNothing(run)], [0, 0, true], run.output);
}

const suites = `
  describe('cart', () => {
    it('adds', () => { throw new Error('one'); });
    it('adds two', () => {});
    it('takes (a+b) for $5 > "q" and \\'r\\' #7', () => { throw new Error('two'); });
    describe('when empty', () => { it('costs nothing', () => { throw new Error('three'); }); });
  });
  describe('till', () => { it('opens', () => {}); });
`;
const titles = ['cart > adds', `cart > takes (a+b) for $5 > "q" and 'r' #7`, 'cart > when empty > costs nothing'];
const ofNode = `const { describe, it } = require('node:test');${suites}`;

describe('A failure that a test program reports', function () {
  this.timeout(120_000);
  let workspace: RealWorkspace | undefined;
  afterEach(() => workspace?.runner.dispose());

  for (const script of ['npm run unit', 'echo first && node --test --test-reporter=spec test/*.test.js']) {
    it(`is run alone by its name: ${script}`, async () => {
      const manifest = JSON.stringify({ scripts: { test: script, unit: 'node --test' } });
      const other = "require('node:test').test('other', () => {});";
      workspace = new RealWorkspace({ 'package.json': manifest, 'test/cart.test.js': ofNode, 'test/other.test.js': other });
      await expectEachAlone(workspace, await workspace.run(), titles);
      await expectNothing(workspace);
      const { counts } = await workspace.run({ filter: 'test/other.test.js' });
      assert.deepEqual(counts, { passed: 1, failed: 0, skipped: 0 });
    });
  }

  it('is told from one of the same title in another suite', async function () {
    if (!knowsSuites) {
      this.skip(); // this Node cannot do it
    }
    const twice =
      "describe('a', () => { it('same', () => { throw new Error(); }); }); describe('b', () => { it('same', () => { throw new Error(); }); });";
    workspace = new RealWorkspace({
      'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
      'test/twice.test.js': `const { describe, it } = require('node:test');${twice}`,
    });
    await expectEachAlone(workspace, await workspace.run(), ['a > same', 'b > same']);
  });

  it('is run alone by its name or its file: mocha, in a script that builds first', async () => {
    const hooked = "describe('hooked', () => { beforeEach(() => { throw new Error('no'); }); it('never runs', () => {}); });";
    const scripts = { pretest: 'echo ready', test: 'npm run build && mocha "spec/**/*.js"', build: 'echo built' };
    workspace = new RealWorkspace({ 'package.json': JSON.stringify({ scripts }), 'spec/cart.js': suites, 'spec/deep/hooked.js': hooked });
    workspace.addPackages();
    const all = await workspace.run();
    await expectEachAlone(workspace, all, [...titles, 'hooked > "before each" hook for "never runs"']);
    await expectNothing(workspace);
    const { counts, output, failures } = await workspace.run({ filter: 'spec/cart.js' });
    assert.deepEqual([counts, failures.map(({ name }) => name)], [{ passed: 2, failed: 3, skipped: 0 }, titles]);
    assert.match(output, /ready[^]*built/);
  });

  it('is run alone by its name or its file: unittest', async function () {
    if (!hasPython) {
      this.skip(); // there is no Python here
    }
    const file = 'tests/test_cart.py';
    workspace = new RealWorkspace({
      [file]: cartOfUnittest,
      'tests/test_other.py': otherOfUnittest,
      'tests/test_bad.py': 'import nothing',
    });
    const all = await workspace.run();
    assert.deepEqual([all.status, all.exitCode, all.counts], ['failed', 1, { passed: 2, failed: 5, skipped: 1 }], all.output);
    const names = [
      'test_bad',
      'setUpClass (test_cart.Broken)',
      'test_cart.CartTest.test_add',
      'test_cart.CartTest.test_each (i=1)',
      'test_other.Other.test_no',
    ];
    await expectEachAlone(workspace, all, names);
    await expectNothing(workspace, 'test_cart.CartTest.test_no');
    const one = await workspace.run({ filter: all.failures[2]?.path ?? '' });
    assert.deepEqual(
      one.failures.map(({ name, message, path, line }) => [name, message, path, line]),
      [
        [names[1], 'RuntimeError: no class', file, 17],
        [names[2], 'AssertionError: 1 != 2', file, 5],
        [names[3], 'AssertionError: 1 != 0', file, 10],
      ],
    );
  });

  it('is run alone by its name: pytest', async function () {
    if (!hasPytest) {
      this.skip(); // there is no pytest here
    }
    workspace = new RealWorkspace({ 'pytest.ini': '[pytest]\naddopts = -p no:cacheprovider\n', 'tests/test_cart.py': cartOfPytest });
    const file = 'tests/test_cart.py';
    // It starts slowly: one failure has to do, the one whose name is hardest to read.
    await expectEachAlone(workspace, await workspace.run({ filter: 'test_of' }), [`${file}::test_of[c - d]`]);
  });
});

const cartOfUnittest = `import unittest

class CartTest(unittest.TestCase):
    def test_add(self):
        self.assertEqual(1, 2)

    def test_each(self):
        for i in range(2):
            with self.subTest(i=i):
                self.assertEqual(i, 0)

    def test_add_two(self):
        pass

class Broken(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError("no class")
    def test_never(self): pass
`;

const otherOfUnittest = `import unittest

class Other(unittest.TestCase):
    def test_no(self):
        self.fail("no")

    def test_yes(self):
        pass

    @unittest.skip("later")
    def test_later(self):
        pass
`;

const cartOfPytest = `import pytest

class TestCart:
    def test_add(self):
        assert 1 == 2

    def test_add_two(self):
        pass

@pytest.mark.parametrize("value", ["a", "c - d"])
def test_of(value):
    assert value == "a"
`;
