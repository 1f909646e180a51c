import assert from 'node:assert/strict';
import { actingWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { DecidingPerson, ScriptedAgent } from '../pages/scriptedAgent.ts';

interface Diagnosis {
  readonly diagnostics: readonly { readonly path: string; readonly message: string }[];
  readonly settled: boolean;
}

interface Run {
  readonly status: string;
  readonly counts: { readonly passed: number; readonly failed: number };
  readonly failures: readonly { readonly message: string; readonly path?: string }[];
}

interface TestAnswer {
  readonly run: Run;
  readonly unsaved: readonly string[];
}

/** The demo's two faults, from the first look to green tests, and what it costs the person. */
describe('The story of an agent', () => {
  const workbench = useSharedWorkbench(actingWindow);
  const person = new DecidingPerson(workbench);
  let agent: ScriptedAgent;

  before(async () => {
    await workbench().openView('Duplex');
    agent = await ScriptedAgent.connect(workbench(), 'story agent');
  });
  after(() => agent.close());

  it('finds both faults in closed files, repairs them together and sees the tests pass, for three decisions of the person', async function () {
    this.timeout(300_000);
    const [{ files }] = await Promise.all([
      agent.use<{ files: string[] }>('find_files', { pattern: 'src/**' }),
      person.letIn('story agent'),
    ]);
    assert.deepEqual(files, ['src/cart.js', 'src/prices.js', 'src/receipt.ts']);

    const diagnosis = await agent.use<Diagnosis>('get_diagnostics', { path: 'src/receipt.ts', waitMs: 20_000 });
    assert.deepEqual([diagnosis.settled, diagnosis.diagnostics.length], [true, 1]);
    assert.match(diagnosis.diagnostics[0]?.message ?? '', /'number' is not assignable to type 'string'/);

    const [{ run }] = await Promise.all([agent.use<TestAnswer>('run_tests'), person.allowRun(/npm test”/)]);
    assert.deepEqual([run.status, run.counts.failed, run.failures[0]?.path], ['failed', 1, 'test/cart.test.js']);

    const { text: cart } = await agent.use<{ text: string }>('read_file', { path: 'src/cart.js' });
    const { text: receipt } = await agent.use<{ text: string }>('read_file', { path: 'src/receipt.ts' });
    assert.ok(cart.includes('count > 3 ?') && receipt.includes('total: totalOf(cart)'));
    const proposing = agent.use<{ files: readonly { path: string; outcome: string }[] }>('propose_edits', {
      files: [
        { path: 'src/cart.js', edits: [{ oldText: 'count > 3 ?', newText: 'count >= 3 ?' }] },
        { path: 'src/receipt.ts', edits: [{ oldText: 'total: totalOf(cart)', newText: 'total: formatPrice(totalOf(cart))' }] },
      ],
      description: 'Three pieces are enough for a free one, and the receipt writes prices as text.',
      save: true,
    });
    const [reviewed] = await Promise.all([proposing, person.acceptAll(2)]);
    assert.deepEqual(
      reviewed.files.map(({ path, outcome }) => [path, outcome]),
      [
        ['src/cart.js', 'accepted'],
        ['src/receipt.ts', 'accepted'],
      ],
    );

    const repaired = await agent.use<Diagnosis>('get_diagnostics', { path: 'src/receipt.ts', waitMs: 20_000 });
    assert.deepEqual([repaired.settled, repaired.diagnostics], [true, []]);
    // Nobody answers here: a question would keep the call from ending.
    const second = await agent.use<TestAnswer>('run_tests');
    assert.deepEqual([second.run.status, second.run.counts.failed, second.unsaved], ['passed', 0, []]);
    assert.deepEqual(person.decisions, ['connect as Runner', 'run for this session', 'accept all and save']);
  });
});
