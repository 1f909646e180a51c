import assert from 'node:assert/strict';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../../src/base/json.ts';
import { tools } from '../../../../../src/server/offer/tools/toolTable.ts';

/** What VS Code's agent, OpenAI-style clients and others pass on; they refuse a tool, or all of them, for anything else. */
const understood: ReadonlySet<string> = new Set([
  'type',
  'description',
  'properties',
  'required',
  'items',
  'enum',
  'default',
  'minimum',
  'maximum',
]);

const types: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean']);

function isOfType(value: JsonValue | undefined, type: unknown): boolean {
  return type === 'integer' ? Number.isInteger(value) : type === 'array' ? Array.isArray(value) : typeof value === type;
}

/** Everything that the strictest client would refuse, with its place. */
function faultsOf(node: JsonValue | undefined, place: string): string[] {
  if (!isJsonObject(node)) {
    return [`${place} is no schema`];
  }
  const { type, properties, required, items, enum: values, default: usual } = node;
  return [
    ...Object.keys(node)
      .filter((keyword) => !understood.has(keyword))
      .map((keyword) => `${place} has ${keyword}`),
    ...(types.has(type) ? [] : [`${place} has no single type`]),
    ...(usual === undefined || isOfType(usual, type) ? [] : [`${place} has a default of another type`]),
    ...faultsOfEnum(values, type, place),
    ...(type === 'array' ? faultsOf(items, `${place}[]`) : items === undefined ? [] : [`${place} has items and is no list`]),
    ...(type === 'object' ? faultsOfObject(properties, required, place) : []),
  ];
}

function faultsOfEnum(values: JsonValue | undefined, type: unknown, place: string): string[] {
  if (values === undefined) {
    return [];
  }
  // Some clients take texts alone, and none of them empty.
  const isGood =
    type === 'string' && Array.isArray(values) && values.length > 0 && values.every((each) => typeof each === 'string' && each !== '');
  return isGood ? [] : [`${place} has an enum that is no list of texts`];
}

function faultsOfObject(properties: JsonValue | undefined, required: JsonValue | undefined, place: string): string[] {
  if (!isJsonObject(properties)) {
    return [`${place} is an object without properties`];
  }
  const missing = ((required ?? []) as readonly string[]).filter((name) => !Object.hasOwn(properties, name));
  return [
    ...(place.includes('.') && Object.keys(properties).length === 0 ? [`${place} is an empty object`] : []),
    ...missing.map((name) => `${place} requires ${name}, which it has not`),
    ...Object.entries(properties).flatMap(([name, member]) => faultsOf(member, `${place}.${name}`)),
  ];
}

interface Placed {
  readonly place: string;
  readonly node: JsonObject;
}

function nodesOf(place: string, node: JsonObject): Placed[] {
  const members = Object.entries((node.properties ?? {}) as Readonly<Record<string, JsonObject>>);
  return [
    { place, node },
    ...members.flatMap(([name, member]) => nodesOf(`${place}.${name}`, member)),
    ...(node.items === undefined ? [] : nodesOf(`${place}[]`, node.items as JsonObject)),
  ];
}

describe('The input schemas in tools/list', () => {
  const inputs = tools.map(({ name, listing }) => ({ name, schema: listing.inputSchema as JsonObject }));

  it('have nothing that the strictest client would refuse', () => {
    assert.deepEqual(
      inputs.flatMap(({ name, schema }) => faultsOf(schema, name)),
      [],
    );
  });

  it('are objects, without anything beside their members', () => {
    for (const { name, schema } of inputs) {
      assert.equal(schema.type, 'object', name);
      assert.deepEqual(
        Object.keys(schema).filter((keyword) => !['type', 'properties', 'required'].includes(keyword)),
        [],
        name,
      );
    }
  });

  it('say what is taken for a number that is left out, and for a flag that is then true', () => {
    const defaults = new Map(inputs.flatMap(({ name, schema }) => nodesOf(name, schema).map(({ place, node }) => [place, node.default])));
    const wanted: readonly (readonly [RegExp, JsonValue])[] = [
      [/^get_diagnostics\.waitMs$/, 0],
      [/^(?:start_debugging|debug_step)\.waitMs$/, 10_000],
      [/^get_debug_state\.depth$/, 1],
      [/^debug_evaluate\.timeoutMs$/, 5_000],
      [/^trace_run\.timeoutMs$/, 20_000],
      [/\.limit$/, 200],
      [/\.maxChars$/, 25_000],
      [/\.preview$/, true],
      [/\.wait$/, true],
      [/^read_file\.startLine$/, 1],
      [/^get_document_symbols\.depth$/, 1],
      [/^get_syntax_tree\.depth$/, 12],
      [/^list_directory\.depth$/, 1],
    ];
    for (const [pattern, value] of wanted) {
      const places = [...defaults].filter(([place]) => pattern.test(place));
      assert.ok(places.length > 0, String(pattern));
      places.forEach(([place, actual]) => assert.equal(actual, value, place));
    }
  });

  it('name what is needed to write an edit, also of several files', () => {
    const places = inputs.flatMap(({ name, schema }) => nodesOf(name, schema).map(({ place }) => place));
    for (const edit of ['propose_edit.edits[]', 'propose_edits.files[].edits[]']) {
      for (const member of ['oldText', 'newText', 'replaceAll', 'range.start.line', 'range.end.character']) {
        assert.ok(places.includes(`${edit}.${member}`), `${edit}.${member}`);
      }
    }
  });
});
