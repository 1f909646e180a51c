import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { largeShop, priceUsers, type ProjectFiles, pythonShop, typescriptShop } from '../../fixtures/agentProjects.ts';
import { createTemporaryFolder, removeTemporaryFolder } from '../../support/run/temporaryFolder.mjs';
import { useWorkbench } from '../harness/useWorkbench.ts';
import type { Workbench } from '../harness/workbench.ts';
import { DecidingPerson, ScriptedAgent } from '../pages/scriptedAgent.ts';

interface Diagnosis {
  readonly diagnostics: readonly { readonly path: string; readonly message: string; readonly severity: string }[];
  readonly settled: boolean;
  readonly total: number;
}

interface TestAnswer {
  readonly run: {
    readonly status: string;
    readonly counts: { readonly passed: number; readonly failed: number };
    readonly failures: readonly { readonly name: string; readonly message: string; readonly path?: string; readonly line?: number }[];
  };
}

interface Located {
  readonly path: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

const name = 'task agent';

function makeProject(files: ProjectFiles): string {
  const folder = createTemporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

/** An agent that is let into a window with the project, and the person in front of it. */
function useAgent(files: ProjectFiles): {
  readonly agent: () => ScriptedAgent;
  readonly person: DecidingPerson;
  readonly workbench: () => Workbench;
} {
  let project = '';
  const workbench = useWorkbench({
    version: 'ceiling',
    settings: { 'files.autoSave': 'off' },
    // Read when the window opens, so that nothing is made for tests that were not chosen.
    get workspace() {
      return (project ||= makeProject(files));
    },
  });
  after(() => (project === '' ? undefined : removeTemporaryFolder(project)));
  const person = new DecidingPerson(workbench);
  let agent: ScriptedAgent | undefined;
  before(async () => {
    await workbench().openView('Duplex');
    agent = await ScriptedAgent.connect(workbench(), name);
  });
  after(() => agent?.close());
  const connected = (): ScriptedAgent => {
    assert.ok(agent);
    return agent;
  };
  return { agent: connected, person, workbench };
}

/** The cost is printed for whoever compares; what it may be at most is held here. */
function holdCost(agent: ScriptedAgent, person: DecidingPerson, most: { calls: number; characters: number; decisions: number }): void {
  const { calls, characters, seconds } = agent.cost;
  const decisions = person.decisions.length;
  console.log(`      ${calls} calls, ${characters} characters, ${decisions} decisions, ${seconds} s`);
  assert.ok(calls <= most.calls && characters <= most.characters && decisions <= most.decisions);
}

describe('An agent with a TypeScript project', function () {
  this.timeout(300_000);
  const { agent, person } = useAgent(typescriptShop);

  it('finds the errors of all closed files in one call, and the failing test in another, mends and sees all clean', async () => {
    const look = { scope: 'project', severity: 'error', waitMs: 20_000 };
    const [found] = await Promise.all([agent().use<Diagnosis>('get_diagnostics', look), person.letIn(name)]);
    assert.deepEqual(
      [found.settled, [...new Set(found.diagnostics.map((each) => each.path))].sort()],
      [true, ['src/cart.ts', 'src/order.ts', 'src/stock.ts']],
    );
    const [{ run }] = await Promise.all([agent().use<TestAnswer>('run_tests'), person.allowRun(/npm test”/)]);
    assert.deepEqual([run.counts.failed, run.failures[0]?.name], [1, 'three are enough']);
    const sources = ['src/cart.ts', 'src/order.ts', 'lib/discount.js'];
    for (const source of sources) {
      await agent().use('read_file', { path: source });
    }
    const proposing = agent().use<{ files: readonly { outcome: string }[]; diagnostics: unknown[] }>('propose_edits', {
      files: [
        { path: 'src/cart.ts', edits: [{ oldText: ': string => items.length', newText: ': number => items.length' }] },
        { path: 'src/stock.ts', edits: [{ oldText: 'cuont', newText: 'count' }] },
        { path: 'lib/discount.js', edits: [{ oldText: 'count > 3', newText: 'count >= 3' }] },
      ],
      save: true,
    });
    const [{ files, diagnostics }] = await Promise.all([proposing, person.acceptAll(3)]);
    assert.deepEqual([files.map(({ outcome }) => outcome), diagnostics], [['accepted', 'accepted', 'accepted'], []]);
    const mended = await agent().use<Diagnosis>('get_diagnostics', look);
    assert.deepEqual([mended.settled, mended.total, mended.diagnostics], [true, 0, []]);
    const again = await agent().use<TestAnswer>('run_tests');
    assert.equal(again.run.counts.failed, 0);
    holdCost(agent(), person, { calls: 20, characters: 7_600, decisions: 3 });
  });
});

describe('An agent with a Python project', function () {
  this.timeout(300_000);
  const { agent, person } = useAgent(pythonShop);

  it('is told which test fails where, mends it, and runs that test alone by the name it was told', async function () {
    if (spawnSync('python3', ['--version']).status !== 0) {
      this.skip();
    }
    const [[{ run }]] = await Promise.all([
      Promise.all([agent().use<TestAnswer>('run_tests')]),
      person.letIn(name).then(() => person.allowRun(/python3? /)),
    ]);
    const [failure] = run.failures;
    assert.deepEqual([run.counts, failure?.path, failure?.line], [{ passed: 1, failed: 1, skipped: 0 }, 'tests/test_discount.py', 8]);
    await agent().use('read_file', { path: 'tests/test_discount.py' });
    await agent().use('read_file', { path: 'shop/discount.py' });
    const edits = { files: [{ path: 'shop/discount.py', edits: [{ oldText: 'count > 3', newText: 'count >= 3' }] }], save: true };
    await Promise.all([agent().use('propose_edits', edits), person.acceptAll(1)]);
    const [alone] = await Promise.all([
      agent().use<TestAnswer>('run_tests', { filter: failure?.name ?? '' }),
      person.allowRun(/python3? /),
    ]);
    assert.deepEqual(alone.run.counts, { passed: 1, failed: 0, skipped: 0 });
    const all = await agent().use<TestAnswer>('run_tests');
    assert.deepEqual(all.run.counts, { passed: 2, failed: 0, skipped: 0 });
    holdCost(agent(), person, { calls: 16, characters: 8_000, decisions: 6 });
  });
});

describe('An agent with a project of 2,000 files', function () {
  this.timeout(300_000);
  const { agent, person } = useAgent(largeShop);

  it('finds a function by its name, renames it in every file at once, and knows that nothing broke', async () => {
    const [{ symbols }] = await Promise.all([
      agent().use<{ symbols: readonly Located[] }>('search_symbols', { query: 'netPrice' }),
      person.letIn(name),
    ]);
    const place = symbols.find((symbol) => symbol.path === 'src/price.ts');
    assert.ok(place, JSON.stringify(symbols));
    const { locations } = await agent().use<{ locations: readonly Located[] }>('find_references', { path: place.path, symbol: 'netPrice' });
    const files = new Set(locations.map((each) => each.path));
    assert.deepEqual(files.size, priceUsers.length + 1, [...files].join(', '));
    const renaming = agent().use<{ outcome: string }>('rename_symbol', {
      path: place.path,
      symbol: 'netPrice',
      newName: 'priceWithoutTax',
      save: true,
    });
    const [{ outcome }] = await Promise.all([renaming, person.acceptAll(files.size)]);
    assert.equal(outcome, 'accepted');
    const after = await agent().use<Diagnosis>('get_diagnostics', { path: 'src', severity: 'error', waitMs: 20_000 });
    assert.deepEqual([after.settled, after.total], [true, 0]);
    holdCost(agent(), person, { calls: 13, characters: 25_000, decisions: 5 });
  });
});
