import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { messageOf } from '../base/errors.ts';
import type { SchemaVerdict } from '../contract/schemaVerdict.ts';
import type { Work } from './workMessages.ts';

type Validator = (value: unknown) => { readonly valid: boolean; readonly errorMessage?: string | undefined };

const maxKept = 50;
const maxReasonLength = 2_000;
/** By the schema's text: a tool is called again and again. */
const validators = new Map<string, Validator>();

/** The one place where a stranger's schema is compiled. It can take for ever, so it is called in a thread. */
export function checkSchema({ schema, value }: Work['checkSchema']['job']): SchemaVerdict {
  let validate: Validator;
  try {
    validate = validatorFor(schema);
  } catch (error) {
    return { kind: 'badSchema', reason: messageOf(error).slice(0, maxReasonLength) };
  }
  if (value === undefined) {
    return { kind: 'fits' };
  }
  const { valid, errorMessage = '' } = validate(JSON.parse(value));
  return valid ? { kind: 'fits' } : { kind: 'misfit', reason: errorMessage.slice(0, maxReasonLength) };
}

function validatorFor(schema: string): Validator {
  const known = validators.get(schema);
  if (known !== undefined) {
    return known;
  }
  // One for each: schemas of strangers must not meet in one register by their `$id`.
  const made = new AjvJsonSchemaValidator().getValidator(JSON.parse(schema) as Record<string, unknown>) as Validator;
  const [oldest] = validators.keys();
  if (validators.size >= maxKept && oldest !== undefined) {
    validators.delete(oldest);
  }
  validators.set(schema, made);
  return made;
}
