import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { formGroup } from '../../../src/contract/forms/formFields.ts';
import { argumentProblems, placedRefusal } from '../../../src/schemaForms/argumentProblems.ts';
import { pathText } from '../../../src/schemaForms/argumentValues.ts';
import { checkSchema } from '../../../src/worker/checkSchema.ts';
import { filledForm, generator } from '../../support/filledForms.ts';
import { argumentForm } from './support.ts';

interface SchemaCase {
  readonly name: string;
  readonly schema: JsonObject;
  /** What the members of the arguments are in the form. */
  readonly controls?: Readonly<Record<string, string>>;
  readonly fits: readonly JsonObject[];
  /** Each with the field that it is refused beside. */
  readonly misfits: readonly (readonly [JsonObject, string])[];
}

const folder = path.join(import.meta.dirname, '../../fixtures/schemas');
const cases = readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as readonly SchemaCase[]);

/** Beside which fields the form itself or else the validator refuses it. */
function refusedAt(schema: JsonObject, value: JsonValue): readonly string[] {
  const form = argumentForm(schema);
  const own = argumentProblems(form, value);
  const verdict = checkSchema({ schema: JSON.stringify(schema), value: JSON.stringify(value) });
  assert.ok(own.length === 0 || verdict.kind === 'misfit', `refused by the form alone: ${JSON.stringify({ value, own })}`);
  const placed = verdict.kind === 'misfit' ? verdict.places.map((each) => placedRefusal(form, value, each, new Map())) : [];
  assert.ok(verdict.kind === 'fits' || placed.length > 0, JSON.stringify(verdict));
  return [...own, ...placed].map((each) => pathText(each.path));
}

describe('Schemas of every feature', () => {
  for (const { name, schema, controls, fits, misfits } of cases) {
    it(`have a form: ${name}`, () => {
      const form = argumentForm(schema);
      assert.deepEqual(formGroup.parse(form), form);
      if (controls !== undefined) {
        assert.deepEqual(Object.fromEntries(form.fields.map((field) => [field.name, field.type])), controls);
      }
      for (const value of fits) {
        assert.deepEqual(refusedAt(schema, value), [], JSON.stringify(value));
      }
      for (const [value, place] of misfits) {
        assert.equal(refusedAt(schema, value)[0], place, JSON.stringify(value));
      }
    });
  }

  it('are filled in at random, and what comes of it fits or is refused beside a field', () => {
    const random = generator(815);
    let fitting = 0;
    for (const { schema } of cases) {
      const form = argumentForm(schema);
      for (let round = 0; round < 40; round += 1) {
        const value = filledForm(form, random);
        fitting += refusedAt(schema, value).length === 0 ? 1 : 0;
      }
    }
    assert.ok(fitting > cases.length * 5, `${fitting} fit`);
  });
});
