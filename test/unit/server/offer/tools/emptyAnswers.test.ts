import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { editorError } from '../../../../../src/editor/shared/editorErrors.ts';
import type { FileQuery } from '../../../../../src/server/seen/ports/workspacePort.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { answerOf } from '../../support/toolAnswers.ts';

const place = { path: 'src/a.ts', line: 3, character: 7 };

function emptyEditor(): FakeEditor {
  const editor = new FakeEditor();
  Object.assign(editor, { editors: [], folders: [], diagnostics: [] });
  Object.assign(editor.language, { symbols: [], found: [], definitions: [], references: [], hover: '', calls: [], actions: [] });
  Object.assign(editor.workspace, { files: [], matches: [], tasks: [], changes: [] });
  Object.assign(editor.terminals, { commands: [] });
  editor.documents.selection = undefined;
  return editor;
}

/** Of tools with nothing to show, and how their note begins. */
const notes: readonly (readonly [string, JsonObject, RegExp])[] = [
  ['list_open_editors', {}, /^No editor is open/],
  ['list_workspace_folders', {}, /^No folder is open/],
  ['get_selection', {}, /^No text editor is open/],
  ['get_diagnostics', {}, /^Known are the problems of open files/],
  ['get_document_symbols', { path: 'src/a.ts' }, /finds no symbols in this file/],
  ['search_symbols', { query: 'x' }, /^No language service knows such a name.*search_text/],
  ['go_to_definition', place, /knows no definition .* is it on a name\?/],
  ['find_references', place, /knows no reference .* is it on a name\?/],
  ['get_hover', place, /nothing to say about this place: is it on a name\?/],
  ['get_call_hierarchy', { ...place, direction: 'outgoing' }, /knows no calls here/],
  ['list_code_actions', { path: 'src/a.ts', startLine: 1, endLine: 1 }, /^No quick fix .* get_diagnostics/],
  ['find_files', { pattern: 'x.ts' }, /^No file matches "x\.ts"/],
  ['search_text', { query: 'x' }, /^No line matches\..*includeIgnored/],
  ['get_terminal_output', {}, /^No terminal is open/],
  ['list_tasks', {}, /^VS Code knows no task here/],
  ['get_git_changes', {}, /^Nothing has changed since the last commit/],
  ['get_test_results', {}, /^No tests have run/],
];

