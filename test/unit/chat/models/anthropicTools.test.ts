import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type AnthropicTool, toolForAnthropic } from '../../../../src/chat/models/anthropicTools.ts';
import { toWire } from '../../../../src/chat/models/anthropicWire.ts';
import type { ModelTool } from '../../../../src/chat/models/modelProvider.ts';
import { checkRequest } from '../../../fixtures/anthropic/requestRules.ts';

const text = { type: 'string' };

describe('A tool for Anthropic', () => {
  const toolOf = (inputSchema: JsonObject): AnthropicTool => {
    const tool: ModelTool = { name: 'files_add', description: 'Adds.', inputSchema, server: 'files', tool: 'add' };
    const request = {
      model: 'm',
      system: '',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      maxTokens: 1,
    } as const;
    const checked = checkRequest(JSON.parse(JSON.stringify(toWire({ ...request, tools: [tool] }))));
    assert.ok(checked.ok, checked.ok ? '' : checked.message);
    return toolForAnthropic(tool);
  };

  it('is what its server says, where Anthropic takes that', () => {
    const schema = {
      type: 'object',
      properties: { path: { ...text, minLength: 1 }, place: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/range' }] } },
      required: ['path'],
      additionalProperties: false,
      $defs: { range: { type: 'array', prefixItems: [{ type: 'integer' }], items: false } },
      'x-own': { items: [1] },
    };
    const { wire, argumentsOf } = toolOf({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema });
    assert.deepEqual(
      [wire, argumentsOf({ path: 'a', other: 1 })],
      [
        { description: 'Adds.', input_schema: schema },
        { path: 'a', other: 1 },
      ],
    );
  });

  it('has alternatives at its top as properties, and the model is told how they go together', () => {
    const anyOf = [
      { type: 'object', properties: { content: text, name: text }, required: ['content', 'name'] },
      { $ref: '#/$defs/url' },
      { required: ['id'] },
    ];
    const { wire } = toolOf({
      type: 'object',
      properties: { id: { type: 'integer' } },
      anyOf,
      allOf: [{ properties: { id: { type: 'integer' }, name: { type: 'null' } }, required: ['parent'] }],
      $defs: { url: { type: 'object', properties: { url: text } } },
      additionalProperties: false,
    });
    const { properties, required, ...rest } = wire.input_schema;
    assert.deepEqual(
      [properties, required, Object.keys(rest)],
      [{ id: { type: 'integer' }, name: { anyOf: [{ type: 'null' }, text] }, content: text, url: text }, ['parent'], ['type', '$defs']],
    );
    assert.ok(wire.description.startsWith('Adds.\nThe arguments together must also fit this JSON Schema: {"allOf":['), wire.description);
    assert.ok(wire.description.includes('{"required":["id"]}'));
  });

  it('has names of arguments that are taken, and its server gets its own', () => {
    const long = 'settings__'.repeat(9);
    const { wire, argumentsOf, argumentsFor } = toolOf({
      type: 'object',
      properties: { $top: text, top: text, 'filter[id]': text, ['größe']: text, '@': text, [long]: text, __proto__x: text },
      required: ['$top', 'filter[id]'],
    });
    const names = Object.keys((wire.input_schema['properties'] ?? {}) as object);
    assert.deepEqual(names, ['top_2', 'top', 'filter_id', 'gr_e', 'argument', long.slice(0, 64), '__proto__x']);
    assert.deepEqual(wire.input_schema['required'], ['top_2', 'filter_id']);
    const own = { $top: 'a', top: 'b', 'filter[id]': 'c', [long]: 'd', unknown: 'e' };
    const given = { top_2: 'a', top: 'b', filter_id: 'c', [long.slice(0, 64)]: 'd', unknown: 'e' };
    assert.deepEqual([argumentsFor(own), argumentsOf(given)], [given, own]);
  });

  it('says in the words of today what older drafts said, and nothing that is in none', () => {
    const { wire } = toolOf({
      type: 'object',
      properties: {
        tuple: { type: 'array', items: [text, { type: 'integer' }], additionalItems: false },
        above: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
        odd: { type: ['string', 'file', 'string'], required: true, minLength: -1, enum: 'a', pattern: '(?P<name>x)', description: 7 },
        any: { type: 'any', default: null, items: 'text' },
        none: 'string',
      },
      required: 'tuple',
    });
    assert.deepEqual(wire.input_schema, {
      type: 'object',
      properties: {
        tuple: { type: 'array', prefixItems: [text, { type: 'integer' }], items: false },
        above: { type: 'number', exclusiveMinimum: 0, maximum: 9 },
        odd: { type: ['string'] },
        any: { default: null },
        none: true,
      },
    });
  });

  it('has no names of places, no reference to one, and only lists and schemas in what depends on an argument', () => {
    const id = 'https://files.example/add';
    const { wire } = toolOf({
      $id: id,
      $vocabulary: { all: 'yes' },
      $recursiveAnchor: true,
      type: 'object',
      properties: {
        email: { $id: '#/properties/email', ...text },
        place: { $id: '#place', $anchor: 7, $dynamicAnchor: '#', $dynamicRef: 7, $recursiveRef: 7, ...text },
        named: { $ref: '#place', description: 'Where.' },
        far: { $ref: `${id}#place` },
        byPath: { $ref: '#/properties/email' },
        whole: { $ref: '#' },
        other: { $ref: 'https://files.example/other#/$defs/a' },
      },
      dependencies: { email: ['place', 7], place: { properties: { far: { $id: '#far' } } }, far: 'email', named: false },
      dependentRequired: { email: ['place', 'place'], place: 'email' },
    });
    assert.deepEqual(wire.input_schema, {
      $id: id,
      type: 'object',
      properties: {
        email: text,
        place: text,
        named: { description: 'Where.' },
        far: {},
        byPath: { $ref: '#/properties/email' },
        whole: { $ref: '#' },
        other: { $ref: 'https://files.example/other#/$defs/a' },
      },
      dependencies: { email: ['place'], place: { properties: { far: {} } }, named: false },
      dependentRequired: { email: ['place'] },
    });
  });

  it('is made once, and quickly where its schema is large or deep', () => {
    const deep = JSON.parse(`${'{"items":'.repeat(2_000)}{}${'}'.repeat(2_000)}`) as JsonObject;
    const schema = { type: 'object', properties: { deep, many: { enum: Array.from({ length: 10_000 }, (_, index) => `value ${index}`) } } };
    assert.equal(toolOf(schema), toolOf(schema));
  });
});
