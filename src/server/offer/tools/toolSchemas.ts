import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';

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
  if (countedFromOne.includes(name)) {
    return { ...typeOnly(member), minimum: 1 };
  }
  return selfExplaining.includes(name) ? typeOnly(member) : member;
}

const senseless: readonly string[] = ['additionalProperties', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minimum'];

/**
 * Removes what goes without saying: that texts are not empty, members not misspelt, numbers not negative, and that an omitted flag
 * is false.
 */
function terse(value: JsonValue | undefined, isNames = false): JsonValue | undefined {
  if (Array.isArray(value)) {
    return value.map((each: JsonValue) => terse(each) ?? null);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const kept = Object.entries(value).filter(
    ([name, member]) => isNames || !(senseless.includes(name) || (name === 'default' && (member === false || member === 0))),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, terse(member, name === 'properties' && !isNames)]));
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The whole schema as a caller sees it: members with a default are optional, and more members may be added later. */
export function wholeSchema(schema: z.ZodObject): JsonObject {
  const whole = z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema: part }) => shorten(part) });
  const members = Object.entries(whole).filter(([name]) => name !== '$schema');
  return Object.fromEntries(members) as JsonObject;
}

/**
 * Marks a part of an input of which only the type is listed, because its description says enough. Calls are still checked against
 * all of it.
 */
export const shortly = { shortly: true } as const;

function shorten(part: z.core.JSONSchema.BaseSchema): void {
  dropSafeBounds(part);
  if (part.shortly === true) {
    for (const name of ['shortly', 'properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems']) {
      Reflect.deleteProperty(part, name);
    }
  }
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
function parseLeniently<Input extends z.ZodObject>(schema: Input, args: unknown): z.ZodSafeParseResult<z.output<Input>> {
  const parsed = schema.safeParse(args);
  const quoted = parsed.success
    ? []
    : parsed.error.issues
        .filter(isAboutNumber)
        .slice(0, maxQuoted)
        .map(({ path }) => path);
  return quoted.length === 0 ? parsed : schema.safeParse(quoted.reduce(withoutQuotes, args));
}

/** Makes the function that reads arguments by a schema. Most calls that only look have no arguments: their result is computed once. */
export function argumentReader<Input extends z.ZodObject>(schema: Input): (args: unknown) => z.ZodSafeParseResult<z.output<Input>> {
  let ofNone: z.ZodSafeParseResult<z.output<Input>> | undefined;
  return (args = {}) => {
    if (!isEmpty(args)) {
      return parseLeniently(schema, args);
    }
    if (ofNone === undefined) {
      ofNone = schema.safeParse({});
      Object.freeze(ofNone.data); // many calls share this object
    }
    return ofNone;
  };
}

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

export function firstProblem(error: z.ZodError): { readonly parameter: string; readonly reason: string } {
  const [issue] = error.issues;
  if (issue === undefined) {
    return { parameter: '', reason: 'invalid' };
  }
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknownKey === undefined ? issue.path : [...issue.path, unknownKey];
  // An unknown member can have any name, and the message of the schema library would repeat it.
  const reason = unknownKey === undefined ? issue.message : 'Unrecognized key';
  return { parameter: path.map(String).join('.').slice(0, maxNameLength), reason: reason.slice(0, maxReasonLength) };
}
