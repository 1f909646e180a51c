import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { type FormField, formGroup } from '../../../src/contract/forms/formFields.ts';
import { readableArgumentForm } from '../../../src/schemaForms/argumentForm.ts';
import { argumentProblems, placeKey } from '../../../src/schemaForms/argumentProblems.ts';
import { pathText } from '../../../src/schemaForms/argumentValues.ts';
import { checkSchema } from '../../../src/worker/checkSchema.ts';
import { generator, type Random } from '../../support/filledForms.ts';
import { argumentForm } from './support.ts';

function fieldFor(schema: JsonValue, more: JsonObject = {}): FormField {
  const [field] = argumentForm({ type: 'object', properties: { it: schema }, ...more }).fields;
  assert.ok(field);
  return field;
}

const common = { name: 'it', label: 'it', description: '', isRequired: false, isNullable: false } as const;

describe('The form for a tool’s arguments', () => {
  it('has a control for every kind of value that a form can show', () => {
    const cases: readonly (readonly [JsonValue, object])[] = [
      [
        { type: 'string', minLength: 1, format: 'uri' },
        { type: 'text', format: 'uri', minLength: 1 },
      ],
      [
        { type: 'integer', minimum: 1, exclusiveMaximum: 9 },
        { type: 'number', isInteger: true, minimum: 1, exclusiveMaximum: 9 },
      ],
      [
        { type: 'boolean', default: true },
        { type: 'boolean', default: 'true' },
      ],
      [{ const: 7 }, { type: 'choice', options: [{ value: '7', label: '7' }] }],
      [
        { enum: ['a', 2, null], enumNames: ['First'] },
        {
          type: 'choice',
          options: [
            { value: '"a"', label: 'First (a)' },
            { value: '2', label: '2' },
            { value: 'null', label: 'null' },
          ],
        },
      ],
      [
        {
          oneOf: [
            { const: 'a', title: 'A' },
            { const: '', title: '' },
          ],
        },
        {
          type: 'choice',
          options: [
            { value: '"a"', label: 'A (a)' },
            { value: '""', label: '""' },
          ],
        },
      ],
      [
        { type: 'array', items: { type: 'string' }, maxItems: 3 },
        { type: 'list', maxItems: 3 },
      ],
      [
        { type: 'object', properties: { inner: { type: 'string' } } },
        { type: 'group', isClosed: false, isWhole: true },
      ],
    ];
    for (const [schema, expected] of cases) {
      const field = fieldFor(schema);
      const own = Object.entries(field).filter(([key]) => key !== 'fields' && key !== 'item');
      assert.deepEqual(Object.fromEntries(own), { ...common, ...expected });
    }
  });

  it('shows as JSON what it has no control for, and hides nothing', () => {
    const others: readonly JsonValue[] = [
      {},
      true,
      { type: 'object' },
      { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
      { type: 'array' },
      { not: { const: 'x' } },
      { if: { type: 'string' }, then: { minLength: 2 } },
      { anyOf: [{}, { not: {} }] },
      { type: ['string', 'number', 'boolean', 'object', 'array'] },
      { $ref: 'https://elsewhere.example/schema' },
      { type: 'array', prefixItems: [{ type: 'string' }] },
    ];
    assert.deepEqual(
      others.map((schema) => fieldFor(schema).type),
      others.map(() => 'json'),
    );
    const names = argumentForm({ type: 'object', properties: { a: {} }, required: ['b'] }).fields.map(({ name, isRequired }) => [
      name,
      isRequired,
    ]);
    assert.deepEqual(names, [
      ['a', false],
      ['b', true],
    ]);
  });

  it('reads the ways in which generators write an optional value, and references within the schema', () => {
    const word = { ...common, type: 'text', format: 'plain', isNullable: true } as const;
    assert.deepEqual(fieldFor({ type: ['string', 'null'] }), word);
    assert.deepEqual(fieldFor({ anyOf: [{ type: 'string' }, { type: 'null' }], title: 'It', default: null }), {
      ...word,
      label: 'It',
      default: 'null',
    });
    const $defs = { size: { enum: ['s', 'm'], description: 'Of the shirt' } };
    const size = fieldFor({ allOf: [{ $ref: '#/$defs/size' }], description: 'Yours' }, { $defs });
    assert.deepEqual([size.type, size.description], ['choice', 'Yours']);
    assert.equal(fieldFor({ $ref: '#/$defs/size' }, { $defs }).description, 'Of the shirt');
  });

  it('goes a few objects deep, also into a schema without end', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    const depth = (field: FormField | undefined): number => (field?.type === 'group' ? 1 + depth(field.fields[0]) : 0);
    assert.equal(depth(fieldFor({ $ref: '#/$defs/node' }, { $defs: { node } })), 5);
  });

  it('stays small where references and alternatives would multiply a schema without end', () => {
    const names = Array.from({ length: 8 }, (_, index) => `m${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/node' }]));
    const node = { type: 'object', properties, oneOf: names.map((name) => ({ required: [name] })) };
    const form = argumentForm({ type: 'object', $defs: { node }, properties: { it: { $ref: '#/$defs/node' } } });
    assert.ok(JSON.stringify(form).length < 3_000_000, `${JSON.stringify(form).length} characters`);
  });

  it('has lists of anything, objects too', () => {
    const item = { type: 'object', properties: { from: { type: 'string' }, tags: { type: 'array', items: { enum: ['x'] } } } };
    const field = fieldFor({ type: 'array', items: item, minItems: 1, uniqueItems: true });
    assert.ok(field.type === 'list' && field.item.type === 'group');
    assert.deepEqual([field.minItems, field.isUnique, field.item.fields.map(({ type }) => type)], [1, true, ['text', 'list']]);
    const nested = fieldFor({ type: 'array', items: { type: 'array', items: { type: 'number' } } });
    assert.ok(nested.type === 'list' && nested.item.type === 'list' && nested.item.item.type === 'number');
  });

  it('takes members of any name where the schema says what they are', () => {
    const labels = fieldFor({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'integer' } });
    assert.ok(labels.type === 'group' && labels.rest?.type === 'number');
    const patterned = fieldFor({ type: 'object', properties: { a: {} }, patternProperties: { '^x-': {} } });
    assert.ok(patterned.type === 'group' && patterned.rest?.type === 'json');
    const closed = fieldFor({ type: 'object', properties: { a: {} }, additionalProperties: false });
    assert.ok(closed.type === 'group' && closed.rest === undefined);
  });

  it('offers the kinds of a value, each by its title, by what tells it apart or by what it needs', () => {
    const labelsOf = (schema: JsonObject): unknown => {
      const field = fieldFor(schema);
      return field.type === 'variants' && field.variants.map((variant) => [variant.label, variant.field.type]);
    };
    const shape = (kind: string, member: string): JsonObject => ({
      type: 'object',
      properties: { kind: { const: kind }, [member]: { type: 'number' } },
      required: ['kind', member],
    });
    assert.deepEqual(labelsOf({ oneOf: [shape('circle', 'radius'), shape('square', 'side')] }), [
      ['circle', 'group'],
      ['square', 'group'],
    ]);
    assert.deepEqual(labelsOf({ anyOf: [{ type: 'string' }, { title: 'Many', type: 'array', items: { type: 'string' } }] }), [
      ['', 'text'],
      ['Many', 'list'],
    ]);
    const either = { type: 'object', properties: { a: {}, b: {}, c: {} }, required: ['c'] };
    assert.deepEqual(labelsOf({ ...either, anyOf: [{ required: ['a'] }, { required: ['b'] }] }), [
      ['a', 'group'],
      ['b', 'group'],
    ]);
    assert.deepEqual(labelsOf({ type: ['string', 'integer'] }), [
      ['', 'text'],
      ['', 'number'],
    ]);
  });

  it('offers the kinds of the whole arguments too', () => {
    const form = argumentForm({
      type: 'object',
      properties: { path: { type: 'string' }, text: { type: 'string' }, lines: { type: 'integer' } },
      required: ['path'],
      oneOf: [{ required: ['text'] }, { required: ['lines'] }],
    });
    assert.deepEqual(
      form.variants?.map(({ label, field }) => [label, field.type === 'group' && field.fields.map(({ name }) => name)]),
      [
        ['text', ['path', 'text', 'lines']],
        ['lines', ['path', 'text', 'lines']],
      ],
    );
    const problems = argumentProblems(form, { path: 'a' }, new Map([[placeKey([]), 1]]));
    assert.deepEqual(
      problems.map(({ path }) => pathText(path)),
      ['lines'],
      'those of the kind that was chosen',
    );
    assert.deepEqual(argumentProblems(form, { path: 'a', text: 'b' }, new Map([[placeKey([]), 1]])), [], 'and none while any kind fits');
  });

  it('is one object where a schema is put together from parts', () => {
    const field = fieldFor({
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { type: 'object', properties: { b: { type: 'integer', minimum: 1 } } },
        { properties: { b: { minimum: 3 } }, required: ['b'] },
      ],
    });
    assert.ok(field.type === 'group');
    assert.deepEqual(
      field.fields.map(({ name, isRequired, type }) => [name, isRequired, type]),
      [
        ['a', true, 'text'],
        ['b', true, 'number'],
      ],
    );
    assert.equal(field.fields[1]?.type === 'number' && field.fields[1].minimum, 3);
  });

  it('passes the contract between host and page, with nothing hidden in its texts', () => {
    const form = argumentForm({
      type: 'object',
      properties: { a: { type: 'array', items: { enum: [1] } }, b: { type: 'object', properties: { c: { title: 'x\u200By' } } } },
    });
    assert.deepEqual(formGroup.parse(form), form);
    assert.match(JSON.stringify(form), /x⟨U\+200B⟩y/);
  });

  it('is left to JSON where a reference would repeat a large part of the schema in every field', () => {
    const properties = (count: number): JsonObject =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { $ref: '#/$defs/e' }]));
    for (const part of [
      { enum: Array.from({ length: 200 }, (_, index) => `${'v'.repeat(500)}${index}`) },
      { description: 'word '.repeat(9_000) },
    ]) {
      const schema = (count: number): JsonObject => ({ type: 'object', $defs: { e: part }, properties: properties(count) });
      assert.equal(readableArgumentForm(schema(600)), undefined);
      assert.equal(readableArgumentForm(schema(2))?.fields.length, 2);
    }
  });

  it('is left to JSON where its names are invisible characters, which would have to be written out', () => {
    const named = (count: number): JsonObject => {
      const names = Array.from({ length: count }, (_, index) => `${'\u200b\u200c'.repeat(499)}${index}`);
      return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
    };
    assert.equal(readableArgumentForm(named(200)), undefined);
    assert.equal(
      readableArgumentForm({ type: 'object', properties: { a: { enum: Object.keys(named(200)['properties'] ?? {}) } } }),
      undefined,
    );
    assert.equal(readableArgumentForm(named(5))?.fields.length, 5);
  });

  it('quotes texts among its options that would look like another value', () => {
    const field = fieldFor({ enum: ['1', 1, 'true', 'yes'] });
    assert.deepEqual(field.type === 'choice' && field.options.map(({ label }) => label), ['"1"', '1', '"true"', 'yes']);
  });

  it('takes a text of any format: that is a hint', () => {
    const form = argumentForm({ type: 'object', properties: { it: { type: 'string', format: 'email' } } });
    assert.deepEqual(argumentProblems(form, { it: 'nobody' }), []);
  });
});

describe('Arguments held against their form', () => {
  const form = argumentForm({
    type: 'object',
    required: ['name', 'where'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 2 },
      count: { type: 'integer', minimum: 1, exclusiveMaximum: 5 },
      where: {
        type: 'object',
        required: ['city'],
        properties: { city: { type: 'string' }, tags: { type: 'array', items: { enum: ['x'] }, maxItems: 1 } },
      },
      anything: {},
    },
  });
  const problemsOf = (value: JsonValue): readonly string[] =>
    argumentProblems(form, value).map(({ path, problem }) => `${pathText(path)}: ${problem.kind}`);

  it('are refused field by field, each by its path', () => {
    assert.deepEqual(problemsOf({ name: 'ok', where: { city: 'Rome' }, anything: [{}] }), []);
    assert.deepEqual(problemsOf({ name: 'x', count: 5, where: { tags: ['x', 'y'] }, more: 1 }), [
      'name: tooShort',
      'count: notBelow',
      'where.city: required',
      'where.tags: tooMany',
      'where.tags[1]: notAnOption',
      'more: unknown',
    ]);
    assert.deepEqual(problemsOf({ name: 'ok' }), ['where.city: required'], 'what the person can give is missing, not the group');
    assert.deepEqual(problemsOf({ name: 1, count: 1.5, where: [] }), ['name: wrongType', 'count: notAnInteger', 'where: wrongType']);
  });

  it('are refused only where the schema itself refuses them (release)', function () {
    this.timeout(60_000); // hundreds of schemas are compiled, on a machine that may have others to serve
    const random = generator(4711);
    let refused = 0;
    for (let round = 0; round < 700; round += 1) {
      const schema = {
        type: 'object',
        properties: { a: randomSchema(random, 3), b: randomSchema(random, 2) },
        required: random(2) === 0 ? ['a'] : [],
      };
      const value = {
        ...(random(5) > 0 && { a: randomValue(random, 3) }),
        ...(random(2) > 0 && { b: randomValue(random, 2) }),
      } as JsonObject;
      const problems = argumentProblems(argumentForm(schema), value);
      if (problems.length > 0) {
        refused += 1;
        const verdict = checkSchema({ schema: JSON.stringify(schema), value: JSON.stringify(value) });
        assert.equal(verdict.kind, 'misfit', JSON.stringify({ schema, value, problems, verdict }));
      }
    }
    assert.ok(refused > 150, `${refused} were refused`);
  });
});

function randomSchema(random: Random, depth: number): JsonObject {
  const inner = (): JsonObject => (depth === 0 ? { type: 'string' } : randomSchema(random, depth - 1));
  const makers: readonly (() => JsonObject)[] = [
    () => ({}),
    () => ({ type: 'string', minLength: random(3), maxLength: 1 + random(3) }),
    () => ({ type: 'integer', minimum: random(3) }),
    () => ({ type: 'number', multipleOf: 0.5 + random(2) }),
    () => ({ type: 'string', nullable: true }),
    () => ({ type: 'string', not: { const: 'a' } }),
    () => ({ type: ['object', 'array'], properties: { p: inner() }, items: inner() }),
    () => ({ type: 'object', additionalProperties: inner() }),
    () => ({ properties: { p: inner() }, additionalProperties: inner() }),
    () => ({ type: 'array', items: inner(), uniqueItems: true }),
    () => ({ type: 'array', prefixItems: [{ type: 'null' }], items: inner() }),
    () => ({
      type: 'object',
      properties: { p: inner() },
      additionalProperties: random(2) === 0,
      oneOf: [{ required: ['p'] }, { properties: { q: inner() }, required: ['q'] }],
    }),
    () => ({ allOf: [inner(), inner()], anyOf: [inner(), inner()] }),
    () => ({ type: 'object', patternProperties: { '^q': inner() }, properties: { p: inner() } }),
    () => ({ type: 'number', exclusiveMaximum: random(3) }),
    () => ({ type: 'boolean' }),
    () => ({ type: ['string', 'null'] }),
    () => ({ type: ['integer', 'boolean'] }),
    () => ({ enum: ['a', 1, null] }),
    () => ({ const: true }),
    () => ({ type: 'array', items: inner(), minItems: random(2), maxItems: 1 + random(2) }),
    () => ({
      type: 'object',
      properties: { p: inner(), q: inner() },
      required: random(2) === 0 ? ['p'] : [],
      additionalProperties: random(2) === 0,
    }),
    () => ({ anyOf: [inner(), { type: 'null' }] }),
    () => ({ oneOf: [inner(), inner()] }),
    () => ({ allOf: [inner()] }),
    () => ({ anyOf: [{ const: 'a' }, { const: 2 }] }),
  ];
  return makers[random(makers.length)]?.() ?? {};
}

function randomValue(random: Random, depth: number): JsonValue {
  const inner = (): JsonValue => (depth === 0 ? 'a' : randomValue(random, depth - 1));
  const makers: readonly (() => JsonValue)[] = [
    () => 'a',
    () => '',
    () => 'word',
    () => random(4),
    () => 1.5,
    () => true,
    () => null,
    () => [],
    () => [inner(), inner()],
    () => ({}),
    () => ({ p: inner() }),
    () => ({ p: inner(), q: inner(), r: 1 }),
  ];
  return makers[random(makers.length)]?.() ?? null;
}
