import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Log } from '../base/log.ts';

const annotation = 'x-mcp-header';
const permittedTypes = new Set<unknown>(['string', 'integer', 'boolean']);
/** RFC 9110, section 5.1. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Below these a name stands for a schema of its own, as below `properties`. */
const namedSchemas = new Set(['patternProperties', 'dependentSchemas', '$defs', 'definitions']);
/** Values, in which the annotation is only data. */
const data = new Set(['const', 'default', 'enum', 'examples', 'required']);

/**
 * Revision 2026-07-28 sends parameters that are annotated so as headers, too, and forbids to use a tool whose annotations
 * break its rules: such a header could be forged or lost on the way.
 */
export function withoutInvalidHeaders(tools: readonly JsonObject[], log: Log): readonly JsonObject[] {
  return tools.filter(({ name, inputSchema }) => {
    const fault = isJsonObject(inputSchema) ? headerFault(inputSchema) : undefined;
    if (fault !== undefined) {
      log.warn(`The tool “${typeof name === 'string' ? name : ''}” was left out: ${fault}.`);
    }
    return fault === undefined;
  });
}

/** What is wrong with the annotations of a schema, if anything is. */
export function headerFault(inputSchema: JsonObject): string | undefined {
  return faultIn(inputSchema, { isRoot: true, isReachable: true, seen: new Set() });
}

interface Place {
  readonly isRoot: boolean;
  /** Through `properties` only: elsewhere nobody could tell which value is meant. */
  readonly isReachable: boolean;
  /** Names so far; headers do not know upper and lower case. */
  readonly seen: Set<string>;
}

function faultIn(schema: JsonObject, place: Place): string | undefined {
  const own = annotation in schema ? faultOf(schema, place) : undefined;
  if (own !== undefined) {
    return own;
  }
  for (const [key, value] of Object.entries(schema)) {
    if (data.has(key)) {
      continue;
    }
    const isReachable = place.isReachable && key === 'properties';
    const children = key === 'properties' || namedSchemas.has(key) ? valuesOf(value) : [value].flat();
    for (const child of children.filter(isJsonObject)) {
      const fault = faultIn(child, { isRoot: false, isReachable, seen: place.seen });
      if (fault !== undefined) {
        return fault;
      }
    }
  }
  return undefined;
}

function faultOf(schema: JsonObject, { isRoot, isReachable, seen }: Place): string | undefined {
  const name = schema[annotation];
  if (isRoot || !isReachable) {
    return `${annotation} stands where no single parameter is meant`;
  }
  if (typeof name !== 'string' || !headerName.test(name)) {
    return `${annotation} is not the name of a header`;
  }
  if (!permittedTypes.has(schema['type'])) {
    return `${annotation} stands at a parameter that is no text, whole number or truth value`;
  }
  if (seen.has(name.toLowerCase())) {
    return `${annotation} names the same header twice`;
  }
  seen.add(name.toLowerCase());
  return undefined;
}

function valuesOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonObject(value) ? Object.values(value).filter((each) => each !== undefined) : [];
}
