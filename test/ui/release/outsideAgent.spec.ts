import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { actingWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { readDiscovery } from '../pages/discovery.ts';
import { EditReview } from '../pages/editReview.ts';
import { allow } from '../pages/questions.ts';

interface Run {
  readonly status: string;
  readonly counts: { readonly passed: number; readonly failed: number };
  readonly failures: readonly { readonly name: string; readonly message: string; readonly path?: string; readonly line?: number }[];
}

const patient = { timeout: 90_000, onprogress: () => undefined, resetTimeoutOnProgress: true };

/** The whole story of an outside agent: it finds a failure, proposes a change, the person takes part of it, the tests pass. */
describe('An outside agent', () => {
  const workbench = useSharedWorkbench(actingWindow);
  let window: DiscoveryFile;
  let client: Client;

  before(async () => {
    await workbench().openView('Duplex');
    window = await readDiscovery(workbench().folders.home);
    client = new Client({ name: 'outside agent', version: '1.0.0' });
    const headers = { authorization: `Bearer ${window.token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(window.urls.mcp), { requestInit: { headers } }));
  });
  after(() => client.close());

  async function call<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
    const result = await client.callTool({ name, arguments: args }, patient);
    assert.notEqual(result.isError, true, JSON.stringify(result.content));
    return result.structuredContent as T;
  }

  it('runs the tests, proposes an edit, gets the part that the person accepts, and sees the tests pass', async function () {
    this.timeout(180_000);
    const firstRun = call<{ run: Run }>('run_tests');
    const connect = await permissionQuestion(workbench(), /^Permission:.*outside agent/);
    await connect.getByRole('radio', { name: 'Runner' }).check();
    await allow(connect, 'Allow for this session');
    const mayRun = await permissionQuestion(workbench(), /^Permission:.*(test|run)/i);
    await allow(mayRun, 'Allow for this session');
    const { run } = await firstRun;
    assert.deepEqual([run.status, run.counts.failed], ['failed', 1]);
    const [failure] = run.failures;
    assert.match(failure?.name ?? '', /gives every third piece for free/);
    assert.deepEqual([failure?.path, typeof failure?.line], ['test/cart.test.js', 'number']);

    const file = await call<{ text: string; version: number }>('read_file', { path: 'src/cart.js' });
    const fixed = file.text.replace('count > 3 ?', 'count >= 3 ?');
    // Two blocks: the repair, and a comment that the person will not want.
    const proposed = fixed.replace('export function totalOf', '// Changed by an agent.\nexport function totalOf');
    const proposal = call<{ outcome: string; text: string; diagnostics: unknown }>('propose_edit', {
      path: 'src/cart.js',
      newText: proposed,
      expectedVersion: file.version,
      description: 'Three pieces are enough for a free one.',
    });
    const review = new EditReview(workbench());
    await review.waitFor(/cart\.js \(proposed by outside agent/);
    await review.takeFirstBlockBack();
    await review.proposed.filter({ hasText: 'Changed by an agent' }).waitFor({ state: 'detached' });
    await review.accept.click();
    const outcome = await proposal;
    assert.equal(outcome.outcome, 'partlyAccepted');
    assert.equal(outcome.text, fixed);
    assert.ok(outcome.diagnostics);

    const saving = call('save_file', { path: 'src/cart.js' });
    const maySave = await permissionQuestion(workbench(), /^Permission:.*(save|cart\.js)/i);
    await allow(maySave, 'Allow once');
    await saving;
    // The identical command was allowed for this session: nothing is asked.
    const { run: secondRun } = await call<{ run: Run }>('run_tests');
    assert.deepEqual([secondRun.status, secondRun.counts.failed, secondRun.failures], ['passed', 0, []]);
  });
});
