import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { messageOf } from '../base/errors.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { SchemaVerdict } from '../contract/schemaVerdict.ts';
import { refusalsOf, type SchemaError } from './schemaRefusals.ts';
import type { Work } from './workMessages.ts';

interface Engine {
  compile(schema: unknown): Validator;
  errorsText(errors: Validator['errors']): string;
}

interface Validator {
  (value: unknown): unknown;
  readonly errors?: readonly SchemaError[] | null;
}

interface Known {
  readonly engine: Engine;
  readonly validate: Validator;
}

const maxKept = 50;
const maxReasonLength = 2_000;
/** By the schema's text: a tool is called again and again. */
const validators = new Map<string, Known>();

/** The one place where a stranger's schema is compiled. It can take for ever, so it is called in a thread. */
export function checkSchema({ schema, value }: Work['checkSchema']['job']): SchemaVerdict {
  let known: Known;
  try {
    known = validatorFor(schema);
  } catch (error) {
    return { kind: 'badSchema', reason: messageOf(error).slice(0, maxReasonLength) };
  }
  if (value === undefined) {
    return { kind: 'fits' };
  }
  const { engine, validate } = known;
  const parsed = JSON.parse(value) as JsonValue;
  if (validate(parsed) === true) {
    return { kind: 'fits' };
  }
  const { errors } = validate;
  return { kind: 'misfit', reason: engine.errorsText(errors).slice(0, maxReasonLength), places: refusalsOf(errors ?? [], parsed) };
}

function validatorFor(text: string): Known {
  const known = validators.get(text);
  if (known !== undefined) {
    return known;
  }
  const schema = JSON.parse(text) as JsonObject;
  const engine = engineFor(schema);
  const made = { engine, validate: engine.compile(schema) };
  const [oldest] = validators.keys();
  if (validators.size >= maxKept && oldest !== undefined) {
    validators.delete(oldest);
  }
  validators.set(text, made);
  return made;
}

/**
 * The one of the schema's dialect. The library chooses it and keeps it to itself; of what it finds it passes on one text, and
 * a form needs to know where each thing stands. One for each schema: those of strangers must not meet in one register by their
 * `$id`.
 */
function engineFor(schema: JsonObject): Engine {
  const provider = new AjvJsonSchemaValidator() as unknown as { _engineFor(schema: JsonObject): Engine };
  return provider._engineFor(schema);
}
