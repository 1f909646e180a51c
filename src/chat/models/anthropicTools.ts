import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ModelTool } from './modelProvider.ts';

/** A tool as Anthropic takes it. */
export interface AnthropicTool {
  readonly wire: { readonly description: string; readonly input_schema: JsonObject & { readonly type: 'object' } };
  /** The arguments as the model named them, with the names that the server knows. */
  readonly argumentsOf: (input: JsonObject) => JsonObject;
  /** The arguments of a call, with the names that the model knows. */
  readonly argumentsFor: (input: JsonObject) => JsonObject;
}

const known = new WeakMap<JsonObject, { readonly description: string; readonly tool: AnthropicTool }>();

/**
 * Makes the schema of a tool one that Anthropic takes. It refuses a request as a whole, whatever was asked, for one tool whose schema
 * has alternatives at its top, names of arguments with other characters, or is not as the draft of 2020-12 wants it. The server
 * checks the arguments by its own schema anyway.
 */
export function toolForAnthropic({ inputSchema, description }: Pick<ModelTool, 'inputSchema' | 'description'>): AnthropicTool {
  const before = known.get(inputSchema);
  if (before?.description === description) {
    return before.tool;
  }
  const { schema, said } = withoutAlternatives(validSchema(inputSchema, 0));
  const names = namesFor(membersOf(schema['properties']).map(([name]) => name));
  const back = new Map([...names].map(([own, given]) => [given, own]));
  const tool: AnthropicTool = {
    wire: { description: [description, said].filter((each) => each !== '').join('\n'), input_schema: renamed(schema, names) },
    argumentsOf: (input) => renamedMembers(input, back),
    argumentsFor: (input) => renamedMembers(input, names),
  };
  known.set(inputSchema, { description, tool });
  return tool;
}

/** Names that Anthropic does not take, each with one that it takes. */
type Names = ReadonlyMap<string, string>;

/** The most characters of an argument's name that Anthropic takes. */
const maxNameLength = 64;

function namesFor(all: readonly string[]): Names {
  const taken = new Set(all);
  const names = new Map<string, string>();
  for (const name of all) {
    if (/^[a-zA-Z0-9_.-]{1,64}$/.test(name)) {
      continue;
    }
    const plain = name.replaceAll(/[^a-zA-Z0-9_.-]+/g, '_').replaceAll(/^_+|_+$/g, '');
    const wanted = plain === '' ? 'argument' : plain.slice(0, maxNameLength);
    let given = wanted;
    for (let count = 2; taken.has(given); count += 1) {
      given = `${wanted.slice(0, maxNameLength - 6)}_${count}`;
    }
    taken.add(given);
    names.set(name, given);
  }
  return names;
}

function renamed(schema: JsonObject, names: Names): JsonObject & { readonly type: 'object' } {
  const { properties, required } = schema;
  return {
    ...schema,
    type: 'object',
    ...(isJsonObject(properties) && { properties: renamedMembers(properties, names) }),
    ...(Array.isArray(required) && { required: textsOf(required).map((name) => names.get(name) ?? name) }),
  };
}

function renamedMembers(members: JsonObject, names: Names): JsonObject {
  return names.size === 0 ? members : Object.fromEntries(Object.entries(members).map(([name, value]) => [names.get(name) ?? name, value]));
}

const combinators = ['allOf', 'anyOf', 'oneOf'] as const;
/** The longest alternatives that the model is told as they are. */
const maxToldLength = 4_000;

