import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { parameterRows } from '../../../src/schemaForms/toolArguments.ts';

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
