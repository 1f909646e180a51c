import assert from 'node:assert/strict';
import {
  allItems,
  markVersions,
  maxVersions,
  putAside,
  showVersion,
  type ConversationLine,
} from '../../../../src/chat/conversation/branches.ts';
import type { ChatItem } from '../../../../src/contract/chat/chatState.ts';
import type { Turn } from '../../../../src/chat/conversation/history.ts';

const empty: ConversationLine = { items: [], turns: [], sides: [] };

/** A message `id` and its answer, at the end. */
function say(line: ConversationLine, id: string): ConversationLine {
  const items: readonly ChatItem[] = [
    { kind: 'user', id, text: `says ${id}` },
    { kind: 'assistant', id: `${id}-answer`, state: 'done', parts: [] },
  ];
  const turn: Turn = {
    userItemId: id,
    assistantItemId: `${id}-answer`,
    messages: [{ role: 'user', content: [{ type: 'text', text: `says ${id}` }] }],
    safe: { messages: 1, parts: 0 },
    isWithheld: false,
    audience: [],
  };
  return markVersions({ ...line, items: [...line.items, ...items], turns: [...line.turns, turn] });
}

function sayInstead(line: ConversationLine, old: string, id: string): ConversationLine {
  return say(putAside(line, old, id), id);
}

/** The person's messages as they are shown: `b2(2/3)` is the second of three versions. */
function shown({ items, turns }: ConversationLine): string {
  assert.deepEqual(
    turns.map(({ userItemId }) => userItemId),
    items.filter(({ kind }) => kind === 'user').map(({ id }) => id),
    'the model is sent what is shown',
  );
  return items
    .flatMap((item) =>
      item.kind === 'user' ? [item.branch === undefined ? item.id : `${item.id}(${item.branch.index + 1}/${item.branch.count})`] : [],
    )
    .join(' ');
}

describe('branches', () => {
  it('puts what came of an edited message aside, and brings it back as it was', () => {
    const before = say(say(say(empty, 'a'), 'b'), 'c');
    const edited = sayInstead(before, 'b', 'b2');
    assert.equal(shown(edited), 'a b2(2/2)');
    const back = showVersion(edited, 'b2', 0);
    assert.equal(shown(back), 'a b(1/2) c');
    assert.deepEqual(showVersion(back, 'b', 1), edited);
  });

  it('counts a third version as the last, and walks in order whichever is shown', () => {
    const two = sayInstead(say(empty, 'a'), 'a', 'a2');
    const three = sayInstead(showVersion(two, 'a2', 0), 'a', 'a3');
    assert.equal(shown(three), 'a3(3/3)');
    assert.equal(shown(showVersion(three, 'a3', 1)), 'a2(2/3)');
    assert.equal(shown(showVersion(showVersion(three, 'a3', 1), 'a2', 0)), 'a(1/3)');
  });

  it('keeps versions inside of versions with the one they came of', () => {
    const inner = sayInstead(say(say(empty, 'a'), 'b'), 'b', 'b2');
    const outer = sayInstead(inner, 'a', 'a2');
    assert.equal(shown(outer), 'a2(2/2)');
    const back = showVersion(outer, 'a2', 0);
    assert.equal(shown(back), 'a(1/2) b2(2/2)');
    assert.equal(shown(showVersion(back, 'b2', 0)), 'a(1/2) b(1/2)');
    assert.deepEqual(
      allItems(outer)
        .map(({ id }) => id)
        .filter((id) => !id.endsWith('-answer'))
        .sort(),
      ['a', 'a2', 'b', 'b2'],
      'nothing is lost',
    );
  });

  it('stays as it is when there is no such message or version', () => {
    const line = sayInstead(say(empty, 'a'), 'a', 'a2');
    for (const [id, index] of [
      ['x', 0],
      ['a2', 1],
      ['a2', 2],
      ['a2-answer', 0],
      ['a', 0],
    ] as const) {
      assert.equal(showVersion(line, id, index), line);
    }
    assert.equal(putAside(line, 'x', 'new'), line);
  });

  it('lets the oldest version go when there are more than anybody walks through', () => {
    let line = say(empty, 'v0');
    for (let count = 1; count <= maxVersions; count += 1) {
      line = sayInstead(line, `v${count - 1}`, `v${count}`);
    }
    assert.equal(shown(line), `v${maxVersions}(${maxVersions}/${maxVersions})`);
    assert.equal(shown(showVersion(line, `v${maxVersions}`, 0)), `v1(1/${maxVersions})`);
  });
});
