import assert from 'node:assert/strict';
import type { FormField } from '../../../src/contract/forms/formFields.ts';
import { acceptedContent, answerProblem, defaultAnswers, elicitationForm } from '../../../src/schemaForms/elicitationForm.ts';

const ofProperty = (definition: unknown): ReturnType<typeof elicitationForm> => elicitationForm({ properties: { it: definition } });
const common = { name: 'it', label: 'it', description: '', isRequired: false, isNullable: false };

describe('The form for a schema', () => {
  it('has a field for each property, with its words, limits and default', () => {
    const schema = {
      properties: {
        token: { type: 'string', title: 'Your\u200B key', format: 'date-time', minLength: 1, maxLength: 5, minimum: 7, default: 'x' },
        age: { type: 'integer', description: 'In years', minimum: 0, default: 'no number' },
        agree: { type: 'boolean', default: false },
        size: { type: 'string', enum: ['s', 7, 'l'], enumNames: ['Small', 'Seven'], default: 's' },
        pets: { type: 'array', maxItems: 2, items: { anyOf: [{ const: 'c', title: 'Cat' }, { const: 1 }] }, default: ['c', 'dog'] },
        colour: { oneOf: [{ const: 'r' }, { type: 'null' }], default: 'green' },
      },
      required: ['age', 'stray'],
    };
    const plain = { description: '', isRequired: false, isNullable: false };
    assert.deepEqual(elicitationForm(schema), {
      kind: 'ok',
      fields: [
        {
          ...plain,
          name: 'token',
          label: 'Your⟨U+200B⟩ key',
          type: 'text',
          format: 'dateTime',
          minLength: 1,
          maxLength: 5,
          default: '"x"',
          looksSecret: true,
        },
        { ...plain, name: 'age', label: 'age', description: 'In years', isRequired: true, type: 'number', isInteger: true, minimum: 0 },
        { ...plain, name: 'agree', label: 'agree', type: 'boolean', default: 'false' },
        {
          ...plain,
          name: 'size',
          label: 'size',
          type: 'choice',
          options: [
            { value: '"s"', label: 'Small' },
            { value: '"l"', label: 'l' },
          ],
          default: '"s"',
        },
        {
          ...plain,
          name: 'pets',
          label: 'pets',
          type: 'list',
          item: { ...plain, name: '', label: '', isRequired: true, type: 'choice', options: [{ value: '"c"', label: 'Cat' }] },
          maxItems: 2,
          default: '["c"]',
        },
        { ...plain, name: 'colour', label: 'colour', type: 'choice', options: [{ value: '"r"', label: 'r' }] },
      ],
    });
  });

  it('is empty for a schema without properties', () => {
    assert.deepEqual(
      [elicitationForm(undefined), elicitationForm({ properties: [] })],
      [
        { kind: 'ok', fields: [] },
        { kind: 'ok', fields: [] },
      ],
    );
  });

  it('is refused as a whole for a property that no field fits', () => {
    const definitions = [
      true,
      {},
      { type: 'object' },
      { type: ['string', 'null'] },
      { type: 'array', items: { type: 'string' } },
      { $ref: '#' },
    ];
    for (const definition of definitions) {
      assert.deepEqual(ofProperty(definition), { kind: 'unknownField', name: 'it' });
    }
  });

  it('is refused when it is too large', () => {
    const properties = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`p${index}`, { type: 'string' }]));
    const long = { type: 'string', description: 'x'.repeat(500_000) };
    assert.deepEqual(
      [elicitationForm({ properties }), ofProperty(long)],
      [
        { kind: 'tooLarge', maxFields: 50 },
        { kind: 'tooLarge', maxFields: 50 },
      ],
    );
  });

  it('shows as many options as a person could look through', () => {
    const values = Array.from({ length: 600 }, (_, index) => `v${index}`);
    const options = values.slice(0, 500).map((value) => ({ value: JSON.stringify(value), label: value }));
    const many = { kind: 'ok', fields: [{ ...common, type: 'choice', options }] };
    assert.deepEqual([ofProperty({ enum: values }), ofProperty({ oneOf: values.map((value) => ({ const: value })) })], [many, many]);
  });
});

const unnamed = { label: '', description: '', isRequired: false, isNullable: false };
const text: FormField = { ...unnamed, name: 'text', type: 'text', format: 'plain', looksSecret: false, minLength: 2, maxLength: 4 };
const number: FormField = { ...unnamed, name: 'number', type: 'number', isInteger: true, minimum: 0, maximum: 9, default: '3' };
const flag: FormField = { ...unnamed, name: 'flag', type: 'boolean', isRequired: true };
const one: FormField = { ...unnamed, name: 'one', type: 'choice', options: [{ value: '"a"', label: 'A' }], default: '"a"' };
const many: FormField = { ...unnamed, name: 'many', type: 'list', item: one, minItems: 1, maxItems: 1 };

describe('A form that a server asks to be filled in', () => {
  it('says what is wrong with a value', () => {
    const email: FormField = { ...text, format: 'email', maxLength: 100 };
    const cases = [
      [text, 'x', 'tooShort'],
      [text, 'xxxxx', 'tooLong'],
      [text, '😀😀😀😀', undefined],
      [text, '', undefined],
      [{ ...text, isRequired: true }, '', 'required'],
      [email, 'no', 'badFormat'],
      [email, 'a@b', undefined],
      [{ ...email, format: 'date' }, '2026-02-31x', 'badFormat'],
      [number, 1.5, 'notAnInteger'],
      [number, -1, 'tooSmall'],
      [number, 10, 'tooLarge'],
      [number, '-', 'wrongType'],
      [flag, undefined, 'required'],
      [flag, false, undefined],
      [one, 'b', 'notAnOption'],
      [many, ['a', 'a'], 'tooMany'],
      [many, ['b'], 'notAnOption'],
      [many, [], undefined],
      [{ ...many, isRequired: true }, [], 'tooFew'],
    ] as const;
    assert.deepEqual(
      cases.map(([field, value]) => answerProblem(field, value)?.kind),
      cases.map(([, , problem]) => problem),
    );
  });

  it('starts with the defaults and sends only what was asked for', () => {
    const fields = [text, number, flag, one, many];
    assert.deepEqual(defaultAnswers(fields), { number: 3, one: 'a' });
    assert.deepEqual(acceptedContent(fields, { text: '', flag: true, many: [], stray: 'x', constructor: 'y' }), { flag: true });
    assert.equal(acceptedContent(fields, { number: 3 }), undefined);
  });
});
