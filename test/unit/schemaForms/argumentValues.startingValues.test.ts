import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { FormField } from '../../../src/contract/forms/formFields.ts';
import { emptyMembers, startingItem, startingValue, valueForVariant } from '../../../src/schemaForms/argumentValues.ts';
import { argumentForm } from './support.ts';

function fieldFor(schema: JsonValue): FormField {
  const [field] = argumentForm({ type: 'object', properties: { it: schema } }).fields;
  assert.ok(field);
  return field;
}

describe('What a field holds when it is added', () => {
  it('is what can only be one thing and what the schema gives, and nothing else', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        kind: { const: 'circle' },
        size: { type: 'integer', default: 3 },
        name: { type: 'string' },
        color: { type: 'string', default: 'red' },
        hidden: { type: 'string', default: 'a\u200Bb' },
        points: { type: 'array', minItems: 2, items: { type: 'number' } },
      },
      required: ['kind', 'size', 'name', 'hidden', 'points'],
    };
    assert.deepEqual(startingValue(fieldFor(schema)), { kind: 'circle', size: 3, points: ['', ''] });
  });

  it('is empty for lists and objects that are needed and may be', () => {
    const list = { type: 'array', items: { type: 'string' } };
    const map = { type: 'object', additionalProperties: { type: 'string' } };
    const properties = {
      list,
      some: { ...list, minItems: 1 },
      map,
      other: map,
      group: { type: 'object', properties: { a: {} }, required: ['a'] },
    };
    const form = argumentForm({ type: 'object', properties, required: ['list', 'some', 'map', 'group'] });
    assert.deepEqual(emptyMembers(form), { list: [], map: {} });
  });

  it('is something, for an item of a list', () => {
    const kinds: readonly JsonValue[] = [
      { type: 'string' },
      { type: 'boolean' },
      { enum: ['a', 'b'] },
      { type: 'object' },
      {},
      { anyOf: [{ type: 'object', properties: { a: {} } }, { type: 'string' }] },
    ];
    assert.deepEqual(
      kinds.map((kind) => startingItem(fieldFor(kind))),
      ['', false, 'a', {}, null, {}],
    );
  });

  it('keeps what another kind of the value can have as well', () => {
    const square = fieldFor({
      type: 'object',
      properties: { kind: { const: 'square' }, color: { type: 'string' }, side: { type: 'number' } },
      required: ['kind'],
    });
    assert.deepEqual(valueForVariant(square, { kind: 'circle', color: 'red', radius: 2 }), { kind: 'square', color: 'red' });
    assert.equal(valueForVariant(fieldFor({ type: 'string' }), 'word'), 'word');
    assert.equal(valueForVariant(fieldFor({ type: 'number' }), { a: 1 }), undefined);
  });
});
