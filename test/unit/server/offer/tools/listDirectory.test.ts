import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { listDirectory } from '../../../../../src/server/offer/tools/listDirectory.ts';
import type { DirectoryEntry } from '../../../../../src/server/seen/ports/workspacePort.ts';
import { withholdingWorkspace } from '../../../../../src/server/seen/withheld/workspace.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { FakeWorkspace } from '../../support/fakeWorkspace.ts';
import { allPages } from '../../support/toolAnswers.ts';
import { visibilityWith } from '../../support/visibilityWith.ts';

interface Answer {
  readonly entries: readonly DirectoryEntry[];
  readonly note?: string;
}

describe('list_directory', () => {
  let editor: FakeEditor;
  beforeEach(() => {
    editor = new FakeEditor();
  });
  const list = async (args: JsonObject = {}): Promise<{ output: Answer; text: string }> => {
    const prepared = listDirectory.prepare(args);
    assert.equal(prepared.kind, 'ready');
    const { output, toText } = await prepared.run({ editor, call: fakeCall(), attach: () => undefined });
    return { output: output as Answer, text: toText?.() ?? '' };
  };

  it('returns what is in a folder, with kinds and sizes, one line each for a model', async () => {
    editor.workspace.directory = [...editor.workspace.directory, { path: 'way', kind: 'symlink' }];
    const { output, text } = await list();
    assert.deepEqual(output, { entries: editor.workspace.directory });
    assert.equal(text, 'src/\nsrc/a.ts 31 bytes\nway (link)');
  });

  it('asks for a folder, or for the whole workspace', async () => {
    for (const args of [{}, { path: '.' }, { path: './' }, { path: 'app' }, { path: 'src/lib/', depth: 3 }]) {
      await list(args);
    }
    assert.deepEqual(editor.workspace.directoriesAsked, [
      { path: undefined, depth: 1, limit: 5_000 },
      { path: undefined, depth: 1, limit: 5_000 },
      { path: undefined, depth: 1, limit: 5_000 },
      { path: 'app', depth: 1, limit: 5_000 },
      { path: 'src/lib/', depth: 3, limit: 5_000 },
    ]);
  });

  it('comes in pages with everything once, the nearest first, each sorted by path', async () => {
    const deep = Array.from({ length: 1_500 }, (_, index) => `a/rather/long/way/to/a/file/number${index}.ts`);
    const paths = ['a', 'z.ts', 'a/b.ts', ...deep];
    editor.workspace.directory = paths.map((path) => ({ path, kind: 'file' }));
    const pages = await allPages('list_directory', { depth: 9 }, editor);
    const seen = pages.map(({ output }) => (output['entries'] as DirectoryEntry[]).map(({ path }) => path));
    assert.deepEqual(seen.flat().sort(), [...paths].sort());
    const [first = []] = seen;
    assert.deepEqual([first[0], first[1], first.at(-1)], ['a', 'a/b.ts', 'z.ts']);
    assert.ok(pages.every(({ output, text = '' }) => Math.max(JSON.stringify(output).length, text.length) <= 25_000));
  });

  it('says what to try for what is behind the last page', async () => {
    editor.workspace.directory = Array.from({ length: 5_001 }, (_, index) => ({ path: `${'x'.repeat(50)}${index}`, kind: 'directory' }));
    const pages = await allPages('list_directory', { maxChars: 200_000 }, editor);
    const notes = pages.map(({ output }) => String(output['note']).slice(0, 14));
    assert.deepEqual([pages.length > 1, notes.at(-1), notes[0]], [true, 'There is more:', 'undefined']);
  });

  it('says that nothing is there, and which folders were not looked into or could not be read', async () => {
    editor.workspace.directory = [];
    editor.workspace.closed = ['a', 'b', 'c', 'd', 'e', 'f'];
    editor.workspace.unread = ['locked'];
    assert.equal(
      (await list()).output.note,
      'There is nothing to show here. Not looked into: a, b, c, d, e and 1 more. List them by their path. Could not be read: locked.',
    );
  });

  it('shows nothing of withheld folders and entries, and counts them nowhere', async () => {
    const workspace = new FakeWorkspace();
    const seen = withholdingWorkspace(
      workspace,
      visibilityWith(
        (path) => !path.includes('.env'),
        (text) => text,
      ),
    );
    workspace.directory = ['.env', 'a', '.env.local', 'b'].map((path) => ({ path, kind: 'file' }));
    workspace.closed = ['.env.d', 'dist'];
    const { signal } = new AbortController();
    assert.deepEqual(await seen.listDirectory({ depth: 1, limit: 2 }, signal), {
      entries: [
        { path: 'a', kind: 'file' },
        { path: 'b', kind: 'file' },
      ],
      hasMore: false,
      closed: ['dist'],
      unread: [],
    });
    await assert.rejects(seen.listDirectory({ path: '.env.d', depth: 1, limit: 2 }, signal), { code: 'editor.pathNotFound' });
    assert.equal(workspace.directoriesAsked.length, 1);
  });
});
