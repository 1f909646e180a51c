import assert from 'node:assert/strict';
import { AppError } from '../../../../src/base/errors.ts';
import type { ServerState } from '../../../../src/host/shared/serverState.ts';
import { summarizeStatus, type StatusFacts } from '../../../../src/views/questions/statusSummary.ts';
import { snapshotOf } from '../../host/snapshots.ts';

const failed: ServerState = { kind: 'failed', error: new AppError('host.serverEnded', 'It ended.') };
const signedOut: ServerState = { kind: 'failed', error: new AppError('host.unauthorized', 'Who are you?') };
const waiting: ServerState = { kind: 'stopped', reason: 'needsConsent' };
const urls = { mcp: '', sse: '', ws: '' };
const listening = { kind: 'listening', port: 4100, takenPort: undefined, urls, discovery: { kind: 'published', path: '' } } as const;
const all = [snapshotOf('a', signedOut), snapshotOf('b', waiting), snapshotOf('c', failed)];
const quiet: StatusFacts = { servers: [], questions: { count: 0, firstSurface: undefined }, embedded: listening, clients: 2 };

describe('The status bar', () => {
  it('says the most urgent thing', () => {
    const seen = (facts: Partial<StatusFacts>): unknown => summarizeStatus({ ...quiet, ...facts });
    assert.deepEqual(
      [
        seen({ servers: all, questions: { count: 3, firstSurface: 'review' } }),
        seen({ servers: all, questions: { count: 2, firstSurface: 'chat' } }),
        seen({ servers: all }),
        seen({ servers: all.slice(0, 2) }),
        seen({ servers: all.slice(0, 1) }),
        seen({}),
        seen({ embedded: { kind: 'stopped' } }),
      ],
      [
        { kind: 'questions', count: 3, areInChat: false },
        { kind: 'questions', count: 2, areInChat: true },
        { kind: 'failed', names: ['c'] },
        { kind: 'needsPermission', count: 1 },
        { kind: 'needsSignIn', names: ['a'] },
        { kind: 'listening', port: 4100, clients: 2 },
        { kind: 'off' },
      ],
    );
  });
});