/** Takes the alternatives at the top of a schema into its properties, and says in words what they were. */
function withoutAlternatives(schema: JsonObject): { readonly schema: JsonObject; readonly said: string } {
  const found = combinators.filter((name) => schema[name] !== undefined);
  if (found.length === 0) {
    return { schema, said: '' };
  }
  // What is not in the properties may be in a part that was not understood, so it is not ruled out.
  const left = new Set<string>([...combinators, 'additionalProperties']);
  const rest = Object.fromEntries(membersOf(schema).filter(([name]) => !left.has(name)));
  const parts = found.flatMap((name) => itemsOf(schema[name]).map((part) => ({ name, part: resolved(part, schema) })));
  const properties = new Map(membersOf(rest['properties']));
  for (const [name, value] of parts.flatMap(({ part }) => membersOf(part['properties']))) {
    const before = properties.get(name);
    properties.set(name, before === undefined ? value : either(before, value));
  }
  const required = new Set([
    ...textsOf(rest['required']),
    ...parts.flatMap(({ name, part }) => (name === 'allOf' ? textsOf(part['required']) : [])),
  ]);
  const alternatives = JSON.stringify(Object.fromEntries(found.map((name) => [name, schema[name] ?? null])));
  const said =
    alternatives.length <= maxToldLength
      ? `The arguments together must also fit this JSON Schema: ${alternatives}`
      : 'Not all of these arguments go together: the server says which do when it refuses a call.';
  return { schema: { ...rest, properties: Object.fromEntries(properties), ...(required.size > 0 && { required: [...required] }) }, said };
}

/** A schema that fits where one of two does. */
function either(first: JsonValue, second: JsonValue): JsonValue {
  const all = [...alternativesOf(first), ...alternativesOf(second)];
  const different = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  return different.length === 1 ? (different[0] ?? true) : { anyOf: different };
}

function alternativesOf(schema: JsonValue): readonly JsonValue[] {
  const isOnlyThat = isJsonObject(schema) && Array.isArray(schema['anyOf']) && Object.keys(schema).length === 1;
  return isOnlyThat ? itemsOf(schema['anyOf']) : [schema];
}

function referenceIn(part: JsonValue): string {
  const reference = isJsonObject(part) ? part['$ref'] : undefined;
  return typeof reference === 'string' ? reference : '';
}

/** A part of a schema, or what it refers to within the same schema. */
function resolved(part: JsonValue, root: JsonObject): JsonObject {
  const [, place, name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(referenceIn(part)) ?? [];
  const definitions = place === undefined ? undefined : root[place];
  const target = isJsonObject(definitions) ? definitions[name.replaceAll('~1', '/').replaceAll('~0', '~')] : part;
  return isJsonObject(target) ? target : {};
}

function membersOf(value: JsonValue | undefined): readonly (readonly [string, JsonValue])[] {
  return Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, member] as const],
  );
}

function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

type Keep = (value: JsonValue, depth: number) => JsonValue | undefined;

/** Nothing honest is nested deeper; what is deeper means any value. */
const maxDepth = 60;

const asSchema: Keep = (value, depth) =>
  typeof value === 'boolean' ? value : isJsonObject(value) ? (depth > maxDepth ? true : validSchema(value, depth + 1)) : undefined;
const asSchemas: Keep = (value, depth) => {
  const schemas = Array.isArray(value) ? value.map((each: JsonValue) => asSchema(each, depth)).filter((each) => each !== undefined) : [];
  return schemas.length === 0 ? undefined : schemas;
};
/** The members that are fit. */
const byName =
  (keep: Keep): Keep =>
  (value, depth) =>
    isJsonObject(value)
      ? Object.fromEntries(
          membersOf(value).flatMap(([name, member]) => {
            const valid = keep(member, depth);
            return valid === undefined ? [] : [[name, valid] as const];
          }),
        )
      : undefined;
