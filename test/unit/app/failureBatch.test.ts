import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../src/base/errors.ts';
import type { ServerSnapshot, ServerState } from '../../../src/host/serverState.ts';
import { FailureBatch } from '../../../src/app/failureBatch.ts';
import { lineFor, StateChanges } from '../../../src/app/stateChanges.ts';

const failed: ServerState = { kind: 'failed', error: new AppError('host.serverEnded', 'It ended.') };
const starting: ServerState = { kind: 'starting', attempt: 1 };
const stopped: ServerState = { kind: 'stopped', reason: 'byUser' };

const snapshot = (id: string, state: ServerState): ServerSnapshot => ({
  id,
  name: id,
  label: id,
  scope: 'user',
  location: '',
  state,
  tools: [],
  prompts: [],
  resources: [],
  templates: [],
  problems: [],
});

describe('Failing servers', () => {
  let told: string[][];
  let batch: FailureBatch;
  const show = (states: Record<string, ServerState>): void =>
    batch.update(Object.entries(states).map(([id, state]) => snapshot(id, state)));
  const untilTold = async (count: number): Promise<void> => {
    for (let tries = 0; told.length < count && tries < 500; tries += 1) {
      await sleep(5);
    }
  };

  beforeEach(() => {
    told = [];
    batch = new FailureBatch({ quietMs: 20, longestMs: 200, tell: (servers) => told.push(servers.map(({ id }) => id)) });
  });
  afterEach(() => batch.dispose());

  it('that fail together are told of once, those still starting waited for', async () => {
    show({ a: failed, b: starting, c: starting });
    show({ a: failed, b: failed, c: starting });
    await sleep(50);
    assert.deepEqual(told, []);
    show({ a: failed, b: failed, c: failed });
    await untilTold(1);
    assert.deepEqual(told, [['a', 'b', 'c']]);
  });

  it('do not wait for ever for one that never answers', async () => {
    show({ a: failed, b: starting });
    await untilTold(1);
    assert.deepEqual(told, [['a']]);
  });

  it('are told of again only after they ran or were stopped', async () => {
    show({ a: failed });
    await untilTold(1);
    show({ a: starting });
    show({ a: failed, b: failed });
    await untilTold(2);
    show({ a: stopped, b: failed });
    show({ a: failed, b: failed });
    await untilTold(3);
    assert.deepEqual(told, [['a'], ['b'], ['a']]);
  });

  it('that will be tried again, or are well again in time, are not told of', async () => {
    show({ a: { ...failed, retryAt: 1 }, b: failed, c: failed });
    show({ a: { ...failed, retryAt: 1 }, b: stopped, c: failed });
    await untilTold(1);
    assert.deepEqual(told, [['c']]);
  });
});

describe('Changes of state', () => {
  it('are told once each, with a line for the log', () => {
    const changes = new StateChanges();
    const seen = (state: ServerState): string[] => changes.since([snapshot('a', state)]).map(({ server }) => lineFor(server.state));
    assert.deepEqual(seen(stopped), ['Stopped.']);
    assert.deepEqual(seen({ ...stopped }), []);
    assert.deepEqual(seen(starting), ['Starting (attempt 1).']);
    assert.deepEqual(seen({ ...failed, retryAt: 0 }), ['Failed: It ended. It is tried again at 1970-01-01T00:00:00.000Z.']);
    const ready: ServerState = { kind: 'ready', serverName: 's', version: '1', protocolVersion: '2025-11-25', capabilities: ['tools'] };
    assert.deepEqual(seen(ready), ['Running: s 1, MCP 2025-11-25; it offers tools.']);
  });
});
