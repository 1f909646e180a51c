import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type * as DiskNewsModule from '../../../../src/editor/documents/diskNews.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

type StillHas = DiskNewsModule.ServiceFiles['stillHas'];

/** A VS Code with one folder and no documents, which hears of a file that is gone when it is told. */
const vscode = `
const none = () => ({ dispose: () => undefined });
let listening = none;
const uriOf = (fsPath) => ({ scheme: 'file', fsPath, path: fsPath, toString: () => 'file://' + fsPath });
export const Uri = { file: uriOf };
export const open = (folder) => (workspace.workspaceFolders = [{ uri: uriOf(folder) }]);
export const tellGone = (file) => listening(uriOf(file));
export const workspace = {
  textDocuments: [],
  createFileSystemWatcher: () => ({
    onDidChange: none,
    onDidCreate: none,
    onDidDelete: (listener) => ((listening = listener), none()),
    dispose: () => undefined,
  }),
  onDidChangeTextDocument: none,
  onDidOpenTextDocument: none,
  onDidCloseTextDocument: none,
};`;
const program = `
export { DiskNews } from './src/editor/documents/diskNews.ts';
export { open, tellGone } from 'vscode';`;

interface FakeEditor {
  readonly open: (folder: string) => void;
  readonly tellGone: (file: string) => void;
}

describe('A file that is gone, as far as VS Code has told', () => {
  const { signal } = new AbortController();
  const never = new Promise<never>(() => undefined);
  let editor: typeof DiskNewsModule & FakeEditor;
  let folder: string;
  let file: string;
  let stillHas: StillHas;
  let disk: DiskNewsModule.DiskNews;

  before(async () => {
    editor = await importWithFakes(program, { vscode });
  });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'duplex-news-'));
    file = join(folder, 'short.ts');
    editor.open(folder);
    await writeFile(file, '');
    stillHas = () => Promise.resolve(false);
    disk = new editor.DiskNews({ readAgain: () => Promise.resolve(), stillHas: (uri) => stillHas(uri) });
    await behind(0);
    await rm(file);
    editor.tellGone(file);
  });

  afterEach(async () => {
    disk.dispose();
    await rm(folder, { recursive: true });
  });

  const behind = async (waitMs: number): Promise<readonly string[]> => {
    const found = await disk.steadily({ isTypescript: true }, waitMs, signal, () => Promise.resolve());
    return found.behind.map(({ fsPath }) => basename(fsPath));
  };

  it('is not taken for gone in the language service because that has said nothing in time', async () => {
    stillHas = () => never;
    await behind(400);
    stillHas = () => Promise.resolve(true);
    assert.deepEqual(await behind(400), ['short.ts']);
  });

  it('is asked about no more once the language service has said that it is gone, however late', async () => {
    let answer: (isHad: boolean) => void = () => undefined;
    stillHas = () => new Promise((resolve) => (answer = resolve));
    await behind(1_000);
    answer(false);
    stillHas = () => assert.fail('it is asked again');
    assert.deepEqual(await behind(20_000), []);
  });

  it('holds nobody up again and again because the language service never says anything', async () => {
    stillHas = () => never;
    await behind(1_000);
    const began = performance.now();
    await behind(30_000);
    assert.ok(performance.now() - began < 15_000);
  });

  it('stays one that the language service has when the last time it is asked there is no time left for an answer', async () => {
    let isFirst = true;
    stillHas = () => {
      const answer = isFirst ? Promise.resolve(true) : never;
      isFirst = false;
      return answer;
    };
    assert.deepEqual(await behind(600), ['short.ts']);
  });
});
