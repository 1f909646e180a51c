import assert from 'node:assert/strict';
import type { JsonObject, JsonValue } from '../../../../../src/base/json.ts';
import { tools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { faultsOf } from '../../../../support/strictSchemas.ts';

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
