import assert from 'node:assert/strict';
import { extraFields, fitsControl, pathText, valueAt, withValueAt } from '../../../src/schemaForms/argumentValues.ts';
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
