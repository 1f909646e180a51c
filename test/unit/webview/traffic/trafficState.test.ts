import assert from 'node:assert/strict';
import type { TrafficRow } from '../../../../src/contract/pages/trafficMessages.ts';
import {
  durationShare,
  emptyText,
  methodsOf,
  nextTraffic,
  noTraffic,
  peersOf,
  readSearch,
  shownRows,
  statusText,
  type TrafficState,
} from '../../../../src/webview/traffic/trafficState.ts';

const row = (number: number, more: Partial<TrafficRow> = {}): TrafficRow => ({
  number,
  time: 0,
  side: 'server',
  peerId: 's',
  peer: 'files',
  direction: 'sent',
  kind: 'request',
  method: 'tools/call',
  subject: '',
  size: 1,
  isSizeLeast: false,
  isCut: false,
  state: 'answered',
  ...more,
});
const everything = { peerId: '', method: '', isOnlyErrors: false };
const withRows = (state: TrafficState, rows: TrafficRow[], first = 1, matching: number[] = []): TrafficState =>
  nextTraffic(state, { name: 'traffic/rows', body: { first, dropped: 0, rows, matching } });
const numbers = (state: TrafficState, filter = everything): unknown => shownRows(state, filter).map(({ number }) => number);

describe('The traffic as the page knows it', () => {
  it('takes new rows and changed ones, in their order, and drops those that are gone', () => {
    let state = withRows(noTraffic, [row(1), row(2, { state: 'waiting' })]);
    state = withRows(state, [row(3), row(2)], 2);
    assert.deepEqual(
      shownRows(state, everything).map(({ number, state: each }) => [number, each]),
      [
        [2, 'answered'],
        [3, 'answered'],
      ],
    );
  });

  it('leaves what the peer, the method, the failure and the text say', () => {
    const rows = [row(1), row(2, { peerId: 'c' }), row(3, { method: 'ping' }), row(4, { state: 'failed' })];
    let state = withRows(noTraffic, rows);
    assert.deepEqual(numbers(state, { ...everything, peerId: 's' }), [1, 3, 4]);
    assert.deepEqual(numbers(state, { ...everything, method: 'ping' }), [3]);
    assert.deepEqual(numbers(state, { ...everything, isOnlyErrors: true }), [4]);
    state = nextTraffic(state, { name: 'traffic/found', body: { text: 'x', numbers: [1, 4] } });
    state = withRows(state, [row(5), row(6)], 1, [6]);
    assert.deepEqual(numbers(state), [1, 4, 6]);
  });

  it('forgets what was found in rows that are gone', () => {
    const searched = nextTraffic(withRows(noTraffic, [row(1), row(2)]), { name: 'traffic/found', body: { text: 'x', numbers: [1, 2] } });
    const { found } = withRows(searched, [row(3), row(4)], 2, [3]);
    assert.deepEqual([...found.numbers], [2, 3]);
  });

  it('forgets the selected exchange when it is gone', () => {
    const detail = { number: 1, message: '{}', isCut: false, hasSecrets: false };
    const state = nextTraffic(withRows(noTraffic, [row(1), row(2)]), { name: 'traffic/detail', body: detail });
    assert.deepEqual([state.detail?.number, withRows(state, [], 2).detail], [1, undefined]);
  });

  it('knows who and what there is to choose from', () => {
    const { rows } = withRows(noTraffic, [row(1, { peer: '' }), row(2), row(3, { method: 'ping' }), row(4, { method: '' })]);
    assert.deepEqual(
      [[...peersOf(rows, { peerId: '', peerName: '' })], methodsOf(rows, 'gone')],
      [[['s', { peer: 'files', side: 'server' }]], ['gone', 'ping', 'tools/call']],
    );
  });

  it('can still be chosen from when nothing of the chosen one is left', () => {
    const { rows } = withRows(noTraffic, [row(1)]);
    const gone = { peerId: 'gone', peerName: 'notes' };
    assert.deepEqual(
      [...peersOf(rows, gone)],
      [
        ['gone', { peer: 'notes', side: 'server' }],
        ['s', { peer: 'files', side: 'server' }],
      ],
    );
    assert.deepEqual([...peersOf(rows, { peerId: 's', peerName: 'old' })], [['s', { peer: 'files', side: 'server' }]]);
  });

  it('has bars on which quick answers can still be told from each other beside a slow one', () => {
    assert.deepEqual([durationShare(0, 60_000), durationShare(60_000, 60_000), durationShare(5, 0)], [0, 1, 0]);
    assert.ok(durationShare(20, 60_000) > 2 * durationShare(2, 60_000));
  });

  it('remembers what was looked for, and takes nothing else for it', () => {
    const search = { text: 'x', peerId: 's', peerName: 'files', method: 'ping', isOnlyErrors: true };
    assert.deepEqual(readSearch(JSON.parse(JSON.stringify(search))), search);
    assert.deepEqual(readSearch({ text: 5, isOnlyErrors: 'yes', other: 1 }), readSearch(undefined));
    assert.deepEqual(readSearch(undefined), { text: '', peerId: '', peerName: '', method: '', isOnlyErrors: false });
  });
});

describe('What the traffic says of itself', () => {
  const status = { isPaused: false, isKept: false, since: 1, hasGaps: false };
  const say = (more: Partial<typeof status>): string => statusText({ ...noTraffic, status: { ...status, ...more } }, 0);

  it('is since when it was recorded, and that there were gaps', () => {
    assert.match(say({}), /^0 messages since [^·]*$/);
    assert.match(say({ hasGaps: true }), / since .* · not while hidden or paused$/);
  });

  it('is no time while nothing was recorded', () => {
    assert.equal(say({ isPaused: true, since: 0 }), 'Paused · 0 messages');
  });

  it('is why there is nothing yet', () => {
    assert.equal(emptyText({ isPaused: true, since: 0 }), 'Recording is paused.');
    assert.match(emptyText({ isPaused: false, since: 1 }), /^Recording since .*\.$/);
  });
});
