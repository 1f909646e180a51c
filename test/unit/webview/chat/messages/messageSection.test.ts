import assert from 'node:assert/strict';
import type { ChatItem } from '../../../../../src/contract/chat/chatState.ts';
import { firstWhole, inPieces } from '../../../../../src/webview/chat/messages/messageSection.tsx';

describe('The messages that are drawn whole with the page', () => {
  const messages = (count: number, length: number): ChatItem[] =>
    Array.from({ length: count }, (_, index) => ({ kind: 'user', id: `${index}`, text: 'x'.repeat(length) }));

  it('are all of a short conversation', () => {
    assert.deepEqual([firstWhole([]), firstWhole(messages(20, 50))], [0, 0]);
  });

  it('are as many of a long one as fill a window, and the last one however long it is', () => {
    assert.deepEqual(
      [messages(2_000, 50), messages(2_000, 1_000), messages(2_000, 100_000)].map((items) => 2_000 - firstWhole(items)),
      [26, 5, 1],
    );
  });
});

describe('Messages in pieces', () => {
  it('stand in their order, the last piece with what is left', () => {
    assert.deepEqual([inPieces([1, 2, 3, 4, 5], 2), inPieces([], 2)], [[[1, 2], [3, 4], [5]], []]);
  });
});
