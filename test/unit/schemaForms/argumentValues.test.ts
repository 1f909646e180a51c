import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import type { FormField } from '../../../src/contract/forms/formFields.ts';
import {
  emptyMembers,
  extraFields,
  fitsControl,
  pathText,
  startingItem,
  startingValue,
  valueAt,
  valueForVariant,
  withValueAt,
} from '../../../src/schemaForms/argumentValues.ts';
import { argumentForm } from './support.ts';

describe('A value in the arguments', () => {
  const root = { a: 1, list: [{ b: 'x' }, { b: 'y' }], z: null };

  it('is found by its path, and only there', () => {
    assert.deepEqual(
      [['list', 1, 'b'], ['z'], ['list', 9], ['list', 'length'], ['toString'], []].map((path) => valueAt(root, path)),
      ['y', null, undefined, undefined, undefined, root],
    );
  });

  it('is changed, added and taken away while all others stay where they are', () => {
    const texts = [
      withValueAt(root, ['list', 0, 'b'], 'new'),
      withValueAt(root, ['a'], undefined),
      withValueAt(root, ['list', 0], undefined),
      withValueAt(root, ['list', 2], 'third'),
      withValueAt(root, ['deep', 'er'], true),
      withValueAt(root, ['__proto__'], 1),
    ].map((each) => JSON.stringify(each));
    assert.deepEqual(texts, [
      '{"a":1,"list":[{"b":"new"},{"b":"y"}],"z":null}',
      '{"list":[{"b":"x"},{"b":"y"}],"z":null}',
      '{"a":1,"list":[{"b":"y"}],"z":null}',
      '{"a":1,"list":[{"b":"x"},{"b":"y"},"third"],"z":null}',
      '{"a":1,"list":[{"b":"x"},{"b":"y"}],"z":null,"deep":{"er":true}}',
      '{"a":1,"list":[{"b":"x"},{"b":"y"}],"z":null,"__proto__":1}',
    ]);
    assert.equal(JSON.stringify(root), '{"a":1,"list":[{"b":"x"},{"b":"y"}],"z":null}');
  });

  it('has a field of its own where the schema has none for it', () => {
    const form = argumentForm({ type: 'object', properties: { a: { type: 'number' } } });
    assert.deepEqual(
      extraFields(form, root, (text) => text).map(({ name, type }) => [name, type]),
      [
        ['list', 'json'],
        ['z', 'json'],
      ],
    );
  });

  it('is shown as JSON where its control could not show it as it is', () => {
    const form = argumentForm({
      type: 'object',
      properties: { t: { type: 'string' }, n: { type: 'number' }, c: { enum: ['x'] }, l: { type: 'array', items: { type: 'string' } } },
    });
    const fits = (values: readonly unknown[]): readonly boolean[] =>
      form.fields.map((field, index) => fitsControl(field, values[index] as string));
    assert.deepEqual(fits(['text', 1, 'x', ['a']]), [true, true, true, true]);
    assert.deepEqual(fits([1, true, 'y', ['a', 1]]), [false, false, false, false]);
    assert.deepEqual(fits([undefined, undefined, undefined, Array(21).fill('a')]), [true, true, true, false]);
  });

  it('is named by its path in words of code', () => {
    assert.equal(pathText(['list', 0, 'name']), 'list[0].name');
  });
});

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
