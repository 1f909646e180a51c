import assert from 'node:assert/strict';
import { AppError } from '../../../../src/base/errors.ts';
import { isFreshStart, lineFor, StateChanges } from '../../../../src/host/reports/serverLog.ts';
import type { ServerState } from '../../../../src/host/shared/serverState.ts';
import { snapshotOf } from '../snapshots.ts';

const failed: ServerState = { kind: 'failed', error: new AppError('host.serverEnded', 'It ended.') };
const starting: ServerState = { kind: 'starting', attempt: 1 };
const stopped: ServerState = { kind: 'stopped', reason: 'byUser' };

describe('Changes of state', () => {
  it('are told once each, with a line for the log', () => {
    const changes = new StateChanges();
    const seen = (state: ServerState): string[] => changes.since([snapshotOf('a', state)]).map(({ server }) => lineFor(server.state));
    assert.deepEqual(seen(stopped), ['Stopped.']);
    assert.deepEqual(seen({ ...stopped }), []);
    assert.deepEqual(seen(starting), ['Starting (attempt 1).']);
    assert.deepEqual(seen({ ...failed, retryAt: 0 }), ['Failed: It ended. It is tried again at 1970-01-01T00:00:00.000Z.']);
    const ready: ServerState = { kind: 'ready', serverName: 's', version: '1', protocolVersion: '2025-11-25', capabilities: ['tools'] };
    assert.deepEqual(seen(ready), ['Running: s 1, MCP 2025-11-25; it offers tools.']);
  });

  it('are a fresh start when somebody starts a server, and not when it is only tried again', () => {
    const changes = new StateChanges();
    const fresh = (state: ServerState): boolean[] => changes.since([snapshotOf('a', state)]).map(isFreshStart);
    const again: ServerState = { kind: 'starting', attempt: 2 };
    assert.deepEqual([starting, { ...failed, retryAt: 0 }, again, failed, { ...again, attempt: 3 }].map(fresh), [
      [true],
      [false],
      [false],
      [false],
      [true],
    ]);
  });
});
