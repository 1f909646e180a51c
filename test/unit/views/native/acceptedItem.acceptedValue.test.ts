import assert from 'node:assert/strict';
import { acceptedValue } from '../../../../src/views/native/acceptedItem.ts';

describe('Enter in a text box with lines below', () => {
  it('takes the line that is marked', () => {
    assert.equal(acceptedValue({ typed: 'A', value: 'Ada' }, 'A'), 'Ada');
    assert.equal(acceptedValue({ typed: '', value: '' }, ''), '');
  });

  it('takes what was typed where the lines are still those of before', () => {
    assert.equal(acceptedValue({ typed: '', value: '' }, 'warm'), 'warm');
    assert.equal(acceptedValue({ typed: '', value: 'Ada' }, 'Xenia'), 'Xenia');
    assert.equal(acceptedValue(undefined, 'warm'), 'warm');
  });

  it('takes nothing where nothing is typed and no line is for that', () => {
    assert.equal(acceptedValue(undefined, ''), undefined);
    assert.equal(acceptedValue({ typed: 'A', value: 'Ada' }, ''), undefined);
  });
});
