import assert from 'node:assert/strict';
import { createTestHost, failureOf, isRunning, scriptedServer, textOf, untilGone, type TestHost } from '../unit/host/support.ts';

describe('Many servers', () => {
  let host: TestHost;
  beforeEach(async () => {
    host = await createTestHost();
  });
  afterEach(() => host.close());

  async function pidOf(label: string): Promise<number> {
    const told = textOf(await host.call('surroundings', {}, { serverId: host.server(label).id }));
    return (JSON.parse(told) as { readonly pid: number }).pid;
  }

  it('twenty start at once, each in a process of its own, and one that never answers delays none', async () => {
    const labels = Array.from({ length: 20 }, (_, index) => `server${index}`);
    const definition = (mode: string): object => ({ command: 'node', args: [scriptedServer, mode], timeout: 25_000 });
    await host.configure({
      silent: definition('silent'),
      ...Object.fromEntries(labels.map((label) => [label, definition('normal')])),
    });
    const silent = host.registry.start(host.server('silent').id, { ask: host.ask, signal: new AbortController().signal });
    const states = await Promise.all(
      labels.map((label) => host.registry.start(host.server(label).id, { ask: host.ask, signal: new AbortController().signal })),
    );
    assert.deepEqual(new Set(states.map((state) => state.kind)), new Set(['ready']));
    assert.equal(host.server('silent').state.kind, 'starting');

    const pids = await Promise.all(labels.map(pidOf));
    assert.equal(new Set(pids).size, 20);
    assert.deepEqual(new Set(await Promise.all(pids.map(isRunning))), new Set([true]));

    await host.registry.stopAll();
    assert.deepEqual(await untilGone(pids, 5_000), []);
    assert.equal((await silent).kind, 'stopped');
  });

  it('one that is killed fails its call within a second and comes back by itself, and the others notice nothing', async () => {
    const definition = { command: 'node', args: [scriptedServer, 'normal'] };
    await host.configure({ killed: definition, other: definition });
    for (const label of ['killed', 'other']) {
      await host.registry.start(host.server(label).id, { ask: host.ask, signal: new AbortController().signal });
    }
    const pid = await pidOf('killed');
    const askedBefore = host.asked.length;
    const call = host.call('hang', {}, { serverId: host.server('killed').id });
    await host.until(() => host.asked.length > askedBefore, 'the question about the call');
    const still = host.call('slow', { steps: 10, stepMs: 50 }, { serverId: host.server('other').id });

    const killedAt = performance.now();
    process.kill(pid, 'SIGKILL');
    assert.equal(failureOf(await call).code, 'host.serverEnded');
    assert.ok(performance.now() - killedAt < 15_000, `${performance.now() - killedAt} ms`);
    assert.equal(textOf(await still), 'counted');

    await host.until(() => host.server('killed').state.kind === 'ready', 'the killed server to come back');
    assert.notEqual(await pidOf('killed'), pid);
    assert.equal(host.asked.filter(({ detail }) => detail.kind === 'startServer').length, 2);
  });
});
