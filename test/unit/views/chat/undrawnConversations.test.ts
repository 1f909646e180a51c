import assert from 'node:assert/strict';
import { UndrawnConversations } from '../../../../src/views/chat/undrawnConversations.ts';

function memory(): { readonly kept: () => readonly string[]; readonly memory: ConstructorParameters<typeof UndrawnConversations>[0] } {
  let kept: readonly string[] = [];
  return { kept: () => kept, memory: { get: () => kept, set: (ids) => (kept = ids) } };
}

describe('A conversation that a page was given to draw', () => {
  it('is drawn whole as long as each page says that it has drawn it', () => {
    const { kept, memory: ids } = memory();
    const undrawn = new UndrawnConversations(ids);
    for (let times = 0; times < 3; times += 1) {
      assert.equal(undrawn.begin('a'), false);
      undrawn.forget('a');
    }
    assert.deepEqual(kept(), []);
  });

  it('is opened as plain text after a page that never said so, also in the next window, until it goes well', () => {
    const { memory: ids } = memory();
    assert.equal(new UndrawnConversations(ids).begin('a'), false);
    const next = new UndrawnConversations(ids);
    assert.deepEqual([next.begin('a'), next.begin('b'), next.begin('a')], [true, false, true]);
    next.forget('a');
    assert.equal(next.begin('a'), false);
  });

  it('is one of few that are remembered', () => {
    const { kept, memory: ids } = memory();
    const undrawn = new UndrawnConversations(ids);
    Array.from({ length: 200 }, (_, index) => undrawn.begin(`c${index}`));
    assert.equal(kept().length, 50);
  });
});
