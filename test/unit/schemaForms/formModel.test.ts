import assert from 'node:assert/strict';
import { formModel } from '../../../src/schemaForms/formModel.ts';

const ofProperty = (definition: unknown): ReturnType<typeof formModel> => formModel({ properties: { it: definition } });
const common = { name: 'it', label: 'it', description: '', isRequired: false };

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
    const plain = { description: '', isRequired: false };
    assert.deepEqual(formModel(schema), {
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
          default: 'x',
          looksSecret: true,
        },
        { name: 'age', label: 'age', description: 'In years', isRequired: true, type: 'number', isInteger: true, minimum: 0 },
        { ...plain, name: 'agree', label: 'agree', type: 'boolean', default: false },
        {
          ...plain,
          name: 'size',
          label: 'size',
          type: 'choice',
          options: [
            { value: 's', label: 'Small' },
            { value: 'l', label: 'l' },
          ],
          default: 's',
        },
        { ...plain, name: 'pets', label: 'pets', type: 'choices', options: [{ value: 'c', label: 'Cat' }], maxItems: 2, default: ['c'] },
        { ...plain, name: 'colour', label: 'colour', type: 'choice', options: [{ value: 'r', label: 'r' }] },
      ],
    });
  });

  it('is empty for a schema without properties', () => {
    assert.deepEqual(
      [formModel(undefined), formModel({ properties: [] })],
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
      [formModel({ properties }), ofProperty(long)],
      [
        { kind: 'tooLarge', maxFields: 50 },
        { kind: 'tooLarge', maxFields: 50 },
      ],
    );
  });

  it('shows as many options as a person could look through', () => {
    const values = Array.from({ length: 600 }, (_, index) => `v${index}`);
    const options = values.slice(0, 500).map((value) => ({ value, label: value }));
    const many = { kind: 'ok', fields: [{ ...common, type: 'choice', options }] };
    assert.deepEqual([ofProperty({ enum: values }), ofProperty({ oneOf: values.map((value) => ({ const: value })) })], [many, many]);
  });
});
