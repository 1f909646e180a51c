import assert from 'node:assert/strict';
import type { FormField } from '../../../src/contract/forms/formFields.ts';
import { acceptedContent, defaultValues, fieldProblem } from '../../../src/schemaForms/formValues.ts';

const common = { label: '', description: '', isRequired: false };
const text: FormField = { ...common, name: 'text', type: 'text', format: 'plain', looksSecret: false, minLength: 2, maxLength: 4 };
const number: FormField = { ...common, name: 'number', type: 'number', isInteger: true, minimum: 0, maximum: 9, default: 3 };
const flag: FormField = { ...common, name: 'flag', type: 'boolean', isRequired: true };
const one: FormField = { ...common, name: 'one', type: 'choice', options: [{ value: 'a', label: 'A' }], default: 'a' };
const many: FormField = { ...common, name: 'many', type: 'choices', options: [{ value: 'a', label: 'A' }], minItems: 1, maxItems: 1 };

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
      [number, '-', 'notANumber'],
      [flag, undefined, 'required'],
      [flag, false, undefined],
      [one, 'b', 'notAnOption'],
      [many, ['a', 'a'], 'tooMany'],
      [many, ['b'], 'notAnOption'],
      [many, [], undefined],
      [{ ...many, isRequired: true }, [], 'tooFew'],
    ] as const;
    assert.deepEqual(
      cases.map(([field, value]) => fieldProblem(field, typeof value === 'object' ? [...value] : value)),
      cases.map(([, , problem]) => problem),
    );
  });

  it('starts with the defaults and sends only what was asked for', () => {
    const fields = [text, number, flag, one, many];
    assert.deepEqual(defaultValues(fields), { number: 3, one: 'a' });
    assert.deepEqual(acceptedContent(fields, { text: '', flag: true, many: [], stray: 'x', constructor: 'y' }), { flag: true });
    assert.equal(acceptedContent(fields, { number: 3 }), undefined);
  });
});
