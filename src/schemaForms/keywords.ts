import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { LimitName } from './schemaField.ts';

/** Keywords of a schema that a stranger wrote: what is not of the form JSON Schema gives it counts as absent. */

const limitNames: readonly LimitName[] = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
];
/** Keywords that bind a value in ways that are not read. */
const otherKeywords: readonly string[] = [
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  'not',
  'if',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'prefixItems',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
];
/** JSON Schema knows seven. */
const maxTypes = 10;
const maxReferenceLength = 1_000;
const maxReferences = 4;

export function textOf(schema: JsonObject, keyword: string): string | undefined {
  const value = schema[keyword];
  return typeof value === 'string' ? value : undefined;
}

export function listOf(schema: JsonObject, keyword: string): readonly JsonValue[] | undefined {
  const value = schema[keyword];
  return isList(value) ? value : undefined;
}

export function typesOf(schema: JsonObject): readonly string[] {
  const { type, nullable } = schema;
  const types = (isList(type) ? type.slice(0, maxTypes) : [type]).filter((each) => typeof each === 'string');
  // As OpenAPI writes it, which validators know too.
  return nullable === true && types.length > 0 && !types.includes('null') ? [...types, 'null'] : types;
}

export function limitsOf(schema: JsonObject): Partial<Record<LimitName, number>> {
  const found: Partial<Record<LimitName, number>> = {};
  for (const name of limitNames) {
    const value = schema[name];
    if (typeof value === 'number' && Number.isFinite(value)) {
      found[name] = value;
    }
  }
  return found;
}

export function hasOtherKeywords(schema: JsonObject): boolean {
  return otherKeywords.some((keyword) => schema[keyword] !== undefined && !bindsNothing(keyword, schema[keyword])) || isTuple(schema);
}

/** A record of anything by name: names of members are always texts. */
function bindsNothing(keyword: string, value: JsonValue | undefined): boolean {
  return keyword === 'propertyNames' && isJsonObject(value) && Object.keys(value).join() === 'type' && value['type'] === 'string';
}

/** In the older way with a list of items, or with `prefixItems`. */
export function isTuple({ items, prefixItems }: JsonObject): boolean {
  return isList(items) || prefixItems !== undefined;
}

/** What members of any other name must be, where that says anything and holds for all of them. */
export function additionalOf({ additionalProperties, patternProperties }: JsonObject): JsonObject | undefined {
  const isSaid = isJsonObject(additionalProperties) && Object.keys(additionalProperties).length > 0;
  return isSaid && patternProperties === undefined ? additionalProperties : undefined;
}

export function namesOfMembers({ additionalProperties, patternProperties }: JsonObject): { isClosed: boolean; isOpen: boolean } {
  const isOpen = patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false);
  return { isClosed: additionalProperties === false && patternProperties === undefined, isOpen };
}

/**
 * Where `$ref` leads within `root`, after a few steps at most; any value at all where it leads nowhere. What is written about
 * the value beside the reference counts for this place.
 */
export function withoutReference(schema: JsonObject, root: JsonObject): JsonObject {
  let current = schema;
  for (let step = 0; step < maxReferences; step += 1) {
    const reference = textOf(current, '$ref');
    if (reference === undefined) {
      break;
    }
    current = { ...targetOf(reference, root), ...annotationsOf(current) };
  }
  return current;
}

function annotationsOf({ title, description, default: given }: JsonObject): JsonObject {
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(given === undefined ? {} : { default: given }),
  };
}

function targetOf(reference: string, root: JsonObject): JsonObject {
  if (reference.length > maxReferenceLength || !/^#(?:\/|$)/.test(reference)) {
    return {};
  }
  let target: JsonValue | undefined = root;
  for (const escaped of reference.split('/').slice(1)) {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    target = isJsonObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return isJsonObject(target) ? target : {};
}

/** `Array.isArray` forgets what a readonly array holds. */
function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