describe('An answer with nothing in it', () => {
  for (const [name, args, expected] of notes) {
    it(`of ${name} says why, in the text and in the structure`, async () => {
      const { output, text } = await answerOf(name, args, emptyEditor());
      assert.match(String(output['note']), expected);
      assert.ok(text?.includes(String(output['note'])), text);
    });
  }

  it('of a later page of find_files says that nothing is left', async () => {
    const editor = emptyEditor();
    editor.workspace.files = ['a.ts', 'b.ts'];
    const { output: first } = await answerOf('find_files', { pattern: '*.ts', limit: 1 }, editor);
    editor.workspace.files = ['a.ts'];
    const { output } = await answerOf('find_files', { pattern: '*.ts', limit: 1, cursor: String(first['nextCursor']) }, editor);
    assert.deepEqual(output, { files: [], note: 'There is nothing more.' });
  });

  it('tells a language without a service from a place without a name, and a file alone from one in a project', async () => {
    const editor = emptyEditor();
    const noteOf = async (name: string, args: JsonObject): Promise<string> => String((await answerOf(name, args, editor)).output['note']);
    editor.language.covered = 'none';
    for (const [name, args] of [
      ['get_document_symbols', { path: 'src/a.ts' }],
      ['get_hover', place],
    ] as const) {
      assert.match(await noteOf(name, args), /^No language service has answered for this kind of file/);
    }
    editor.language.covered = 'alone';
    assert.match(await noteOf('find_references', place), /is it on a name\? "src\/a\.ts" belongs to no tsconfig\.json/);
    editor.language.references = new FakeEditor().language.references;
    assert.match(await noteOf('find_references', place), /^"src\/a\.ts" belongs to no tsconfig\.json.*search_text/);
  });

  it('tells a place that is not there, and a folder, from one without an answer', async () => {
    const mistakes = [
      editorError('editor.noSuchLine', { path: 'src/a.ts', line: 3, lineCount: 2 }),
      editorError('editor.noSuchCharacter', { path: 'src/a.ts', line: 3, character: 7, length: 2 }),
      editorError('editor.isFolder', { path: 'src' }),
    ];
    for (const mistake of mistakes) {
      const editor = new FakeEditor();
      const fail = (): Promise<never> => Promise.reject(mistake);
      const { language } = editor;
      Object.assign(language, { getDocumentSymbols: fail, getSyntaxTree: fail, goToDefinition: fail, findReferences: fail });
      Object.assign(language, { getHover: fail, getCallHierarchy: fail, listCodeActions: fail });
      for (const [name, args] of [
        ['get_document_symbols', { path: 'src' }],
        ['get_syntax_tree', { path: 'src' }],
        ['go_to_definition', place],
        ['find_references', place],
        ['get_hover', place],
        ['get_call_hierarchy', { ...place, direction: 'incoming' }],
        ['list_code_actions', { path: 'src', startLine: 1, endLine: 1 }],
      ] as const) {
        assert.equal((await answerOf(name, args, editor)).output['note'], mistake.message, name);
      }
    }
  });

  it('of Git tells a workspace without a repository from one without changes, and from a last page', async () => {
    const editor = emptyEditor();
    editor.workspace.hasRepository = false;
    assert.deepEqual((await answerOf('get_git_changes', {}, editor)).output, {
      changes: [],
      note: 'No folder of the workspace is in a Git repository.',
    });
  });
});

describe('A glob that finds nothing', () => {
  const noteOn = async (args: JsonObject, finds: (query: FileQuery) => boolean = () => false): Promise<string> => {
    const editor = new FakeEditor();
    editor.workspace.findFiles = (query) => Promise.resolve({ files: finds(query) ? ['x'] : [], hasMore: false });
    return String((await answerOf('find_files', args, editor)).output['note']);
  };

  it('is told what it is instead: a folder, ignored, excluded', async () => {
    assert.equal(
      await noteOn({ pattern: 'src/' }, ({ pattern }) => pattern === 'src/**'),
      '"src/" is a folder: "src/**" finds the files in it.',
    );
    assert.equal(
      await noteOn({ pattern: '*.js' }, ({ includeIgnored }) => includeIgnored),
      'No file matches "*.js" but files that git ignores: pass includeIgnored to see them.',
    );
    assert.equal(
      await noteOn({ pattern: '*.js', exclude: 'src' }, ({ exclude }) => exclude === undefined),
      'No file matches "*.js" that is not excluded by "src".',
    );
  });

  it('is told what is odd about it', async () => {
    assert.match(await noteOn({ pattern: 'src\\a.ts' }), /forward slashes/);
    assert.match(await noteOn({ pattern: 'src/{a,b.ts' }), /bracket without its other half/);
    assert.match(await noteOn({ pattern: '!src/a.ts' }), /use exclude/);
    assert.match(await noteOn({ pattern: '/home/me/demo/a.ts' }), /leave out the path of its folder/);
    assert.match(await noteOn({ pattern: '*.zig' }), /upper and lower case differ/);
  });

  it('as a filter of a search is told apart from lines that do not match', async () => {
    const editor = new FakeEditor();
    Object.assign(editor.workspace, { matches: [], files: [] });
    assert.match(
      String((await answerOf('search_text', { query: 'x', include: 'sorc' }, editor)).output['note']),
      /^No file matches "sorc"/,
    );
    editor.workspace.files = ['src/a.ts'];
    const regex = await answerOf('search_text', { query: 'a|b', include: 'src', includeIgnored: true }, editor);
    assert.equal(regex.output['note'], 'No line matches. The query was taken as it is: isRegex makes it a regular expression.');
  });
});
