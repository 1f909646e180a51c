import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { readSchema, type SchemaField } from '../../../src/schemaForms/readSchema.ts';

const bounds = { maxDepth: 4, maxFields: 100, followsReferences: true };
const nothing: SchemaField = {
  name: '',
  types: [],
  title: undefined,
  description: undefined,
  format: undefined,
  pattern: undefined,
  default: undefined,
  const: undefined,
  enum: undefined,
  enumNames: undefined,
  examples: undefined,
  limits: {},
  properties: undefined,
  required: [],
  items: undefined,
  isTuple: false,
  hasUniqueItems: false,
  additional: undefined,
  anyOf: undefined,
  oneOf: undefined,
  allOf: undefined,
  isClosed: false,
  isOpen: false,
  hasMore: false,
  isCut: false,
};
const member = (root: SchemaField, name: string): SchemaField | undefined => root.properties?.find((field) => field.name === name);
const count = (field: SchemaField): number =>
  [...(field.properties ?? []), ...(field.items === undefined ? [] : [field.items]), ...(field.anyOf ?? []), ...(field.oneOf ?? [])].reduce(
    (sum, each) => sum + count(each),
    1,
  );

describe('A schema of a server', () => {
  it('is read with everything that it says of its fields', () => {
    const list = { type: 'array', minItems: 1, items: { enum: ['a'], enumNames: ['A'] } };
    const amount = { type: ['integer', 'null'], title: 'Amount', minimum: 2, maximum: 9, default: 3, examples: [4] };
    const either = { description: 'One of', oneOf: [{ const: 'x', title: 'X' }], format: 'email' };
    const root = readSchema({ type: 'object', properties: { list, amount, either }, required: ['either', 'more', 'list'] }, bounds);
    const fields = {
      list: {
        ...nothing,
        name: 'list',
        types: ['array'],
        limits: { minItems: 1 },
        items: { ...nothing, name: 'list', enum: ['a'], enumNames: ['A'] },
      },
      amount: {
        ...nothing,
        name: 'amount',
        types: ['integer', 'null'],
        title: 'Amount',
        limits: { minimum: 2, maximum: 9 },
        default: 3,
        examples: [4],
      },
      either: {
        ...nothing,
        name: 'either',
        description: 'One of',
        format: 'email',
        oneOf: [{ ...nothing, name: 'either', const: 'x', title: 'X' }],
      },
    };
    assert.deepEqual(root, {
      ...nothing,
      types: ['object'],
      properties: [fields.list, fields.amount, fields.either],
      required: [fields.either, { ...nothing, name: 'more' }, fields.list],
    });
    assert.ok(root.required[0] !== undefined && member(root, 'either') === root.required[0]);
  });

  it('that is nonsense says nothing', () => {
    for (const schema of [undefined, null, 7, [], 'x', { type: 7, title: [], minimum: 'x', enum: 'x', required: {}, oneOf: {} }]) {
      assert.deepEqual(readSchema(schema, bounds), nothing);
    }
    assert.deepEqual(readSchema({ minimum: Infinity, properties: { a: true }, required: [1] }, bounds), {
      ...nothing,
      properties: [{ ...nothing, name: 'a' }],
    });
  });

  it('is followed to where its references lead within it, and nowhere else', () => {
    const schema: JsonObject = {
      $defs: { 'a/b~c': { type: 'boolean' }, step: { $ref: '#/$defs/a~1b~0c' }, round: { $ref: '#/$defs/round' } },
      properties: Object.fromEntries(
        ['#/$defs/step', '#/$defs/round', '#/constructor', 'https://example.com/a', '#anchor', `#${'/a'.repeat(1_000)}`].map((each) => [
          each,
          { $ref: each },
        ]),
      ),
    };
    const root = readSchema(schema, bounds);
    assert.deepEqual(
      root.properties?.map(({ types }) => types),
      [['boolean'], [], [], [], [], []],
    );
    assert.deepEqual(member(readSchema(schema, { ...bounds, followsReferences: false }), '#/$defs/step')?.types, []);
  });

  it('that contains itself ends at the depth it may have, and says so', () => {
    const root = readSchema({ properties: { self: { $ref: '#' } } }, bounds);
    let [deepest, levels] = [root, 0];
    for (let next = member(root, 'self'); next !== undefined; next = member(next, 'self')) {
      [deepest, levels] = [next, levels + 1];
    }
    assert.deepEqual([levels, root.isCut, deepest.isCut, deepest.properties], [4, false, true, []]);
  });

  it('is cut at the number of fields it may have, the deepest first', () => {
    const wide = { type: 'object', properties: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, { $ref: '#' }])) };
    const root = readSchema(wide, bounds);
    assert.deepEqual([count(root), root.properties?.length, root.isCut], [101, 40, false]);
    assert.deepEqual(
      [member(root, 'p1')?.properties?.length, member(root, 'p1')?.isCut, member(root, 'p2')?.properties?.length],
      [20, true, 0],
    );
  });

  it('that grows with every level is read at once', () => {
    const names = Array.from({ length: 2_000 }, (_, index) => `p${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#' }]));
    const hostile = { properties, required: names, items: { $ref: '#' }, anyOf: names.map(() => ({ $ref: '#' })) };
    const root = readSchema(hostile, { maxDepth: 9, maxFields: 5_000, followsReferences: true });
    assert.ok(count(root) <= 5_001 && !root.isCut);
  });
});
