import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json.ts';
import { resources } from '../../../src/server/resources/resourceTable.ts';
import { tools } from '../../../src/server/tools/toolTable.ts';
import { fakeCall } from './support/fakeCall.ts';
import { diagnosticAt, FakeEditor } from './support/fakePorts.ts';

async function run(name: string, args: JsonObject, editor: FakeEditor): Promise<Record<string, unknown>> {
  const call = tools.find((tool) => tool.name === name)?.prepare(args);
  assert.equal(call?.kind, 'ready');
  return (await call.run({ editor, call: fakeCall() })) as Record<string, unknown>;
}

describe('the published tools and resources', () => {
  it('have these names, parameters and outputs', () => {
    const published = tools.map(({ listing, role }) => {
      const { inputSchema, outputSchema, annotations } = listing as unknown as Record<string, { properties: object }>;
      return [listing.name, role, Object.keys(inputSchema?.properties ?? {}), Object.keys(outputSchema?.properties ?? {}), annotations];
    });
    const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    assert.deepEqual(published, [
      ['list_open_editors', 'reader', [], ['editors'], { title: 'List Open Editors', ...hints }],
      [
        'get_diagnostics',
        'reader',
        ['path', 'severity', 'source', 'waitMs', 'limit', 'cursor'],
        ['diagnostics', 'documents', 'settled', 'total', 'nextCursor'],
        { title: 'Get Diagnostics', ...hints },
      ],
      ['list_workspace_folders', 'reader', [], ['folders'], { title: 'List Workspace Folders', ...hints }],
    ]);
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['editor://open', 'diagnostics://workspace', 'workspace://folders'],
    );
  });

  it('each resource equals the output of its tool', async () => {
    const editor = new FakeEditor();
    const read = await Promise.all(resources.map(async (resource) => resource.read({ editor, call: fakeCall() })));
    const values = read.map((content) => (content.kind === 'json' ? content.value : undefined));
    assert.deepEqual(values, [
      await run('list_open_editors', {}, editor),
      await run('get_diagnostics', {}, editor),
      await run('list_workspace_folders', {}, editor),
    ]);
  });

  it('get_diagnostics passes its filter on and waits only when told', async () => {
    const editor = new FakeEditor();
    await run('get_diagnostics', { path: 'src/a.ts', severity: 'warning', source: 'ts', waitMs: 50 }, editor);
    await run('get_diagnostics', {}, editor);
    assert.deepEqual(editor.queries, [{ path: 'src/a.ts', severity: 'warning', source: 'ts', waitMs: 50 }, { waitMs: 0 }]);
  });

  it('get_diagnostics pages through everything, 200 at a time', async () => {
    const editor = new FakeEditor();
    editor.diagnostics = Array.from({ length: 450 }, (_, index) => diagnosticAt(index + 1));
    const lines: number[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await run('get_diagnostics', cursor === undefined ? {} : { cursor }, editor);
      const shown = page.diagnostics as ReturnType<typeof diagnosticAt>[];
      lines.push(...shown.map(({ range }) => range.start.line));
      sizes.push(shown.length);
      assert.equal(page.total, 450);
      cursor = page.nextCursor as string | undefined;
    } while (cursor !== undefined);
    assert.deepEqual([sizes, lines], [[200, 200, 50], editor.diagnostics.map(({ range }) => range.start.line)]);
  });

  it('a cursor of another query is refused', async () => {
    const editor = new FakeEditor();
    editor.diagnostics = Array.from({ length: 3 }, (_, index) => diagnosticAt(index + 1));
    const { nextCursor } = await run('get_diagnostics', { limit: 1 }, editor);
    await assert.rejects(run('get_diagnostics', { source: 'ts', cursor: String(nextCursor) }, editor), { code: -32602 });
  });
});
