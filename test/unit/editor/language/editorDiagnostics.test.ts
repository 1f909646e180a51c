import assert from 'node:assert/strict';
import * as path from 'node:path';
import { mock } from 'node:test';
import type * as Diagnostics from '../../../../src/editor/language/editorDiagnostics.ts';
import type * as News from '../../../../src/editor/documents/diskNews.ts';
import type * as Versions from '../../../../src/editor/documents/versions.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';
import { repositoryRoot } from '../../../support/run/repository.mjs';

const file = path.join(repositoryRoot, 'package.json');

/** A VS Code with a new document and an empty one of a file. No language service ever speaks of them, and each wait changes them. */
const vscode = `
const event = () => ({ dispose() {} });
export const state = { version: 1, languageId: '' };
const named = (scheme, path) => ({ scheme, path, fsPath: path, toString: () => scheme + ':' + path });
const documentOf = (uri) => ({
  uri, isDirty: false, isClosed: false, encoding: 'utf8', getText: () => '',
  get version() { return state.version; }, get languageId() { return state.languageId; },
});
export const Uri = { parse: (text) => named(...text.split(':')), file: (path) => named('file', path) };
const ofFile = documentOf(Uri.file(${JSON.stringify(file)}));
export const workspace = {
  textDocuments: [documentOf(Uri.parse('untitled:Untitled-1')), ofFile], notebookDocuments: [], workspaceFolders: [], getWorkspaceFolder: () => undefined,
  onDidOpenTextDocument: event, onDidChangeTextDocument: event, onDidCloseTextDocument: event, onDidChangeWorkspaceFolders: event,
  openTextDocument: async () => ofFile,
  createFileSystemWatcher: () => ({ onDidChange: event, onDidCreate: event, onDidDelete: event, dispose() {} }),
};
export const languages = { onDidChangeDiagnostics: event, getDiagnostics: () => [] };
export const window = { tabGroups: { all: [], onDidChangeTabs: event, onDidChangeTabGroups: event } };
export const commands = { executeCommand: () => new Promise(() => undefined) };`;

const program = `
export { EditorDiagnostics } from './src/editor/language/editorDiagnostics.ts';
export { DiskNews } from './src/editor/documents/diskNews.ts';
export { TextVersions } from './src/editor/documents/versions.ts';
export { state } from 'vscode';`;

type Program = typeof Diagnostics & typeof News & typeof Versions & { readonly state: { version: number; languageId: string } };

describe('The diagnostics of a file that changes while its service is waited for', () => {
  let loaded: Program;
  let now: number;

  before(async () => {
    loaded = await importWithFakes<Program>(program, { vscode });
  });

  beforeEach(() => {
    now = 0;
    mock.method(performance, 'now', () => now);
    // Whatever is waited for takes its whole time, at once.
    mock.method(globalThis, 'setTimeout', (over: () => void, milliseconds: number) =>
      setImmediate(() => {
        now += milliseconds;
        loaded.state.version += 1;
        over();
      }),
    );
  });

  afterEach(() => mock.restoreAll());

  /** Asks about the document, after the disk has taken some time; returns whether the answer is sure, and when it came. */
  async function asked(name: string, languageId: string, waitMs: number, diskMs: number): Promise<readonly [boolean, number]> {
    const { EditorDiagnostics, DiskNews, TextVersions, state } = loaded;
    state.languageId = languageId;
    const disk = new DiskNews({ readAgain: () => Promise.resolve(), stillHas: () => Promise.resolve(false) });
    const steadily = disk.steadily.bind(disk);
    mock.method(disk, 'steadily', (...args: Parameters<typeof steadily>) => {
      now += diskMs;
      return steadily(...args);
    });
    const diagnostics = new EditorDiagnostics(new TextVersions('key'), disk);
    try {
      const { settled } = await diagnostics.get({ path: name, waitMs }, new AbortController().signal);
      return [settled, now];
    } finally {
      diagnostics.dispose();
      disk.dispose();
    }
  }

  for (const { languageId, waitMs, diskMs, endsAt } of [
    { languageId: 'ini', waitMs: 20_000, diskMs: 0, endsAt: 20_000 },
    { languageId: 'typescript', waitMs: 20_000, diskMs: 0, endsAt: 20_000 },
    { languageId: 'typescript', waitMs: 0, diskMs: 0, endsAt: 8_000 },
    { languageId: 'typescript', waitMs: 0, diskMs: 2_000, endsAt: 10_000 },
    { languageId: 'typescript', waitMs: 20_000, diskMs: 20_000, endsAt: 24_000 },
  ]) {
    it(`come once its wait is over: ${languageId}, waitMs ${waitMs}, after ${diskMs} ms for the disk`, async () => {
      assert.deepEqual(await asked('untitled:Untitled-1', languageId, waitMs, diskMs), [false, endsAt]);
    });
  }

  it('come soon after the wait when VS Code never has what the disk has', async () => {
    const [settled, endsAt] = await asked(file, 'json', 20_000, 20_000);
    assert.equal(settled, false);
    assert.ok(endsAt > 20_000 && endsAt < 23_000, String(endsAt));
  });
});
