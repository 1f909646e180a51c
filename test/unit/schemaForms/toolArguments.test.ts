import assert from 'node:assert/strict';
import { beginningArguments, takesArguments, toolParameters } from '../../../src/schemaForms/toolArguments.ts';

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
