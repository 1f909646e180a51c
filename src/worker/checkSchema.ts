import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { messageOf } from '../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ValuePath, ArgumentRefusal, SchemaVerdict } from '../contract/forms/formFields.ts';
import type { PoolJobs } from './workerPool.ts';

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

/** The most schemas whose validators are kept; the oldest one makes room. */
const maxKept = 50;
/** The most characters of the reason why a value does not fit, or a schema is unusable. */
const maxReasonLength = 2_000;
/** The most errors that a reason names; each names its place, which can be long. */
const maxReasons = 100;
/** The validators by the text of their schema: a tool is called again and again. */
const validators = new Map<string, Known>();

/**
 * Holds a value against a schema. This is the one place where a stranger's schema is compiled, which can take for ever, so it is
 * called in a thread.
 */
export function checkSchema({ schema, value }: PoolJobs['checkSchema']['job']): SchemaVerdict {
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
  const errors = validate.errors ?? [];
  const reason = engine.errorsText(errors.slice(0, maxReasons)).slice(0, maxReasonLength);
  return { kind: 'misfit', reason, places: refusalsOf(errors, parsed) };
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
 * The engine of the schema's dialect. The library chooses it and keeps it to itself; it passes on the errors as one text, and a form
 * needs to know where each stands. Each schema has an engine of its own: those of strangers must not meet in one register by their
 * `$id`.
 */
function engineFor(schema: JsonObject): Engine {
  const provider = new AjvJsonSchemaValidator() as unknown as { _engineFor(schema: JsonObject): Engine };
  return provider._engineFor(schema);
}

/** An error as the validator reports it. */
interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly propertyName?: string | undefined;
  readonly message?: string | undefined;
}

/** The most places of a value that are named as refused. */
const maxRefusals = 50;
/** The most errors of the validator that are looked at for these places. */
const maxErrors = 2_000;
/** The most characters of the places of all refusals: each repeats the keys that lead to it, and these can be long. */
const maxPlaces = 1_000_000;
/** The most characters of what is wanted at a place, and of the reason why its value is refused. */
const maxTextLength = 300;
/** Keywords whose own error only sums up what other errors say. */
const summaries: ReadonlySet<string> = new Set(['if', '$ref', 'propertyNames']);
/** Keywords whose error tells that a value was not meant for an alternative at all. */
const shapes: ReadonlySet<string> = new Set([
  'type',
  'const',
  'enum',
  'required',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'false schema',
]);

/**
 * The errors as refusals, each at the place where a person can do something about it. What alternatives say about a value that
 * fits none of them is summed up.
 */
function refusalsOf(errors: readonly SchemaError[], value: JsonValue): readonly ArgumentRefusal[] {
  const own = withoutAlternatives(errors.slice(0, maxErrors));
  const told = own.some(({ keyword }) => !summaries.has(keyword)) ? own.filter(({ keyword }) => !summaries.has(keyword)) : own;
  const refusals = new Map<string, ArgumentRefusal>();
  let room = maxPlaces;
  for (const error of told) {
    if (refusals.size >= maxRefusals || room <= 0) {
      break;
    }
    const refusal = toRefusal(error, value);
    const key = JSON.stringify([refusal.path, refusal.reason]);
    room -= key.length;
    refusals.set(key, refusals.get(key) ?? refusal);
  }
  return [...refusals.values()];
}

/**
 * The errors without those of alternatives, which stand before the error that sums them up. Only those about a value of the right
 * shape stay.
 */
function withoutAlternatives(errors: readonly SchemaError[]): readonly SchemaError[] {
  const kept: SchemaError[] = [];
  for (const error of errors) {
    if (
      error.keyword === 'contains' ||
      error.keyword === 'anyOf' ||
      (error.keyword === 'oneOf' && error.params['passingSchemas'] === null)
    ) {
      const parent = error.schemaPath.slice(0, -error.keyword.length);
      const isOfAlternative = ({ instancePath, schemaPath }: SchemaError): boolean =>
        (instancePath === error.instancePath || instancePath.startsWith(`${error.instancePath}/`)) &&
        (schemaPath.startsWith(`${error.schemaPath}/`) || !schemaPath.startsWith(parent));
      const first = kept.findLastIndex((each) => !isOfAlternative(each)) + 1;
      const telling = kept.splice(first).filter(({ keyword }) => error.keyword !== 'contains' && !shapes.has(keyword));
      kept.push(...telling);
    }
    kept.push(error);
  }
  return kept;
}

function toRefusal(error: SchemaError, value: JsonValue): ArgumentRefusal {
  const path = pathOf(error.instancePath, value);
  return {
    path: [...path, ...memberOf(error)],
    keyword: error.keyword,
    wanted: wantedBy(error),
    reason: (error.message ?? error.keyword).slice(0, maxTextLength),
  };
}

/** The member that an error of an object is about, as the rest of a path. */
function memberOf({ keyword, params, propertyName }: SchemaError): ValuePath {
  const { missingProperty, additionalProperty, unevaluatedProperty, i } = params;
  const member = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? propertyName;
  return typeof member === 'string' ? [member] : keyword === 'uniqueItems' && typeof i === 'number' ? [i] : [];
}

function wantedBy({ keyword, params }: SchemaError): string {
  if (keyword === 'oneOf' && params['passingSchemas'] !== null) {
    return 'one';
  }
  const { limit, pattern, format, multipleOf, type } = params;
  const wanted = limit ?? pattern ?? format ?? multipleOf ?? type;
  const isSaid = typeof wanted === 'string' || typeof wanted === 'number' || Array.isArray(wanted);
  return isSaid ? String(wanted).slice(0, maxTextLength) : '';
}

/** The path of a JSON pointer in the value; whether a step is a number depends on what it stands in. */
function pathOf(pointer: string, root: JsonValue): ValuePath {
  const path: (string | number)[] = [];
  let value: JsonValue | undefined = root;
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) {
      path.push(Number(step));
      value = (value as readonly JsonValue[])[Number(step)];
    } else {
      path.push(step);
      value = isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    }
  }
  return path;
}
