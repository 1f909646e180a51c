import assert from 'node:assert/strict';
import { AppError } from '../../../../src/base/errors.ts';
import { runningServer, startedServer } from '../../../../src/host/tools/runTool.ts';
import type { ServerSnapshot, ServerState } from '../../../../src/host/shared/serverState.ts';
import { snapshotOf } from '../snapshots.ts';

const ready: ServerState = { kind: 'ready', serverName: 's', version: '1', protocolVersion: '2025-11-25', capabilities: [] };
const waiting: ServerState = { kind: 'stopped', reason: 'needsConsent' };
const failed: ServerState = { kind: 'failed', error: new AppError('host.serverEnded', 'It ended.') };

/** A registry whose server is in the second state after it was started. */
function registryOf(before: ServerState, after: ServerState): Parameters<typeof runningServer>[0] & { readonly started: string[] } {
  const started: string[] = [];
  return {
    started,
    requireTrust: () => undefined,
    servers: () => [snapshotOf('a', started.length === 0 ? before : after)],
    start: (id) => {
      started.push(id);
      return Promise.resolve(after);
    },
  };
}

const ask = (): Promise<never> => Promise.reject(new Error('nobody is asked here'));

describe('A server that a person wants to use', () => {
  it('is started whatever it was stopped for, and they learn why it does not run', async () => {
    const started = async (before: ServerState, after: ServerState): Promise<string> => {
      const registry = { ...registryOf(before, after), labelOf: () => 'the server' };
      return startedServer(registry, 'a', ask, new AbortController().signal).then(
        () => `${registry.started.length} starts`,
        (error: unknown) => (error as Error).message,
      );
    };
    const stopped: ServerState = { kind: 'stopped', reason: 'byUser' };
    assert.deepEqual(
      [await started(ready, ready), await started(stopped, ready), await started(stopped, waiting), await started(stopped, failed)],
      [
        '0 starts',
        '1 starts',
        'The server “the server” is not running. It was not allowed to start.',
        'The server “the server” is not running. It ended.',
      ],
    );
  });
});

describe('A server that is called by its name', () => {
  it('is taken as it is while it runs, and started when it only waits', async () => {
    for (const [before, starts] of [
      [ready, 0],
      [waiting, 1],
      [failed, 1],
    ] as const) {
      const registry = registryOf(before, ready);
      assert.equal((await runningServer(registry, 'a', ask)).id, 'a');
      assert.equal(registry.started.length, starts);
    }
  });

  it('is not started against the will of the person, who learns why it does not run', async () => {
    const message = (before: ServerState, after: ServerState): Promise<string> =>
      runningServer(registryOf(before, after), 'a', ask).then(
        () => 'it runs',
        (error: unknown) => (error as Error).message,
      );
    const stopped: ServerState = { kind: 'stopped', reason: 'byUser' };
    assert.deepEqual(
      [await message(stopped, ready), await message(waiting, waiting), await message(failed, failed)],
      [
        'The server “a” is not running.',
        'The server “a” is not running. It was not allowed to start.',
        'The server “a” is not running. It ended.',
      ],
    );
  });

  it('must be the only one of that name', async () => {
    const two: readonly ServerSnapshot[] = ['a (user)', 'a (workspace)'].map((label) => ({ ...snapshotOf(label, ready), name: 'a' }));
    const registry = { requireTrust: () => undefined, servers: () => two, start: () => Promise.resolve(ready) };
    await assert.rejects(runningServer(registry, 'a', ask), {
      message: 'There are several servers “a”; say which: a (user), a (workspace).',
    });
    await assert.rejects(runningServer(registry, 'b', ask), { message: 'There is no server “b”.' });
  });

  it('is not looked for before the workspace is trusted', async () => {
    const notTrusted = new AppError('host.notTrusted', 'Not yet.');
    const registry = {
      requireTrust: () => {
        throw notTrusted;
      },
      servers: () => assert.fail('nothing is looked up'),
      start: () => assert.fail('nothing starts'),
    };
    await assert.rejects(runningServer(registry, 'a', ask), notTrusted);
  });
});
