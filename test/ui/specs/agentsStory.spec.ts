import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { actingWindow } from '../harness/sharedWindows.ts';
import { useSharedWorkbench } from '../harness/useWorkbench.ts';
import { permissionQuestion } from '../pages/consentPanel.ts';
import { readDiscovery } from '../pages/discovery.ts';
import { EditReview } from '../pages/editReview.ts';
import { allow } from '../pages/questions.ts';

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

const patient = { timeout: 120_000, onprogress: () => undefined, resetTimeoutOnProgress: true };

/** Knows what it wants to say, and of the editor only what `tools/list` told it. */
class ScriptedAgent {
  readonly #client: Client;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #validator = new AjvJsonSchemaValidator();

  private constructor(client: Client, tools: readonly Tool[]) {
    this.#client = client;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  static async meet(client: Client): Promise<ScriptedAgent> {
    return new ScriptedAgent(client, (await client.listTools()).tools);
  }

  /** The facts are what the tool's own schema takes, or the agent could not have known. */
  async use<T>(name: string, facts: Readonly<Record<string, unknown>> = {}): Promise<T> {
    const tool = this.#tools.get(name);
    assert.ok(tool, `tools/list names no ${name}`);
    const { valid, errorMessage } = this.#validator.getValidator(tool.inputSchema as object)(facts);
    assert.ok(valid, `${name} takes no ${JSON.stringify(facts)}: ${errorMessage}`);
    const result = await this.#client.callTool({ name, arguments: { ...facts } }, patient);
    assert.notEqual(result.isError, true, JSON.stringify(result.content));
    return result.structuredContent as T;
  }
}

/** The demo's two faults, from the first look to green tests, and what it costs the person. */
describe('The story of an agent', () => {
  const workbench = useSharedWorkbench(actingWindow);
  let client: Client;
  /** Every answer that the person gave: nobody else answers. */
  const decisions: string[] = [];

  before(async () => {
    await workbench().openView('Duplex');
    const { token, urls } = await readDiscovery(workbench().folders.home);
    client = new Client({ name: 'story agent', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(urls.mcp), { requestInit }));
  });
  after(() => client.close());

  async function allowConnecting(): Promise<void> {
    const question = await permissionQuestion(workbench(), /^Permission:.*story agent.*see this editor/);
    await question.getByRole('radio', { name: 'Runner' }).check();
    await allow(question, 'Allow for this session');
    decisions.push('connect as Runner');
  }

  async function allowTests(): Promise<void> {
    const question = await permissionQuestion(workbench(), /^Permission:.*run “npm test”/);
    await allow(question, 'Allow for this session');
    decisions.push('run the tests for this session');
  }

  async function acceptAll(): Promise<void> {
    const review = new EditReview(workbench());
    const button = review.button('Accept all and save').first();
    await button.waitFor({ timeout: 60_000 });
    await review.acceptAll(button, 2);
    decisions.push('accept all and save');
  }

  it('finds both faults in closed files, repairs them together and sees the tests pass, for three decisions of the person', async function () {
    this.timeout(300_000);
    const agent = await ScriptedAgent.meet(client);
    const [{ files }] = await Promise.all([agent.use<{ files: string[] }>('find_files', { pattern: 'src/**' }), allowConnecting()]);
    assert.deepEqual(files, ['src/cart.js', 'src/prices.js', 'src/receipt.ts']);

    const diagnosis = await agent.use<Diagnosis>('get_diagnostics', { path: 'src/receipt.ts', waitMs: 20_000 });
    assert.deepEqual([diagnosis.settled, diagnosis.diagnostics.length], [true, 1]);
    assert.match(diagnosis.diagnostics[0]?.message ?? '', /'number' is not assignable to type 'string'/);

    const [{ run }] = await Promise.all([agent.use<TestAnswer>('run_tests'), allowTests()]);
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
    const [reviewed] = await Promise.all([proposing, acceptAll()]);
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
    assert.deepEqual(decisions, ['connect as Runner', 'run the tests for this session', 'accept all and save']);
  });
});
