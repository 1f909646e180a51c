import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { createEditorCatalog } from '../../../../../src/server/offer/editorCatalog.ts';
import type { Catalog, Completion, Resource } from '../../../../../src/server/offer/catalog/catalog.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';

describe('Resources of documents', () => {
  let editor: FakeEditor;
  let catalog: Catalog;
  const { viewer } = fakeCall();
  beforeEach(() => {
    editor = new FakeEditor();
    catalog = createEditorCatalog(editor, { for: () => editor, toActFor: () => editor });
  });

  function find(uri: string): Resource {
    const found = catalog.findResource(uri, viewer);
    assert.ok(found, uri);
    return found;
  }

  async function read(uri: string): Promise<unknown> {
    const content = await find(uri).read(fakeCall());
    return content.kind === 'json' ? content.value : content;
  }

  it('editor://active is the active entry with text and version', async () => {
    assert.deepEqual(await read('editor://active'), { ...editor.editors[0], text: 'const count: number = "three";\n', version: 'v3' });
  });

  it('editor://active says so when no document is shown, and shows what is not text without text', async () => {
    editor.documents.files.delete('src/a.ts');
    assert.deepEqual(await read('editor://active'), editor.editors[0]);
    editor.editors = [];
    assert.deepEqual(await read('editor://active'), { isActive: false });
  });

  it('editor://active tells of another editor, another state and another text, and lets the old one go', () => {
    let told = 0;
    const listening = find('editor://active').changes(() => (told += 1));
    const counts = (change: () => void): number => {
      told = 0;
      change();
      return told;
    };
    const [sample] = editor.editors;
    assert.ok(sample);
    assert.equal(
      counts(() => editor.documents.didChange.fire('src/a.ts')),
      1,
    );
    assert.equal(
      counts(() => editor.didChangeOpenEditors.fire()),
      0,
    );
    editor.editors = [
      { ...sample, isActive: false },
      { ...sample, path: 'README.md' },
    ];
    assert.equal(
      counts(() => editor.didChangeOpenEditors.fire()),
      1,
    );
    assert.deepEqual(editor.documents.watched, ['README.md']);
    assert.equal(
      counts(() => editor.documents.didChange.fire('src/a.ts')),
      0,
    );
    listening.dispose();
    assert.deepEqual(editor.documents.watched, []);
  });

  it('file: URIs are the text, in any encoding of the path', async () => {
    editor.documents.files.set('a b.md', { text: '# x', languageId: 'markdown' });
    assert.deepEqual(await read('file:///demo/a%20b.md'), { kind: 'text', text: '# x', mimeType: 'text/markdown' });
    await assert.rejects(async () => find('file:///demo/none.md').read(fakeCall()), { code: 'editor.pathNotFound' });
    await assert.rejects(async () => find('file:///demo/none.md').check(fakeCall()), { code: 'editor.pathNotFound' });
  });

  it('a file that is too long is cut with a pointer to the rest', async () => {
    editor.documents.files.set('long.txt', { text: `${'x'.repeat(999)}\n`.repeat(2_500) });
    const { text } = (await read('file:///demo/long.txt')) as { text: string };
    assert.ok(text.length < 2_000_200);
    assert.match(text, /\[cut here: .*read_file.*from startLine 2001 on\]$/);
  });

  it('tells of changes of the file that was subscribed to, whatever its spelling, under the client’s own URI', () => {
    const told: string[] = [];
    const resources = ['file:///demo/src/a.ts', 'file:///demo/src/%61.ts'].map(find);
    const listening = resources.map((resource) => resource.changes(() => told.push(resource.uri)));
    editor.documents.didChange.fire('README.md');
    editor.documents.didChange.fire('src/a.ts');
    assert.deepEqual(told, ['file:///demo/src/a.ts', 'file:///demo/src/%61.ts']);
    listening.forEach((listener) => listener.dispose());
  });

  it('diagnostics://file is get_diagnostics of that file', async () => {
    await read('diagnostics://file/src/a.ts');
    assert.equal(editor.queries[0]?.path, 'src/a.ts');
    await assert.rejects(async () => find('diagnostics://file/none.ts').check(fakeCall()), { code: 'editor.pathNotFound' });
  });

  it('names what a resource and a call are about in the usual spelling, for the policy', () => {
    assert.deepEqual(find('file:///demo/src/%61.ts').paths, ['src/a.ts']);
    assert.deepEqual(find('diagnostics://file/src/../a%20b.ts').paths, ['a b.ts']);
    const call = catalog.findTool('read_file')?.prepare({ path: '/demo/./src//a.ts' });
    assert.deepEqual(call?.kind === 'ready' && call.paths, ['src/a.ts']);
  });

  it('has no resource for a broken encoding or a foreign scheme', () => {
    const strange = [
      'diagnostics://file/%E0%A4%A',
      'diagnostics://file/',
      'https://example.com/',
      'skill://duplex/../x',
      'editor://nothing',
      'git://nothing',
      'data:text/plain,x',
      '',
    ];
    assert.deepEqual(
      strange.filter((uri) => catalog.findResource(uri, viewer) !== undefined),
      [],
    );
  });

  it('lists the open documents after approval, and tells when that list changes', () => {
    const fixed = catalog.listResources(undefined);
    const listed = (): readonly JsonObject[] => catalog.listResources(viewer).slice(fixed.length);
    const entry = { uri: 'file:///demo/src/a.ts', name: 'a.ts', title: 'src/a.ts', mimeType: 'text/x-typescript' };
    assert.deepEqual(
      listed().filter(({ uri }) => (uri as string).startsWith('file:')),
      [entry],
    );
    const told: string[] = [];
    const listening = catalog.changesFor?.(viewer)((part) => told.push(part));
    editor.documents.didChangeDocuments.fire();
    assert.deepEqual(told, []);
    editor.documents.documents = [];
    editor.documents.didChangeDocuments.fire();
    assert.deepEqual(told, ['resources']);
    listening?.dispose();
  });

  describe('completion', () => {
    const complete = (uri: string, value: string): Promise<Completion> =>
      catalog.complete({ ref: { kind: 'resource', uri }, argument: { name: 'path', value }, context: {} }, fakeCall());

    it('offers files by the beginning of their path, ready for a URI', async () => {
      editor.documents.files.set('src/b c.ts', { text: '' });
      const diagnostics = 'diagnostics://file/{+path}';
      assert.deepEqual((await complete(diagnostics, 'src/')).values, ['src/a.ts', 'src/b%20c.ts']);
      assert.deepEqual((await complete(diagnostics, 'src/b%20')).values, ['src/b%20c.ts']);
      assert.deepEqual((await complete('file:///{+path}', 'demo/src/a')).values, ['demo/src/a.ts']);
      assert.deepEqual((await complete('file:///{+path}', '/demo/src/b%20')).values, ['demo/src/b%20c.ts']);
      assert.deepEqual((await complete('file:///{+path}', 'de')).values, ['demo/README.md', 'demo/src/a.ts', 'demo/src/b%20c.ts']);
      assert.deepEqual((await complete('file:///{+path}', 'elsewhere/')).values, []);
    });

    it('offers at most 100 and says that there are more', async () => {
      for (let index = 0; index < 150; index += 1) {
        editor.documents.files.set(`many/${index}.ts`, { text: '' });
      }
      const { values, hasMore } = await complete('diagnostics://file/{+path}', 'many/');
      assert.deepEqual([values.length, hasMore], [100, true]);
    });

    it('says that there may be more when the time was over before everything was looked at', async () => {
      editor.documents.findPaths = () => Promise.resolve({ paths: [], isComplete: false });
      assert.deepEqual(await complete('diagnostics://file/{+path}', 'many/'), { values: [], total: undefined, hasMore: true });
    });
  });
});
