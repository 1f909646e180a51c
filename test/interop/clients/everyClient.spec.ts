import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';
import { ensurePeer } from '../../support/peers/peers.mjs';
import { useSharedWorkbench } from '../../ui/harness/useWorkbench.ts';
import { allowEverything, type AttentivePerson } from '../../ui/pages/attentivePerson.ts';
import { readDiscovery } from '../../ui/pages/discovery.ts';
import { runClient, type ClientPlan, type ClientSteps } from './clientProcess.ts';

const installMs = 240_000;

/** Every line of the official SDKs by the newest revision it knows, and a WebSocket without any. */
describe('A client of any age, in a process of its own', () => {
  const workbench = useSharedWorkbench({ version: 'ceiling' });
  let window: DiscoveryFile;
  let person: AttentivePerson;
  let notes: string;
  let round = 0;

  before(async function () {
    this.timeout(installMs);
    await Promise.all([ensurePeer('sdk2024'), ensurePeer('sdkLines')]);
    await workbench().openView('Duplex');
    window = await readDiscovery(workbench().folders.home);
    notes = path.join(workbench().folders.workspace ?? '', 'notes.txt');
    await writeFile(notes, 'round 0\n');
    person = allowEverything(workbench());
  });
  after(() => person.stop());

  async function story(
    plan: Omit<ClientPlan, 'resource' | 'prompt' | 'token'>,
    script: Parameters<typeof runClient>[0] = 'storyClient',
  ): Promise<ClientSteps> {
    round += 1;
    const whole: ClientPlan = {
      ...plan,
      token: window.token,
      resource: pathToFileURL(notes).href,
      prompt: { name: 'fix_diagnostics', arguments: { path: 'src/receipt.ts' }, completes: 'path', value: 'src/re' },
    };
    return runClient(script, whole, () => writeFile(notes, `round ${round}\n`));
  }

  function assertWhole(steps: ClientSteps, revision: string): void {
    assert.equal(steps.connected.revision ?? revision, revision);
    assert.ok(steps.tools.includes('propose_edit'), steps.tools.join());
    assert.match(steps.call.content[0]?.text ?? '', /"name":"demo"|^0 demo: /);
    assert.equal(steps.updated, pathToFileURL(notes).href);
    assert.equal(steps.readAgain.contents[0]?.text, `round ${round}\n`);
    assert.match(JSON.stringify(steps.prompt.messages), /src\/receipt\.ts/);
    assert.deepEqual(steps.completion.completion.values, ['src/receipt.ts']);
  }

  it('of 2024-11-05, the first SDK there was, over HTTP+SSE', async () => {
    const modules = await ensurePeer('sdk2024');
    const plan = { sdk: 'first', transport: 'sse', url: window.urls.sse, name: 'sdk 1.0.4' } as const;
    const library = path.join(modules, 'sdk-first');
    assertWhole(await story({ ...plan, library, eventSource: path.join(modules, 'eventsource') }), '2024-11-05');
  });

  for (const [line, transport] of [
    ['2024-11-05', 'sse'],
    ['2025-03-26', 'http'],
    ['2025-06-18', 'http'],
    ['2025-06-18', 'sse'],
    ['2025-11-25', 'http'],
  ] as const) {
    it(`of ${line} over ${transport === 'sse' ? 'HTTP+SSE' : 'Streamable HTTP'}`, async () => {
      const library = path.join(await ensurePeer('sdkLines'), `sdk-${line}`);
      const url = transport === 'sse' ? window.urls.sse : window.urls.mcp;
      assertWhole(await story({ sdk: 'first', library, transport, url, name: `sdk of ${line} ${transport}` }), line);
    });
  }

  for (const revision of ['2025-11-25', '2026-07-28']) {
    it(`of the second SDK at ${revision}`, async () => {
      assertWhole(
        await story({ sdk: 'second', transport: 'http', url: window.urls.mcp, revision, name: `second sdk ${revision}` }),
        revision,
      );
    });
  }

  for (const revision of ['2024-11-05', '2025-11-25']) {
    it(`made of a WebSocket alone, at ${revision}`, async () => {
      const plan = { sdk: 'second', transport: 'http', url: window.urls.ws, revision, name: `web socket ${revision}` } as const;
      assertWhole(await story(plan, 'plainWebSocket'), revision);
    });
  }
});
