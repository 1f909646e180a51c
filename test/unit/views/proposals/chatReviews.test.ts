import assert from 'node:assert/strict';
import type { OwnCall } from '../../../../src/consent/ownCalls.ts';
import type { EditReview } from '../../../../src/contract/chat/editReview.ts';
import type { ProposedFile } from '../../../../src/editor/acting/actingViews.ts';
import { ChatReviews } from '../../../../src/views/proposals/chatReviews.ts';
import type { ProposalQuestion } from '../../../../src/views/proposals/proposalQuestions.ts';

const file = (path: string, before: string, after: string): ProposedFile => ({
  kind: 'change',
  uri: {} as ProposedFile['uri'],
  path,
  isText: true,
  before,
  after,
});

function question(files: readonly ProposedFile[], more: Partial<ProposalQuestion> = {}): ProposalQuestion {
  const author = { credentialId: 'chat', name: 'Claude in the chat', ownCallId: 'call' };
  const none = { isArmed: false, seen: new Set<number>(), seenToEnd: new Set<number>(), answers: new Map() };
  return { id: 'one', change: { author, asksToSave: false, files }, ...none, ...more };
}

describe('A change that the chat proposed', () => {
  let told: (EditReview | undefined)[];
  let reviews: ChatReviews;
  beforeEach(() => {
    told = [];
    const call: OwnCall = {
      principal: 'chat',
      asker: { kind: 'guide' },
      ask: () => Promise.reject(new Error('nothing is asked')),
      onReview: (review) => told.push(review),
    };
    reviews = new ChatReviews({ find: (id) => (id === 'call' ? call : undefined) });
  });

  it('is told to its call with files, counts and diffs, and at last that it no longer waits', () => {
    const long = Array.from({ length: 300 }, (_, index) => `${index}\n`).join('');
    const files = [file('a.ts', 'one\n', 'two\nthree\n'), file('b.ts', '', long)];
    reviews.tell([question(files)]);
    const seen = new Set([0, 1]);
    reviews.tell([question(files, { seen, seenToEnd: seen, answers: new Map([[0, { kind: 'rejected' }]]) })]);
    reviews.tell([]);
    const [first, second, third] = told;
    assert.deepEqual(
      first?.files.map(({ path, added, removed, diff, isTooLong }) => [path, added, removed, diff?.length, isTooLong]),
      [
        ['a.ts', 2, 1, 3, undefined],
        ['b.ts', 300, 0, undefined, true],
      ],
    );
    assert.deepEqual([first.isSeenInEditor, second?.isSeenInEditor, second?.files[0]?.answer], [false, true, 'rejected']);
    assert.deepEqual([told.length, third], [3, undefined]);
  });

  it('counts as read on the card only where the card shows it, and as it still is', () => {
    const asked = question([file('a.ts', '', 'a\n'), file('b.ts', '', 'x'.repeat(50_000))]);
    assert.equal(reviews.isShown(asked, 0, 'a\n'), false, 'nothing was told');
    reviews.tell([asked]);
    assert.deepEqual(
      [reviews.isShown(asked, 0, 'a\n'), reviews.isShown(asked, 0, 'b\n'), reviews.isShown(asked, 1, 'x'.repeat(50_000))],
      [true, false, false],
    );
  });

  it('of somebody else is told to nobody', () => {
    const asked = question([file('a.ts', '', 'a\n')]);
    reviews.tell([{ ...asked, change: { ...asked.change, author: { credentialId: 'x', name: 'agent' } } }]);
    assert.deepEqual(told, []);
  });
});
