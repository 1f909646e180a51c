import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';

/**
 * One level deep, and what is always there: a model pays for every character of the list, and what else an answer holds it
 * sees in the answer. The reference and the tests have all of it.
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

/** Their names say what they are, and answers how to use them. */
const selfExplaining: readonly string[] = ['path', 'limit', 'depth', 'maxChars', 'cursor'];
const countedFromOne: readonly string[] = ['line', 'character', 'startLine', 'endLine'];

/** Without what goes without saying: a call is still held to it. */
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

/** That texts are not empty, names not misspelt, numbers not below zero, and that what is left out is not so. */
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

/** As a caller sees it: members with a default are optional, and more members may come later. */
export function wholeSchema(schema: z.ZodObject): JsonObject {
  const whole = z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema: part }) => shorten(part) });
  const members = Object.entries(whole).filter(([name]) => name !== '$schema');
  return Object.fromEntries(members) as JsonObject;
}

/** Marks a part of an input whose description says enough: its type is all that is listed. A call is still held to all of it. */
export const shortly = { shortly: true } as const;

function shorten(part: z.core.JSONSchema.BaseSchema): void {
  dropSafeBounds(part);
  if (part.shortly === true) {
    for (const name of ['shortly', 'properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems']) {
      Reflect.deleteProperty(part, name);
    }
  }
}

/** That integers are exact goes without saying. */
function dropSafeBounds(part: z.core.JSONSchema.BaseSchema): void {
  if (part.maximum === Number.MAX_SAFE_INTEGER) {
    delete part.maximum;
  }
  if (part.minimum === Number.MIN_SAFE_INTEGER) {
    delete part.minimum;
  }
}
