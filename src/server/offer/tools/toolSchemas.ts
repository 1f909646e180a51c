import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';
import { type ArgumentProblem, maxItems, unwrapped, validNames, withOwnNames } from './argumentNames.ts';

/**
 * The output schema as it is listed: one level deep, and only the members that are always there. A model pays for every character
 * of the list, and sees the rest in the answer. The reference and the tests have the whole schema.
 */
export function outputSchema(schema: z.ZodObject): JsonObject {
  const { properties, required } = wholeSchema(schema);
  const always = Array.isArray(required) ? required : [];
  const members = Object.entries(objectOf(properties))
    .filter(([name]) => always.includes(name))
    .map(([name, member]) => [name, typeOnly(member)] as const);
  return { type: 'object', properties: Object.fromEntries(members) };
}

function typeOnly(member: JsonValue | undefined): JsonObject {
  const { type } = objectOf(member);
  return typeof type === 'string' ? { type } : {};
}

/** Parameters that are listed without a description: their names say enough, and answers say how to use them. */
const selfExplaining: readonly string[] = ['path', 'limit', 'depth', 'maxChars', 'cursor'];
const countedFromOne: readonly string[] = ['line', 'character', 'startLine', 'endLine'];

/** The input schema as it is listed, without limits that go without saying. Calls are still checked against all of them. */
export function inputSchema(schema: z.ZodObject): JsonObject {
  const { properties, required, ...rest } = terse(wholeSchema(schema)) as JsonObject;
  const members = Object.entries(objectOf(properties)).map(([name, member]) => [name, published(name, member)]);
  return { ...rest, properties: Object.fromEntries(members) as JsonObject, ...(required !== undefined && { required }) };
}

function published(name: string, member: JsonValue | undefined): JsonValue | undefined {
  const { default: usual } = objectOf(member);
  const short = { ...typeOnly(member), ...(usual !== undefined && { default: usual }) };
  if (countedFromOne.includes(name)) {
    return { ...short, minimum: 1 };
  }
  return selfExplaining.includes(name) ? short : member;
}

const senseless: readonly string[] = ['additionalProperties', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum'];

/**
 * Removes what goes without saying: that texts are not empty, members not misspelt, numbers not negative, and that an omitted flag
 * is false. Clients refuse a list without `items` and an object without `properties`, so these stay everywhere.
 */
function terse(value: JsonValue | undefined, isNames = false): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map((each: JsonValue) => terse(each) ?? null);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const kept = Object.entries(value).filter(
    ([name, member]) => isNames || !(senseless.includes(name) || (name === 'default' && member === false)),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, terse(member, name === 'properties' && !isNames)]));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The whole schema as a caller sees it: members with a default are optional, and more members may be added later. */
export function wholeSchema(schema: z.ZodObject): JsonObject {
  const whole = z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema: part }) => dropSafeBounds(part) });
  const members = Object.entries(whole).filter(([name]) => name !== '$schema');
  return Object.fromEntries(members) as JsonObject;
}

/** Removes the bounds of safe integers, which go without saying. */
function dropSafeBounds(part: z.core.JSONSchema.BaseSchema): void {
  if (part.maximum === Number.MAX_SAFE_INTEGER) {
    delete part.maximum;
  }
  if (part.minimum === Number.MIN_SAFE_INTEGER) {
    delete part.minimum;
  }
}

/** The most quoted numbers that are corrected in one call: each costs a copy of the list it is in. */
const maxQuoted = 200;

/** Accepts numbers in quotes, which models often write. Every other mistake is reported. */
function parseLeniently<Input extends z.core.$ZodType>(schema: Input, args: unknown): z.ZodSafeParseResult<z.output<Input>> {
  const parsed = z.safeParse(schema, args);
  const quoted = parsed.success
    ? []
    : parsed.error.issues
        .filter(isAboutNumber)
        .slice(0, maxQuoted)
        .map(({ path }) => path);
  return quoted.length === 0 ? parsed : z.safeParse(schema, quoted.reduce(withoutQuotes, args));
}

/**
 * Looks through the lists in arguments and stops at the first mistake. The schema library looks at every item, and makes an issue of
 * each: a message of thousands of bad ones would keep everybody waiting.
 */
