import assert from 'node:assert/strict';
import { pythonTests } from '../../../src/testRuns/pythonTests.ts';
import type { TestSources } from '../../../src/testRuns/testGround.ts';
import { sourcesOf } from './support/fakeSources.ts';

async function commandFor(files: Readonly<Record<string, string>>, changes: Partial<TestSources> = {}): Promise<string | undefined> {
  const absolute = Object.fromEntries(Object.entries(files).map(([name, text]) => [`/shop/${name}`, text]));
  return (await pythonTests('/shop', sourcesOf(absolute, changes)))?.join(' ');
}

const ofUnittest = 'import unittest\n\nclass CartTest(unittest.TestCase):\n    pass\n';

describe('A Python project', () => {
  it('is one of pytest when a file says so', async () => {
    const signs = [
      { 'pyproject.toml': '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n' },
      { 'pytest.ini': '[pytest]\n' },
      { 'setup.cfg': '[metadata]\nname = shop\n[tool:pytest]\n' },
      { 'tox.ini': '[tox]\n[pytest]\n' },
      { 'tests/conftest.py': '' },
      { 'tests/test_cart.py': 'import pytest\n' },
      { 'tests/test_cart.py': 'def test_add():\n    assert True\n' },
      { 'pytest.ini': '', 'test_cart.py': ofUnittest },
    ];
    for (const files of signs) {
      assert.equal(await commandFor(files), 'python3 -m pytest', JSON.stringify(files));
    }
  });

  it('is one of unittest when its tests are, found from where they lie', async () => {
    assert.equal(await commandFor({ 'test_cart.py': ofUnittest }), 'python3 -m unittest');
    assert.equal(await commandFor({ 'tests/test_cart.py': ofUnittest, 'tests/__init__.py': '' }), 'python3 -m unittest');
    assert.equal(await commandFor({ 'tests/test_cart.py': ofUnittest }), 'python3 -m unittest discover -s tests');
    assert.equal(await commandFor({ 'test/test_cart.py': ofUnittest }), 'python3 -m unittest discover -s test');
  });

  it('is none without tests, whatever else speaks of Python', async () => {
    for (const files of [
      {},
      { 'pyproject.toml': '[project]\nname = "tool.pytest"\n' },
      { 'setup.cfg': '[metadata]\n' },
      { 'cart.py': '' },
    ]) {
      assert.equal(await commandFor(files), undefined);
    }
  });

  it('runs with the Python of its own environment, else with the one that is there', async () => {
    const files = { 'test_cart.py': ofUnittest };
    assert.equal(await commandFor({ ...files, '.venv/bin/python': '' }), '.venv/bin/python -m unittest');
    assert.equal(
      await commandFor({ ...files, '.venv/Scripts/python.exe': '' }, { shell: 'windows' }),
      '.venv/Scripts/python.exe -m unittest',
    );
    const only = (...there: readonly string[]): Partial<TestSources> => ({
      findProgram: (names) => Promise.resolve(names.find((name) => there.includes(name))),
    });
    assert.equal(await commandFor(files, only('python')), 'python -m unittest');
    assert.equal(await commandFor(files, only('python', 'python3')), 'python3 -m unittest');
    assert.equal(await commandFor(files, only()), 'python3 -m unittest');
  });
});
