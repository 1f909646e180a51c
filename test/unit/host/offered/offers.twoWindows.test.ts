import assert from 'node:assert/strict';
import { createGateway, type GatewayBench, offeredNames } from './gatewayBench.ts';

const neverAborted = new AbortController().signal;

describe('Two windows that offer each other', () => {
  let windows: readonly GatewayBench[];
  before(async () => {
    windows = await Promise.all([createGateway(), createGateway()]);
    await Promise.all(
      windows.map(async ({ host, offers }, index) => {
        const { served } = windows[1 - index] as GatewayBench;
        const headers = { Authorization: `Bearer ${served.otherToken()}` };
        await host.configure({
          scripted: host.registry.definitionOf(host.server('scripted').id)?.raw,
          other: { url: `http://127.0.0.1:${served.port}/mcp`, headers },
        });
        host.answer = ({ detail }) => (detail.kind === 'startServer' ? 'allow' : 'allowOnce');
        const { id } = host.server('other');
        // Both are offered before they run, as somebody would who edits settings.
        await offers.offer(id);
        const state = await host.registry.start(id, { ask: host.ask, signal: neverAborted });
        assert.equal(state.kind, 'ready', JSON.stringify(state));
        await offers.offer(id);
      }),
    );
  });
  after(() => Promise.all(windows.map((window) => window.close())));

  it('see each other, and offer clients nothing of each other', async () => {
    for (const window of windows) {
      const { host, offers, offered } = window;
      const other = host.server('other');
      assert.ok(
        other.tools.some(({ name }) => name === 'get_diagnostics'),
        'the other window is there for the chat',
      );
      assert.ok(!other.tools.some(({ name }) => name.includes('__')), 'without what it offers to others');
      assert.equal(offers.stateOf(other), undefined, 'and it cannot be offered');
      assert.ok(offered.content.resources().every(({ serverId }) => serverId !== other.id));
      assert.ok((await offeredNames(await window.client())).every((name) => name.startsWith('scripted__')));
    }
  });
});
