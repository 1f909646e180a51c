import assert from 'node:assert/strict';
import type { ChatPart } from '../../../../../src/contract/chat/chatState.ts';
import { timelineOf } from '../../../../../src/webview/chat/messages/answerParts.tsx';

const call = (id: string, startedAtMs: number | undefined, elapsedMs: number | undefined): ChatPart => ({
  kind: 'toolCall',
  id,
  server: 's',
  tool: id,
  state: 'done',
  arguments: '{}',
  result: [],
  resultBytes: 0,
  ...(startedAtMs === undefined ? {} : { startedAtMs }),
  ...(elapsedMs === undefined ? {} : { elapsedMs }),
});

describe('The timeline of a turn', () => {
  it('places each call by when it began and how long it took', () => {
    const timeline = timelineOf([call('a', 1000, 100), call('b', 1050, 150), call('c', undefined, undefined)]);
    assert.deepEqual(
      [timeline?.totalMs, timeline?.bars.map(({ id, from, width }) => [id, from, width])],
      [
        200,
        [
          ['a', 0, 0.5],
          ['b', 0.25, 0.75],
        ],
      ],
    );
  });

  it('is not there for one call, and takes no time to be a part of nothing', () => {
    assert.equal(timelineOf([call('a', 1, 2)]), undefined);
    assert.deepEqual(
      timelineOf([call('a', 1, 0), call('b', 1, 0)])?.bars.map(({ from, width }) => [from, width]),
      [
        [0, 0],
        [0, 0],
      ],
    );
  });
});
