import assert from 'node:assert/strict';
import { openBarePage, type BarePage } from '../support/page/barePage.ts';
import { argumentForm } from '../unit/schemaForms/support.ts';
import { sharedBrowser } from '../support/page/browser.ts';

const form = argumentForm({ type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } }, required: ['from', 'to'] });
const tool = {
  key: { serverId: 'post', tool: 'send' },
  server: 'post',
  tool: 'send',
  description: '',
  claims: [],
  form,
  isKnown: true,
  arguments: '{"from": "there", "to": "here"}',
  state: 'ready',
};

interface Sent {
  readonly name: string;
  readonly body: { readonly requestId?: number; readonly arguments?: string };
}
type SentToHost = typeof globalThis & { readonly sentToHost?: readonly Sent[] };

describe('The page of Run Tool', function () {
  this.timeout(60_000);
  let bare: BarePage;

  before(async () => {
    bare = await openBarePage(await sharedBrowser(), 'runner');
    await bare.post('runner/tool', tool);
  });
  after(() => bare.close());

  const run = (): Promise<void> => bare.page.getByRole('button', { name: 'Run', exact: true }).click();
  const askedToRun = async (): Promise<unknown> =>
    (await bare.sent())
      .filter(({ name }) => name === 'runner/run')
      .map(({ body }): unknown => JSON.parse((body as { arguments: string }).arguments));

  it('runs what was typed last, although what was typed before it was refused', async () => {
    await bare.page.getByRole('textbox', { name: 'from', exact: true }).fill('nowhere');
    const asked = await bare.page.waitForFunction(() =>
      (globalThis as SentToHost).sentToHost?.find(({ name, body }) => name === 'runner/check' && body.arguments?.includes('nowhere')),
    );
    const { body } = (await asked.jsonValue()) as Sent;
    const refusal = { path: ['from'], keyword: 'journey', wanted: '', reason: 'not without a place to go to' };
    await bare.post('runner/checked', { requestId: body.requestId, refusals: [refusal], mayKeep: true });
    await bare.page.getByText('not without a place to go to').waitFor();
    await run();
    assert.deepEqual(await askedToRun(), [], 'what the schema refuses');
    await bare.page.getByRole('textbox', { name: 'to', exact: true }).fill('there');
    // Nobody has said anything of these arguments yet.
    await bare.page.getByText('not without a place to go to').waitFor();
    await run();
    assert.deepEqual(await askedToRun(), [{ from: 'nowhere', to: 'there' }]);
  });

  it('does not run for a click that was aimed at what stood there before another run was added (release)', async () => {
    const earlier = (id: string, args: string): object => ({ id, at: 1, arguments: args, ending: 'succeeded' });
    const runs = [earlier('a', '{"from": "a", "to": "a"}'), earlier('b', '{"from": "b", "to": "b"}')];
    const before = (await askedToRun()) as readonly unknown[];
    await bare.post('runner/run', { kind: 'none' });
    await bare.post('runner/kept', { runs: runs.slice(1), presets: [] });
    await bare.page.getByRole('button', { name: /^Earlier runs/ }).click();
    const again = bare.page.getByRole('button', { name: /Run again with/ });
    const armed = bare.page.getByRole('button', { name: /Run again with/, disabled: false });
    await armed.waitFor();
    await again.hover();
    await bare.post('runner/kept', { runs, presets: [] });
    await again.nth(1).waitFor();
    await bare.page.mouse.down();
    await bare.page.mouse.up();
    assert.deepEqual(await askedToRun(), before);
    await armed.nth(1).waitFor();
    await bare.page.mouse.down();
    await bare.page.mouse.up();
    assert.deepEqual(await askedToRun(), [...before, { from: 'a', to: 'a' }]);
  });
});
