import assert from 'node:assert/strict';
import { prefilledArguments, readArguments, takesArguments, toolParameters } from '../../../src/schemaForms/toolArguments.ts';

const parameters = toolParameters({
  type: 'object',
  properties: {
    sides: { type: 'integer', minimum: 2 },
    mode: { enum: ['fair', 'loaded'] },
    label: { type: ['string', 'null'] },
    points: { type: 'array', items: { type: 'object', required: ['x'], properties: { x: { type: 'number' } } } },
  },
  required: ['sides', 'mode'],
});

describe('Arguments of a tool', () => {
  it('begin with every required key and every default', () => {
    assert.equal(prefilledArguments(parameters), '{"sides": 2, "mode": "fair"}');
    const properties = { a: { type: 'string' }, b: { type: 'boolean' }, c: { type: 'array' }, d: { type: 'object' }, e: { default: 'x' } };
    const all = toolParameters({ properties, required: ['a', 'b', 'c', 'd', 'f'] });
    assert.deepEqual(JSON.parse(prefilledArguments(all)), { a: '', b: false, c: [], d: {}, e: 'x', f: '' });
  });

  it('are an empty object for a tool that takes none', () => {
    assert.equal(prefilledArguments(toolParameters({ type: 'object' })), '{}');
    assert.equal(takesArguments(toolParameters({ type: 'object' })), false);
    assert.equal(takesArguments(parameters), true);
  });

  it('are read when they fit', () => {
    const value = { sides: 6, mode: 'fair', label: null, points: [{ x: 1.5 }], more: true };
    assert.deepEqual(readArguments(JSON.stringify(value), parameters), { kind: 'ok', arguments: value });
    assert.deepEqual(readArguments('  ', toolParameters({})), { kind: 'ok', arguments: {} });
  });

  for (const [text, problem] of [
    ['{"sides": ', { kind: 'notJson' }],
    ['[1]', { kind: 'notObject' }],
    ['"x"', { kind: 'notObject' }],
    ['{"sides": 6}', { kind: 'missing', path: 'mode' }],
    ['{"sides": 6.5, "mode": "fair"}', { kind: 'wrongType', path: 'sides', expected: 'integer' }],
    ['{"sides": 6, "mode": "best"}', { kind: 'notAllowed', path: 'mode', allowed: '"fair", "loaded"' }],
    ['{"sides": 6, "mode": "fair", "label": 1}', { kind: 'wrongType', path: 'label', expected: 'string | null' }],
    ['{"sides": 6, "mode": "fair", "points": [{"x": 1}, {}]}', { kind: 'missing', path: 'points[1].x' }],
  ] as const) {
    it(`are refused as ${problem.kind}: ${text}`, () => {
      assert.deepEqual(readArguments(text, parameters), problem);
    });
  }

  it('are checked against a schema that is nonsense without an exception', () => {
    const nonsense = toolParameters({ type: 7, properties: { a: 'x', b: { type: 'unheardOf', enum: 'no' } }, required: 'a' });
    assert.equal(readArguments('{"a": 1, "b": 2}', nonsense).kind, 'ok');
    assert.equal(readArguments('{}', toolParameters({ properties: [], required: [1] })).kind, 'ok');
  });

  it('are not taken from the prototype of an object', () => {
    assert.deepEqual(readArguments('{}', toolParameters({ required: ['toString'] })), { kind: 'missing', path: 'toString' });
  });
});