const asNamedSchemas = byName((value, depth) => asSchema(value, depth) ?? true);
const asNumber: Keep = (value) => (typeof value === 'number' ? value : undefined);
const asCount: Keep = (value) => (typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined);
const asText: Keep = (value) => (typeof value === 'string' ? value : undefined);
const asFlag: Keep = (value) => (typeof value === 'boolean' ? value : undefined);
const asNames: Keep = (value) => (Array.isArray(value) ? [...new Set(textsOf(value))] : undefined);
/** A place in a schema is kept by its path only, so what refers to one by a name of its own means any value. */
const asReference: Keep = (value) => (typeof value === 'string' && /^[^#]*(?:#(?:\/.*)?)?$/.test(value) ? value : undefined);
/** Older drafts wrote the name or the path of a place there too. */
const asId: Keep = (value) => (typeof value === 'string' && /^[^#]*#?$/.test(value) ? value : undefined);
const asNothing: Keep = () => undefined;
const types = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
const asTypes: Keep = (value) => {
  const named = [...new Set(textsOf(Array.isArray(value) ? value : [value]))].filter((each) => types.includes(each));
  return named.length === 0 ? undefined : Array.isArray(value) ? named : named[0];
};
const asPattern: Keep = (value) => {
  try {
    return typeof value === 'string' && new RegExp(value, 'u').source !== '' ? value : undefined;
  } catch {
    return undefined; // of another language's regular expressions
  }
};

/** What each keyword must be in a schema of the draft of 2020-12. The draft says of no other what it must be. */
const keywords: ReadonlyMap<string, Keep> = new Map([
  ...['additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not', 'propertyNames', 'then'].map(
    (name) => [name, asSchema] as const,
  ),
  ...['unevaluatedItems', 'unevaluatedProperties'].map((name) => [name, asSchema] as const),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((name) => [name, asSchemas] as const),
  ...['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'].map((name) => [name, asNamedSchemas] as const),
  ...['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum'].map((name) => [name, asNumber] as const),
  ...['maxContains', 'maxItems', 'maxLength', 'maxProperties', 'minContains', 'minItems', 'minLength', 'minProperties'].map(
    (name) => [name, asCount] as const,
  ),
  ...['$comment', 'contentEncoding', 'contentMediaType', 'description', 'format', 'title'].map((name) => [name, asText] as const),
  ...['deprecated', 'readOnly', 'uniqueItems', 'writeOnly'].map((name) => [name, asFlag] as const),
  // What is left is of the one dialect that Anthropic wants, and each of its places has a path.
  ...['$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveAnchor', '$recursiveRef', '$schema', '$vocabulary'].map(
    (name) => [name, asNothing] as const,
  ),
  ['$id', asId],
  ['$ref', asReference],
  ['dependencies', byName((value, depth) => asNames(value, depth) ?? asSchema(value, depth))],
  ['dependentRequired', byName(asNames)],
  ['enum', (value) => (Array.isArray(value) ? value : undefined)],
  ['examples', (value) => (Array.isArray(value) ? value : undefined)],
  ['multipleOf', (value) => (typeof value === 'number' && value > 0 ? value : undefined)],
  ['pattern', asPattern],
  ['required', asNames],
  ['type', asTypes],
]);

/** A schema with nothing that the draft of 2020-12 forbids. What older drafts wrote in another way is written in the new one. */
function validSchema(schema: JsonObject, depth: number): JsonObject {
  const kept = membersOf(inNewWords(schema)).flatMap(([name, value]): (readonly [string, JsonValue])[] => {
    const keep = keywords.get(name);
    const valid = keep === undefined ? value : keep(value, depth);
    return valid === undefined ? [] : [[name, valid]];
  });
  return Object.fromEntries(kept);
}

function inNewWords(schema: JsonObject): JsonObject {
  const { items, additionalItems, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = schema;
  const isTuple = Array.isArray(items);
  const bounds = {
    ...boundOf('minimum', minimum, exclusiveMinimum),
    ...boundOf('maximum', maximum, exclusiveMaximum),
  };
  const list = isTuple
    ? { prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
    : items === undefined
      ? {}
      : { items };
  return { ...rest, ...bounds, ...list };
}

/** A bound: an old draft says beside it by `true` that it is excluded itself. */
function boundOf(name: 'minimum' | 'maximum', bound: JsonValue | undefined, exclusive: JsonValue | undefined): JsonObject {
  const exclusiveName = name === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  if (exclusive === true && bound !== undefined) {
    return { [exclusiveName]: bound };
  }
  return { ...(bound !== undefined && { [name]: bound }), ...(exclusive !== undefined && { [exclusiveName]: exclusive }) };
}
