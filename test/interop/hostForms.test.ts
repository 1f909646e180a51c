import assert from 'node:assert/strict';
import path from 'node:path';
import { argumentProblems, placedRefusal } from '../../src/schemaForms/argumentProblems.ts';
import { readableArgumentForm } from '../../src/schemaForms/argumentForm.ts';
import { startingValue } from '../../src/schemaForms/argumentValues.ts';
import { isJsonObject, type JsonValue } from '../../src/base/json.ts';
import type { FormField, FormGroup } from '../../src/contract/forms/formFields.ts';
import type { ToolInfo } from '../../src/host/shared/serverState.ts';
import { checkSchema } from '../../src/worker/checkSchema.ts';
import { filledForm, generator, type Random } from '../support/filledForms.ts';
import { ensureNewNode, ensurePeerProgram } from '../support/peers/peers.mjs';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { createTestHost, repositoryRoot, type TestHost } from '../unit/host/support.ts';

const ownServer = (name: string): string => path.join(repositoryRoot, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');

/** How many fields of the form have no control but JSON; all below one count once. */
function jsonFields(field: FormField): number {
  switch (field.type) {
    case 'json':
      return 1;
    case 'list':
      return jsonFields(field.item);
    case 'group':
      return [...field.fields, ...(field.rest === undefined ? [] : [field.rest])].reduce((sum, each) => sum + jsonFields(each), 0);
    case 'variants':
      return field.variants.reduce((sum, each) => sum + jsonFields(each.field), 0);
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
      return 0;
  }
}

/** What the form and the validator have against it, each beside a field of the form. */
function refusals(form: FormGroup, { inputSchema }: ToolInfo, value: JsonValue): number {
  const own = argumentProblems(form, value);
  const verdict = checkSchema({ schema: JSON.stringify(inputSchema), value: JSON.stringify(value) });
  assert.notEqual(verdict.kind, 'badSchema', JSON.stringify(verdict));
  assert.ok(own.length === 0 || verdict.kind === 'misfit', JSON.stringify({ value, own }));
  const placed = verdict.kind === 'misfit' ? verdict.places.map((each) => placedRefusal(form, value, each, new Map())) : [];
  assert.ok(verdict.kind === 'fits' || placed.length > 0);
  return own.length + placed.length;
}

/** Filled in at random again and again, as a person could. */
function hasFittingValue(form: FormGroup, tool: ToolInfo, random: Random): boolean {
  return Array.from({ length: 30 }, () => refusals(form, tool, filledForm(form, random))).some((count) => count === 0);
}

describe('Forms for the tools of other people’s servers', () => {
  let host: TestHost;
  const folder = createTemporaryFolder();
  const random = generator(2_026);

  async function toolsOf(definition: object): Promise<readonly ToolInfo[]> {
    await host.configure({ it: { command: await ensureNewNode(), ...definition } });
    const { id } = host.server('it');
    const state = await host.registry.start(id, { ask: host.ask, signal: new AbortController().signal });
    assert.equal(state.kind, 'ready', JSON.stringify(state));
    return host.server('it').tools;
  }

  beforeEach(async () => {
    host = await createTestHost({ folder });
  });
  afterEach(() => host.close());

  const servers: readonly (readonly [string, number, () => Promise<object>])[] = [
    ['server-everything', 10, () => Promise.resolve({ args: [ownServer('server-everything'), 'stdio'] })],
    ['server-filesystem', 10, () => Promise.resolve({ args: [ownServer('server-filesystem'), '${workspaceFolder}'] })],
    [
      'server-memory',
      9,
      () => Promise.resolve({ args: [ownServer('server-memory')], env: { MEMORY_FILE_PATH: path.join(folder, 'memory') } }),
    ],
    ['@playwright/mcp', 15, async () => ({ args: [await ensurePeerProgram('browsers', '@playwright/mcp'), '--headless'] })],
    [
      'chrome-devtools-mcp',
      15,
      async () => ({
        args: [await ensurePeerProgram('browsers', 'chrome-devtools-mcp'), '--headless', '--no-usage-statistics'],
        env: { CI: 'true' },
      }),
    ],
  ];

  for (const [name, atLeast, definition] of servers) {
    it(`${name}: every tool has a form with controls for all it takes, and what is filled in fits or is refused beside a field (release)`, async () => {
      const tools = await toolsOf(await definition());
      assert.ok(tools.length >= atLeast, `${tools.length} tools`);
      for (const tool of tools) {
        const form = readableArgumentForm(tool.inputSchema);
        assert.ok(form, tool.name);
        assert.equal(jsonFields(form), 0, `${tool.name}: ${JSON.stringify(tool.inputSchema)}`);
        const start = startingValue(form);
        assert.ok(isJsonObject(start));
        refusals(form, tool, start);
        assert.ok(hasFittingValue(form, tool, random), `${tool.name}: ${JSON.stringify(tool.inputSchema)}`);
      }
    });
  }
});
