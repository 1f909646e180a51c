import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { LimitName } from './schemaField.ts';

/** Keywords of a schema that a stranger wrote: what is not of the form JSON Schema gives it counts as absent. */

const limitNames: readonly LimitName[] = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];
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
  const { type } = schema;
  return (isList(type) ? type.slice(0, maxTypes) : [type]).filter((each) => typeof each === 'string');
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

/** Where `$ref` leads within `root`, after a few steps at most; any value at all where it leads nowhere. */
export function withoutReference(schema: JsonObject, root: JsonObject): JsonObject {
  let current = schema;
  for (let step = 0; step < maxReferences; step += 1) {
    const reference = textOf(current, '$ref');
    if (reference === undefined) {
      break;
    }
    current = targetOf(reference, root);
  }
  return current;
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
