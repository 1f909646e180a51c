import assert from 'node:assert/strict';
import { parameterRows } from '../../../src/schemaForms/parameterRows.ts';

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

  it('are none for a tool without any, and for a schema that is none', () => {
    assert.deepEqual(parameterRows({ type: 'object' }), []);
    assert.deepEqual(parameterRows({ properties: 7 }), []);
  });
});
