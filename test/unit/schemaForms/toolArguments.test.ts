import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  beginningArguments,
  exampleArguments,
  parameterRows,
  takesArguments,
  toolParameters,
} from '../../../src/schemaForms/toolArguments.ts';

describe('Arguments of a tool', () => {
  it('begin with what the schema gives: its defaults, and the constants that are needed', () => {
    const properties = {
      a: { type: 'string' },
      b: { const: 1 },
      c: { const: 2 },
      d: { type: 'string', default: 'x' },
      e: { type: ['string', 'null'], default: null },
      f: { type: 'boolean', default: false },
    };
    assert.deepEqual(beginningArguments(toolParameters({ properties, required: ['a', 'b'] })), { b: 1, d: 'x', f: false });
    assert.deepEqual(beginningArguments(toolParameters({ type: 7, properties: { a: 'x' }, required: 'a' })), {});
  });

  it('are nothing to fill in only where the schema speaks of none', () => {
    const without = [{}, { type: 'object' }, { type: 'object', properties: {}, additionalProperties: false, description: 'x' }];
    const withSome = [
      { properties: { a: {} } },
      { required: ['a'] },
      { $ref: '#/$defs/a', $defs: { a: { properties: { a: {} } } } },
      { oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      { type: 'object', additionalProperties: { type: 'string' } },
    ];
    assert.deepEqual(
      [...without, ...withSome].map((schema) => takesArguments(toolParameters(schema))),
      [...without.map(() => false), ...withSome.map(() => true)],
    );
  });
});

describe('Parameters of a tool for a person', () => {
  it('have their types, descriptions, enums, limits and defaults, and those inside them follow', () => {
    const rows = parameterRows({
      type: 'object',
      required: ['order', 'unlisted'],
      properties: {
        order: {
          type: 'object',
          description: 'What to buy.',
          properties: { items: { type: 'array', items: { $ref: '#/$defs/item' } } },
        },
        mode: { type: ['string', 'null'], title: 'Mode', enum: ['fast', 'slow'], default: 'fast' },
        count: { type: 'integer', minimum: 1 },
        where: { anyOf: [{ type: 'string', format: 'uri' }, { const: 0 }] },
      },
      $defs: { item: { type: 'string', description: 'One item.' } },
    });
    assert.deepEqual(
      rows.map(({ name, type, isRequired }) => [name, type, isRequired]),
      [
        ['order', 'object', true],
        ['order.items', 'array', false],
        ['order.items[]', 'string', false],
        ['mode', 'string | null', false],
        ['count', 'integer', false],
        ['where', '', false],
        ['where.anyOf[0]', 'string (uri)', false],
        ['where.anyOf[1]', '', false],
        ['unlisted', '', true],
      ],
    );
    const byName = new Map(rows.map((row) => [row.name, row]));
    assert.equal(byName.get('order')?.description, 'What to buy.');
    assert.equal(byName.get('order.items[]')?.description, 'One item.');
    assert.deepEqual(byName.get('mode')?.values, ['"fast"', '"slow"']);
    assert.equal(byName.get('mode')?.default, '"fast"');
    assert.equal(byName.get('mode')?.description, 'Mode');
    assert.deepEqual(byName.get('count')?.limits, ['minimum 1']);
    assert.deepEqual(byName.get('where.anyOf[1]')?.values, ['0']);
  });

  it('say where a schema that refers to itself goes on', () => {
    const rows = parameterRows({
      properties: { tree: { $ref: '#/$defs/tree' } },
      $defs: { tree: { properties: { tree: { $ref: '#/$defs/tree' } } } },
    });
    assert.ok(rows.length < 50);
    assert.equal(rows.at(-1)?.isCut, true);
  });

  it('are listed as far as anybody reads, with how much is not', () => {
    const property = (length: number): JsonObject => ({ type: 'string', description: 'd'.repeat(length) });
    const rows = parameterRows({ properties: { a: property(100), b: property(30_000), c: property(50), d: property(50) } });
    assert.deepEqual(
      rows.map(({ name, isCut }) => [name, isCut]),
      [
        ['a', false],
        ['b', true],
      ],
    );
    const shown = rows.reduce((sum, { name, type, description }) => sum + name.length + type.length + description.length, 0);
    assert.ok(shown <= 20_010 && shown >= 19_000, `${shown}`);
    assert.equal(rows[0]?.hidden, undefined);
    assert.deepEqual(rows[1]?.hidden, { parameters: 2, characters: 4 * 7 + 30_200 - shown });
    const many = Object.fromEntries(Array.from({ length: 1_900 }, (_, index) => [`parameter${index}`, property(100)]));
    const listed = parameterRows({ properties: many });
    assert.equal(listed.length + (listed.at(-1)?.hidden?.parameters ?? 0), 1_900);
    assert.ok(JSON.stringify(listed).length < 60_000);
  });

  it('are whole within that, without a word of what is not there', () => {
    assert.deepEqual(
      parameterRows({ properties: { a: { description: 'x'.repeat(19_000) } } }).map(({ hidden, isCut }) => [hidden, isCut]),
      [[undefined, false]],
    );
  });

  it('are none for a tool without any, and for a schema that is none', () => {
    assert.deepEqual(parameterRows({ type: 'object' }), []);
    assert.deepEqual(parameterRows({ properties: 7 }), []);
  });
});

describe('exampleArguments', () => {
  it('fills every required property from the schema', () => {
    const schema = {
      type: 'object',
      required: ['text', 'kind', 'count', 'flag', 'list', 'nested', 'site', 'either', 'ref', 'withDefault'],
      properties: {
        text: { type: 'string' },
        kind: { enum: ['x', 'y'] },
        count: { type: ['null', 'integer'], minimum: 3 },
        flag: { type: 'boolean' },
        list: { type: 'array', items: { type: 'number' } },
        nested: { type: 'object', required: ['inner'], properties: { inner: { type: 'string' } } },
        site: { type: 'string', format: 'uri' },
        either: { anyOf: [{ type: 'boolean' }, { type: 'string' }] },
        ref: { $ref: '#/$defs/named' },
        withDefault: { default: 42 },
        optional: { type: 'string' },
      },
      $defs: { named: { const: 'fixed' } },
    };
    assert.deepEqual(exampleArguments(schema), {
      text: 'hello',
      kind: 'x',
      count: 3,
      flag: true,
      list: [1],
      nested: { inner: 'inner' },
      site: 'https://example.com',
      either: true,
      ref: 'fixed',
      withDefault: 42,
    });
  });

  it('ends on schemas that contain themselves or make no sense', () => {
    const loop = { type: 'object', required: ['self'], properties: { self: { $ref: '#' } } };
    assert.ok(JSON.stringify(exampleArguments(loop)).length < 200);
    assert.deepEqual(exampleArguments({ required: ['a', 1], properties: { a: { $ref: 'http://elsewhere' } } }), { a: 'a' });
  });

  it('stays short for a schema that grows with every level', () => {
    const names = Array.from({ length: 300 }, (_, index) => `p${index}`);
    const schema = { type: 'object', required: names, properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])) };
    assert.ok(JSON.stringify(exampleArguments(schema)).length < 50_000);
  });
});
