import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { checkSchema } from '../../../src/worker/checkSchema.ts';

function placesOf(schema: JsonObject, value: JsonValue): unknown {
  const verdict = checkSchema({ schema: JSON.stringify(schema), value: JSON.stringify(value) });
  return verdict.kind === 'misfit' ? verdict.places.map(({ path, keyword, wanted }) => [path, keyword, wanted]) : verdict;
}

describe('A value that its schema refuses', () => {
  it('is refused place by place, with what was wanted there', () => {
    const schema = {
      type: 'object',
      properties: {
        'a/b': { type: 'array', items: { type: 'string', pattern: '^x' } },
        count: { type: 'integer', maximum: 3 },
        unique: { type: 'array', uniqueItems: true },
      },
      required: ['needed'],
      additionalProperties: false,
    };
    assert.deepEqual(placesOf(schema, { 'a/b': ['x', 'y'], count: 4, unique: [1, 2, 1], more: 1 }), [
      [['needed'], 'required', ''],
      [['more'], 'additionalProperties', ''],
      [['a/b', 1], 'pattern', '^x'],
      [['count'], 'maximum', '3'],
      [['unique', 2], 'uniqueItems', ''],
    ]);
  });

  it('is told that it fits no alternative, not what each of them would have had', () => {
    const schema = { anyOf: [{ type: 'string' }, { type: 'object', properties: { a: { minimum: 2 } }, required: ['a'] }] };
    assert.deepEqual(placesOf(schema, true), [[[], 'anyOf', '']]);
    assert.deepEqual(placesOf(schema, { a: 1 }), [
      [['a'], 'minimum', '2'],
      [[], 'anyOf', ''],
    ]);
    assert.deepEqual(placesOf({ oneOf: [{ type: 'string' }, { maxLength: 3 }] }, 'ab'), [[[], 'oneOf', 'one']]);
  });

  it('is refused by the rules of the draft that the schema names', () => {
    const items = [{ type: 'string' }];
    assert.deepEqual(placesOf({ $schema: 'http://json-schema.org/draft-07/schema#', items }, [1]), [[[0], 'type', 'string']]);
    assert.deepEqual(placesOf({ prefixItems: items }, [1]), [[[0], 'type', 'string']]);
  });

  it('has no more places than anybody reads, and texts of a bounded length', () => {
    const pattern = `^${'a'.repeat(1_000)}$`;
    const verdict = checkSchema({
      schema: JSON.stringify({ items: { type: 'string', pattern } }),
      value: JSON.stringify(Array.from({ length: 500 }, () => 'b')),
    });
    assert.ok(verdict.kind === 'misfit');
    assert.equal(verdict.places.length, 50);
    assert.ok(verdict.places.every(({ wanted, reason }) => wanted.length <= 300 && reason.length <= 300));
  });

  it('has places of a bounded length together, however long the keys are that lead there', () => {
    const members = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`a${index}`, 1]));
    const schema = { additionalProperties: { additionalProperties: { type: 'string' } } };
    const verdict = checkSchema({ schema: JSON.stringify(schema), value: JSON.stringify({ ['k'.repeat(100_000)]: members }) });
    assert.ok(verdict.kind === 'misfit');
    assert.ok(verdict.places.length > 0 && JSON.stringify(verdict.places).length < 2_000_000);
  });
});
