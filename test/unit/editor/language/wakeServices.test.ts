import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type * as Service from '../../../../src/editor/language/languageService.ts';
import type * as Waking from '../../../../src/editor/language/wakeServices.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

/** A VS Code with one source file in its workspace, of which it has a text of its own. */
const vscode = `
const nothing = { dispose() {} };
const event = () => nothing;
export const state = { file: '', text: '', version: 1, isOpened: false, onChange: undefined };
const uri = { scheme: 'file', get path() { return state.file; }, get fsPath() { return state.file; }, toString: () => 'file://' + state.file };
const document = {
  uri, isDirty: false, isClosed: false, encoding: 'utf8', languageId: 'typescript',
  getText: () => state.text,
  get version() { return state.version; },
};
state.change = (text) => {
  Object.assign(state, { text, version: state.version + 1 });
  state.onChange?.({ document });
};
export const workspace = {
  get textDocuments() { return state.isOpened ? [document] : []; },
  notebookDocuments: [],
  workspaceFolders: [],
  getWorkspaceFolder: () => undefined,
  asRelativePath: () => 'a.ts',
  findFiles: async (glob) => (glob === '**/*' || String(glob).includes('tsx') ? [uri] : []),
  openTextDocument: async () => ((state.isOpened = true), document),
  onDidChangeTextDocument: (listener) => ((state.onChange = listener), { dispose: () => (state.onChange = undefined) }),
  onDidCloseTextDocument: event, onDidOpenTextDocument: event,
  getConfiguration: () => ({ get: () => undefined }),
};
export const window = { tabGroups: { all: [] } };
export class RelativePattern {}`;

const program = `
export { wakeServices } from './src/editor/language/wakeServices.ts';
export { LanguageService } from './src/editor/language/languageService.ts';
export { state } from 'vscode';`;

interface Fake {
  readonly state: {
    file: string;
    text: string;
    readonly onChange: unknown;
    /** VS Code reads another text under the name. */
    readonly change: (text: string) => void;
  };
}

describe('A language service that is woken by a file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'wake-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is asked nothing of it before VS Code has the text that the file has', async () => {
    const { wakeServices, LanguageService, state } = await importWithFakes<typeof Waking & typeof Service & Fake>(program, { vscode });
    state.file = path.join(folder, 'a.ts');
    await writeFile(state.file, 'export const own = 1;\n');
    state.text = 'export const foreign = 1;\n';
    const heard: string[] = [];
    const service = new LanguageService(() => {
      heard.push(state.text);
      return Promise.resolve([{}]);
    });
    const waking = wakeServices(service, new AbortController().signal, true);
    while (state.onChange === undefined && heard.length === 0) {
      await new Promise(setImmediate);
    }
    state.change('export const own = 1;\n');
    await waking;
    assert.deepEqual(heard, ['export const own = 1;\n']);
  });
});
