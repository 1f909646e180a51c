import assert from 'node:assert/strict';
import { callsItself, rememberingCallsItself } from '../../../../../src/server/protocol/clients/protocolServices.ts';

describe('What a client calls itself, asked with every request', () => {
  const first = { name: 'bench', title: 'Bench', version: '1' };
  const others: Readonly<Record<string, unknown>> = {
    'another name': { ...first, title: undefined, name: 'other' },
    'another title': { ...first, title: 'Other' },
    'another version': { ...first, version: '2' },
    'no title any more': { name: 'bench', version: '1' },
    'a name that is no text': { ...first, title: undefined, name: { toString: 'bench' } },
    'a name too long to be kept': { ...first, title: 'x'.repeat(2_000) },
    'nothing of it': {},
    'no object': 'bench',
  };

  for (const [what, other] of Object.entries(others)) {
    it(`is worked out again when it says ${what}, and when it says the first again`, () => {
      const nameOf = rememberingCallsItself();
      const said = [first, first, other, other, first];
      assert.deepEqual(said.map(nameOf), said.map(callsItself));
    });
  }

  it('is nothing for a client whose first words are none', () => {
    assert.equal(rememberingCallsItself()({}), '');
  });
});
