import assert from 'node:assert/strict';
import { exampleArguments } from '../../../src/schemaForms/toolArguments.ts';

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