function problemInLists(schema: z.core.$ZodType, value: unknown, path: string, count: { items: number }): ArgumentProblem | undefined {
  const type = unwrapped(schema);
  if (type instanceof z.ZodObject && isJsonObject(value)) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = type.shape;
    for (const [name, member] of Object.entries(shape)) {
      const problem = problemInLists(member, value[name], `${path}${name}.`, count);
      if (problem !== undefined) {
        return problem;
      }
    }
  }
  if (!(type instanceof z.ZodArray) || !Array.isArray(value)) {
    return undefined;
  }
  const here = path.slice(0, -1);
  count.items += value.length;
  if (count.items > maxItems) {
    return { parameter: here, reason: tooManyItems };
  }
  for (const [index, item] of (value as readonly unknown[]).entries()) {
    const problem = problemInLists(type.element, item, `${path}${index}.`, count) ?? problemOf(type.element, item, `${here}.${index}`);
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

const tooManyItems = `more than ${maxItems.toLocaleString('en')} items in one call; send them in parts`;

function problemOf(schema: z.core.$ZodType, item: unknown, at: string): ArgumentProblem | undefined {
  const { success, error } = parseLeniently(schema, item);
  if (success) {
    return undefined;
  }
  const { parameter, reason } = firstProblem(error, schema);
  return { parameter: parameter === '' ? at : `${at}.${parameter}`, reason };
}

/** Makes the function that reads arguments by a schema. Most calls that only look have no arguments: their result is computed once. */
export function argumentReader<Input extends z.ZodObject>(schema: Input): (args: unknown) => ReadArguments<z.output<Input>> {
  let ofNone: ReadArguments<z.output<Input>> | undefined;
  const read = (args: unknown): ReadArguments<z.output<Input>> => {
    const { success, data, error } = parseLeniently(schema, args);
    return success ? { kind: 'read', data } : { kind: 'badArguments', ...firstProblem(error, schema) };
  };
  const readNamed = (args: unknown): ReadArguments<z.output<Input>> => {
    const named = withOwnNames(schema, args);
    if (named.kind === 'badArguments') {
      return { kind: 'badArguments', ...cutProblem(named) };
    }
    const problem = problemInLists(schema, named.args, '', { items: 0 });
    if (problem !== undefined) {
      return { kind: 'badArguments', ...cutProblem(problem) };
    }
    const outcome = read(named.args);
    return named.args === args || outcome.kind === 'badArguments' ? outcome : { ...outcome, renamed: named.args };
  };
  return (args = {}) => {
    if (!isEmpty(args)) {
      return readNamed(args);
    }
    if (ofNone === undefined) {
      ofNone = read({});
      Object.freeze(ofNone.kind === 'read' ? ofNone.data : ofNone); // many calls share this object
    }
    return ofNone;
  };
}

export type ReadArguments<Data> =
  /** `renamed`: the arguments under their own names, where the client had invented some. */
  { readonly kind: 'read'; readonly data: Data; readonly renamed?: unknown } | ({ readonly kind: 'badArguments' } & ArgumentProblem);

function isEmpty(args: unknown): boolean {
  return isJsonObject(args) && Object.keys(args).length === 0;
}

function isAboutNumber(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && (issue.expected === 'number' || issue.expected === 'int');
}

const quotedNumber = /^-?\d{1,16}$/;

/** Copies the value with the text at this path replaced by the number that it spells. */
function withoutQuotes(value: unknown, [member, ...rest]: readonly PropertyKey[]): unknown {
  if (member === undefined) {
    return typeof value === 'string' && quotedNumber.test(value) ? Number(value) : value;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const changed = withoutQuotes((value as Readonly<Record<PropertyKey, unknown>>)[member], rest);
  return Array.isArray(value) ? value.with(Number(member), changed) : { ...value, [member]: changed };
}

/** The longest name of a parameter in an error. */
const maxNameLength = 200;
/** The longest reason in an error about arguments. */
const maxReasonLength = 1_000;

function firstProblem(error: z.core.$ZodError, schema: z.core.$ZodType): ArgumentProblem {
  const [issue] = error.issues;
  if (issue === undefined) {
    return { parameter: '', reason: 'invalid' };
  }
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknownKey === undefined ? issue.path : [...issue.path, unknownKey];
  // An unknown member can have any name, and the message of the schema library would repeat it.
  const reason = unknownKey === undefined ? issue.message : `Unrecognized key; valid: ${validNames(schema, issue.path).join(', ')}`;
  return cutProblem({ parameter: path.map(String).join('.'), reason });
}

function cutProblem({ parameter, reason }: ArgumentProblem): ArgumentProblem {
  return { parameter: parameter.slice(0, maxNameLength), reason: reason.slice(0, maxReasonLength) };
}
