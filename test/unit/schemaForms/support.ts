import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import type { FormGroup } from '../../../src/contract/forms/formFields.ts';
import { readableArgumentForm } from '../../../src/schemaForms/argumentForm.ts';

/** Of a schema that is small enough for one. */
export function argumentForm(schema: JsonObject): FormGroup {
  const form = readableArgumentForm(schema);
  assert.ok(form);
  return form;
}
