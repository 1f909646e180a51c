import assert from 'node:assert/strict';
import { OwnCalls, type OwnCall } from '../../../src/consent/ownCalls.ts';
import type { MadeEdit } from '../../../src/contract/chat/answerParts.ts';

const edit: MadeEdit = { path: 'a', before: '1', after: '2', isText: true };

describe('Calls of Duplex’s own surfaces', () => {
  function begin(calls: OwnCalls, told: (readonly MadeEdit[])[]): ReturnType<OwnCalls['begin']> {
    const call: OwnCall = {
      principal: 'chat',
      asker: { kind: 'guide' },
      ask: () => Promise.reject(new Error('no')),
      onEdits: (edits) => told.push(edits),
    };
    return calls.begin(call);
  }

  it('are told what they changed, also after their end, and no other call is', () => {
    const calls = new OwnCalls();
    const [one, other]: [(readonly MadeEdit[])[], (readonly MadeEdit[])[]] = [[], []];
    const first = begin(calls, one);
    const second = begin(calls, other);
    calls.tellEdits(first.id, [edit]);
    first.dispose();
    assert.equal(calls.find(first.id), undefined, 'it is over');
    calls.tellEdits(first.id, [edit]);
    calls.tellEdits(undefined, [edit]);
    calls.tellEdits('never was', [edit]);
    second.dispose();
    assert.deepEqual([one, other], [[[edit], [edit]], []]);
  });

  it('are forgotten when many others have ended since', () => {
    const calls = new OwnCalls();
    const told: (readonly MadeEdit[])[] = [];
    const first = begin(calls, told);
    first.dispose();
    for (let count = 0; count < 100; count += 1) {
      begin(calls, []).dispose();
    }
    calls.tellEdits(first.id, [edit]);
    assert.deepEqual(told, []);
  });
});
