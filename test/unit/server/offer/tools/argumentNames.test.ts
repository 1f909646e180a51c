import assert from 'node:assert/strict';
import { silentLog } from '../../../../../src/base/log.ts';
import { createEditorCatalog } from '../../../../../src/server/offer/editorCatalog.ts';
import { callTool } from '../../../../../src/server/protocol/methods/toolCalls.ts';
import { tools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { ownTime } from '../../../../support/longestBlock.ts';

/** What is made of the arguments of a call: its paths and the arguments that are asked about, or why it is refused. */
function prepared(name: string, args: unknown): unknown {
  const call = tools.find((tool) => tool.name === name)?.prepare(args);
  return call?.kind === 'ready' ? { paths: call.paths, renamed: call.renamed } : { parameter: call?.parameter, reason: call?.reason };
}

describe('Names of arguments', () => {
  it('that are unknown are answered with the valid ones', () => {
    assert.deepEqual(prepared('get_hover', { path: 'a.ts', row: 3 }), {
      parameter: 'row',
      reason: 'Unrecognized key; valid: path, line, character, symbol, maxChars',
    });
    assert.deepEqual(prepared('propose_edits', { files: [{ path: 'a.ts', edits: [{ oldText: 'a', newText: 'b', count: 1 }] }] }), {
      parameter: 'files.0.edits.0.count',
      reason: 'Unrecognized key; valid: oldText, newText, replaceAll, range, symbol',
    });
    assert.deepEqual(prepared('list_open_editors', { constructor: 1 }), {
      parameter: 'constructor',
      reason: 'Unrecognized key; valid: maxChars, cursor',
    });
  });

  it('that models know from other programs are understood', () => {
    assert.deepEqual(prepared('read_file', { file_path: 'a.ts', start_line: 3 }), {
      paths: ['a.ts'],
      renamed: { path: 'a.ts', startLine: 3 },
    });
    assert.deepEqual(prepared('propose_edit', { filePath: 'a.ts', content: 'all of it' }), {
      paths: ['a.ts'],
      renamed: { path: 'a.ts', newText: 'all of it' },
    });
    assert.deepEqual(prepared('propose_edit', { file_path: 'a.ts', edits: [{ old_string: 'a', new_string: 'b', replace_all: true }] }), {
      paths: ['a.ts'],
      renamed: { path: 'a.ts', edits: [{ oldText: 'a', newText: 'b', replaceAll: true }] },
    });
    assert.deepEqual(
      prepared('propose_edits', {
        files: [
          { file_path: 'a.ts', content: 'x' },
          { path: 'b.ts', move_to: 'c.ts' },
        ],
      }),
      {
        paths: ['a.ts', 'b.ts', 'c.ts'],
        renamed: {
          files: [
            { path: 'a.ts', newText: 'x' },
            { path: 'b.ts', moveTo: 'c.ts' },
          ],
        },
      },
    );
  });

  it('of one edit may stand beside the path', () => {
    const edit = { path: 'a.ts', edits: [{ oldText: 'a', newText: 'b' }] };
    assert.deepEqual(prepared('propose_edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' }), { paths: ['a.ts'], renamed: edit });
    assert.deepEqual(prepared('propose_edit', { path: 'a.ts', oldText: 'a', newText: 'b' }), { paths: ['a.ts'], renamed: edit });
    assert.deepEqual(prepared('propose_edits', { files: [{ path: 'a.ts', old_string: 'a', new_string: 'b' }] }), {
      paths: ['a.ts'],
      renamed: { files: [edit] },
    });
    assert.deepEqual(prepared('propose_edit', { path: 'a.ts', old_string: 'a', edits: [{ oldText: 'a', newText: 'b' }] }), {
      parameter: 'oldText',
      reason: 'stands for edits: give only one of them',
    });
  });

  it('that are our own leave the arguments as they were', () => {
    assert.deepEqual(prepared('read_file', { path: 'a.ts', startLine: 2 }), { paths: ['a.ts'], renamed: undefined });
    assert.deepEqual(prepared('search_text', { query: 'a', content: 'b' }), {
      parameter: 'content',
      reason: 'Unrecognized key; valid: query, isRegex, isCaseSensitive, include, exclude, includeIgnored, limit, maxChars, cursor',
    });
  });

  it('are looked at for no longer than the call has few enough items', async () => {
    const edits = Array.from({ length: 1_000 }, () => ({}));
    const files = Array.from({ length: 2_000 }, () => ({ edits }));
    const elapsed = await ownTime(() => assert.match((prepared('propose_edits', { files }) as { reason: string }).reason, /items/));
    assert.ok(elapsed < 1_000, `${elapsed} ms`);
  });

  it('are refused when two of them stand for the same', () => {
    for (const [tool, args, parameter] of [
      ['read_file', { path: 'a.ts', file_path: 'b.ts' }, 'file_path'],
      ['read_file', { file_path: 'b.ts', path: 'a.ts' }, 'file_path'],
      ['read_file', { file_path: 'b.ts', filePath: 'a.ts' }, 'filePath'],
      ['propose_edit', { path: 'a.ts', newText: 'a', content: 'b' }, 'content'],
      [
        'propose_edits',
        { files: [{ path: 'a.ts', edits: [{ oldText: 'a', old_string: 'b', newText: 'c' }] }] },
        'files.0.edits.0.old_string',
      ],
    ] as const) {
      const refused = prepared(tool, args) as { parameter: string; reason: string };
      assert.equal(refused.parameter, parameter);
      assert.match(refused.reason, /^stands for \w+: give only one of them$/);
    }
  });

  it('are the own ones wherever a person, the policy or the record sees them', async () => {
    const editor = new FakeEditor();
    const catalog = createEditorCatalog(editor, { for: () => editor, toActFor: () => editor });
    const seen: unknown[] = [];
    const records = { write: (line: object) => Promise.resolve(void seen.push(line)), note: (line: object) => void seen.push(line) };
    const access = {
      admitNow: () => undefined,
      admit: ({ paths, call }: { readonly paths: readonly string[]; readonly call: { readonly arguments: string } }) => {
        seen.push({ paths, asked: JSON.parse(call.arguments) as unknown });
        return Promise.resolve({ reason: 'denied', sentence: 'No.' });
      },
    };
    const viewer = { credential: { id: 'window-1', kind: 'windowToken' }, callsItself: 'peer' };
    const params = { name: 'propose_edit', arguments: { file_path: 'src/a.ts', content: 'new' } };
    await callTool({ catalog, records, log: silentLog }, params, { access, viewer, revision: '2025-11-25' } as never);
    const [asked, line] = seen as [{ paths: string[]; asked: unknown }, { arguments: unknown }];
    assert.ok(
      asked.paths.some((path) => path.endsWith('src/a.ts')),
      String(asked.paths),
    );
    assert.deepEqual(asked.asked, { path: 'src/a.ts', newText: 'new' });
    assert.deepEqual(line.arguments, { path: 'src/a.ts', newText: 'new' });
  });
});
