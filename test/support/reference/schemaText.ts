import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';

/** A schema with what is needed to follow its references, and those that were followed on the way. */
interface Part {
  readonly schema: JsonObject;
  readonly root: JsonValue | undefined;
  readonly seen: readonly string[];
}

/** Deeper than this, a reader has lost the thread. */
const deepest = 3;

/** A JSON Schema as a person would write it down: `path, range {start, end}, code?`. */
export function membersOf(schema: JsonValue | undefined): string {
  return members({ schema: objectOf(schema), root: schema, seen: [] }, 0);
}

/** The kind of a value in words: `a`, `b`; number; list of `{…}`. */
export function kindOf(schema: JsonValue | undefined, root: JsonValue | undefined): string {
  const part = follow(schema, { root, seen: [] });
  const { type, enum: values, const: only, items, anyOf, properties } = part.schema;
  if (Array.isArray(values)) {
    return values.map((value: JsonValue) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``).join(', ');
  }
  if (only !== undefined) {
    return `\`${JSON.stringify(only)}\``;
  }
  if (type === 'array') {
    const inside = follow(items, part);
    return isJsonObject(inside.schema.properties) ? `list of \`{${members(inside, 1)}}\`` : `list of ${kindOf(items, root)}s`;
  }
  if (isJsonObject(properties)) {
    return `\`{${members(part, 1)}}\``;
  }
  if (Array.isArray(anyOf)) {
    return anyOf.map((entry: JsonValue) => kindOf(entry, root)).join(' or ');
  }
  return type === 'integer' ? 'number' : typeof type === 'string' ? type : 'anything';
}

export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function members(part: Part, depth: number): string {
  const { properties, required } = part.schema;
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(objectOf(properties))
    .map(([name, member]) => `${name}${needed.has(name) ? '' : '?'}${inside(member, part, depth)}`)
    .join(', ');
}

/** Nothing for a plain value, and for what goes on in itself. */
function inside(schema: JsonValue | undefined, around: Part, depth: number): string {
  const part = follow(schema, around);
  const { type, items, properties, anyOf } = part.schema;
  if (type === 'array') {
    return `[${inside(items, part, depth).trim()}]`;
  }
  if (isJsonObject(properties)) {
    return depth >= deepest || isPosition(properties) ? '' : ` {${members(part, depth + 1)}}`;
  }
  const choices: readonly JsonValue[] = Array.isArray(anyOf) ? anyOf : [];
  const first = choices.find((entry) => isJsonObject(follow(entry, part).schema.properties));
  return first === undefined ? '' : inside(first, part, depth);
}

/** Everybody knows what is in one. */
function isPosition(properties: JsonObject): boolean {
  return Object.keys(properties).join() === 'line,character';
}

function follow(schema: JsonValue | undefined, { root, seen }: Pick<Part, 'root' | 'seen'>): Part {
  const { $ref } = objectOf(schema);
  if (typeof $ref !== 'string') {
    return { schema: objectOf(schema), root, seen };
  }
  if (seen.includes($ref)) {
    return { schema: {}, root, seen };
  }
  const name = $ref.split('/').at(-1) ?? '';
  const target = $ref === '#' ? objectOf(root) : objectOf(objectOf(objectOf(root)['$defs'])[name]);
  return { schema: target, root, seen: [...seen, $ref] };
}
