import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { checkTools, type ToolFinding } from '../../../../src/host/tools/checkTools.ts';
import type { OutputVerdict } from '../../../../src/host/connection/schemaChecks.ts';
import type { ToolInfo } from '../../../../src/host/shared/serverState.ts';
import { checksInProcess } from '../../../support/checksInProcess.ts';
import { createTestHost } from '../support.ts';
import path from 'node:path';

const { signal } = new AbortController();
const good: ToolInfo = {
  name: 'read_note',
  title: undefined,
  description: 'Reads a note.',
  inputSchema: { type: 'object', properties: { day: { type: 'string', description: 'Which' } }, required: ['day'] },
  outputSchema: undefined,
  annotations: { readOnlyHint: true },
};
const answer: JsonObject = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] };

const findingsOf = async (
  change: Partial<ToolInfo>,
  outputs: ReadonlyMap<string, OutputVerdict> = new Map(),
): Promise<readonly ToolFinding[]> => {
  const [checked] = await checkTools({ tools: [{ ...good, ...change }], outputs, schemas: checksInProcess, signal });
  return checked?.findings ?? [];
};

describe('The check of a server’s tools', () => {
  it('finds nothing in one that is as it should be', async () => {
    assert.deepEqual(await findingsOf({}), []);
  });

  const cases: readonly [string, Partial<ToolInfo>, readonly ToolFinding[]][] = [
    ['a name with a space', { name: 'read note' }, [{ kind: 'badName' }]],
    ['a name that models cannot take', { name: 'n'.repeat(65) }, [{ kind: 'longName' }]],
    ['an empty description', { description: ' ' }, [{ kind: 'noDescription' }]],
    [
      'a parameter nobody describes',
      { inputSchema: { type: 'object', properties: { day: { type: 'string' }, at: { $ref: '#/properties/day' } } } },
      [{ kind: 'undescribedParameters', names: ['day'] }],
    ],
    ['an input that is no object', { inputSchema: {} }, [{ kind: 'inputNotObject' }]],
    [
      'a required property that is not there',
      { inputSchema: { type: 'object', required: ['day'] } },
      [{ kind: 'unknownRequired', names: ['day'] }],
    ],
    ['no annotations', { annotations: undefined }, [{ kind: 'noAnnotations' }]],
    ['an annotation that is a text', { annotations: { openWorldHint: 'yes' } }, [{ kind: 'badAnnotation', name: 'openWorldHint' }]],
    ['a reader that destroys', { annotations: { readOnlyHint: true, destructiveHint: true } }, [{ kind: 'readOnlyDestructive' }]],
    ['a reader called deleteNote', { name: 'deleteNote' }, [{ kind: 'unlikelyReadOnly', word: 'delete' }]],
    [
      'a harmless tool called purge-all',
      { name: 'purge-all', annotations: { destructiveHint: false } },
      [{ kind: 'unlikelyHarmless', word: 'purge' }],
    ],
    ['a name that only holds such a word', { name: 'settings' }, []],
    ['an output schema that no result was held against', { outputSchema: answer }, [{ kind: 'outputUnseen' }]],
  ];
  for (const [what, change, findings] of cases) {
    it(`judges ${what}`, async () => {
      assert.deepEqual(await findingsOf(change), findings);
    });
  }

  it('finds a schema that cannot be used, and then says nothing of results', async () => {
    const bad = await findingsOf({ outputSchema: { type: 'object', properties: { a: { type: 'nothing' } } } });
    assert.deepEqual(
      bad.map((finding) => [finding.kind, 'of' in finding && finding.of]),
      [['badSchema', 'output']],
    );
  });

  it('judges the last result, and only by the schema it was held against', async () => {
    const seen = (schema: JsonObject, verdict: OutputVerdict['verdict']): ReadonlyMap<string, OutputVerdict> =>
      new Map([[good.name, { schema, verdict }]]);
    assert.deepEqual(await findingsOf({ outputSchema: answer }, seen(answer, { kind: 'fits' })), []);
    assert.deepEqual(await findingsOf({ outputSchema: answer }, seen(answer, { kind: 'misfit', reason: 'why', places: [] })), [
      { kind: 'outputMisfit', reason: 'why' },
    ]);
    assert.deepEqual(await findingsOf({ outputSchema: answer }, seen({}, { kind: 'fits' })), [{ kind: 'outputUnseen' }]);
  });

  it('knows what came of calling the tools of a running server', async () => {
    const host = await createTestHost();
    try {
      await host.configure({
        scripted: { command: 'node', args: [path.join(import.meta.dirname, '../../../fixtures/servers/featuresServer.mjs')] },
      });
      const { id } = host.server('scripted');
      await host.registry.start(id, { ask: host.ask, signal });
      await host.call('misfit');
      const outputs = host.registry.outputsOf(id);
      const checked = await checkTools({ tools: host.server('scripted').tools, outputs, schemas: checksInProcess, signal });
      const found = checked.find(({ name }) => name === 'misfit')?.findings.map(({ kind }) => kind);
      assert.deepEqual(found, ['noDescription', 'outputMisfit', 'noAnnotations']);
    } finally {
      await host.close();
    }
  });

  it('ends when it is cancelled', async () => {
    const cancelled = checkTools({ tools: [good], outputs: new Map(), schemas: checksInProcess, signal: AbortSignal.abort() });
    await assert.rejects(cancelled, { name: 'AbortError' });
  });
});
