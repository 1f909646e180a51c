import assert from 'node:assert/strict';
import { inexactJson } from '../../../src/base/jsonText.ts';

describe('A JSON text', () => {
  it('is exact where what is read is what is written', () => {
    for (const text of [
      '{"a":{"b":1},"c":{"b":[1,-0,1.0,1e5,0.1]}}',
      '["a","a"]',
      '{"a":"b","b":"a"}',
      '9007199254740992',
      '{"a":"1e999"}',
    ]) {
      assert.equal(inexactJson(text), undefined, text);
    }
  });

  it('is inexact where a name is repeated, in whatever way it is written', () => {
    for (const text of ['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '[{"x":{"":1,"":2}}]', '{"a":{"b":1},"a":2}']) {
      assert.equal(inexactJson(text), 'repeatedKey', text);
    }
  });

  it('is inexact where a number would become another one', () => {
    for (const text of ['9007199254740993', '{"a":[1e999]}', '-12345678901234567890123']) {
      assert.equal(inexactJson(text), 'roundedNumber', text);
    }
  });
});
