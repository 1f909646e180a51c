import assert from 'node:assert/strict';
import { acceptedItem, type OfferedItem } from '../../../../src/views/native/acceptedItem.ts';

interface Named extends OfferedItem {
  readonly name: string;
}

describe('Enter in a list in which a text can be typed', () => {
  const run = (): Promise<void> => Promise.resolve();
  const listed: Named = { name: 'listed', run };
  const notice: Named = { name: 'notice' };
  const itemFor = (typed: string): Named | undefined => (typed === '' ? undefined : { name: `as typed: ${typed}`, typed, run });
  const nameOf = (marked: Named | undefined, typed: string): string | undefined => acceptedItem(marked, typed, itemFor)?.name;

  it('takes the line that is marked, also while only a part of its name is typed', () => {
    assert.equal(nameOf(listed, ''), 'listed');
    assert.equal(nameOf(listed, 'lis'), 'listed');
    assert.equal(nameOf(itemFor('new-model'), 'new-model'), 'as typed: new-model');
  });

  it('takes what was typed while there is no line for it yet, or only one for a text of before', () => {
    assert.equal(nameOf(undefined, 'new-model'), 'as typed: new-model');
    assert.equal(nameOf(itemFor('new-m'), 'new-model'), 'as typed: new-model');
    assert.equal(nameOf(notice, 'new-model'), 'as typed: new-model');
  });

  it('takes nothing where nothing is typed and no line does anything', () => {
    assert.equal(nameOf(undefined, ''), undefined);
    assert.equal(nameOf(notice, ''), undefined);
  });
});
