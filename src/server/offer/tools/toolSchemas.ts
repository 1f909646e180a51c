import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json.ts';

/**
 * One level deep: a model pays for every character of the list, and what an answer holds further down it sees in the answer.
 * The reference and the tests have all of it.
 */
export function outputSchema(schema: z.ZodObject): JsonObject {
  const { properties, required = [] } = wholeSchema(schema);
  const members = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, member]) => [name, typeOnly(member)] as const);
  return { type: 'object', properties: Object.fromEntries(members), required };
}

function typeOnly(member: JsonValue | undefined): JsonObject {
  const type = isJsonObject(member) ? member.type : undefined;
  return typeof type === 'string' ? { type } : {};
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
