import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type * as vscode from 'vscode';
import { untilAborted } from '../../../../src/base/abort.ts';
import type { Disposable } from '../../../../src/base/lifecycle.ts';
import type { ChangeSources } from '../../../../src/editor/documents/changeSources.ts';
import { importWithFakes } from '../../../support/build/importWithFakes.ts';

interface Joined {
  newSources(): ChangeSources;
  /** The watchers that are there, none of which says anything by itself. */
  readonly watchers: Set<object>;
}

const program = `
  import { ChangeSources } from './src/editor/documents/changeSources.ts';
  import { watchers } from 'vscode';
  export { watchers };
  export const newSources = () => new ChangeSources();
`;

const silentEditor = `
  export const watchers = new Set();
  const event = () => ({ dispose() {} });
  export const workspace = new Proxy(
    {
      createFileSystemWatcher() {
        const watcher = { onDidChange: event, onDidCreate: event, onDidDelete: event, dispose: () => watchers.delete(watcher) };
        watchers.add(watcher);
        return watcher;
      },
    },
    { get: (target, name) => target[name] ?? event },
  );
`;

describe('What changes in a file that is followed', () => {
  let folder: string;
  let sources: ChangeSources;
  let joined: Joined;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'dpx-sources-'));
    joined = await importWithFakes<Joined>(program, { vscode: silentEditor });
    sources = joined.newSources();
  });
  after(async () => {
    sources.dispose();
    await rm(folder, { recursive: true });
  });

  const uriOf = (fsPath: string): vscode.Uri => ({ scheme: 'file', fsPath, toString: () => `file://${fsPath}` }) as vscode.Uri;

  it('is told although the watcher has not begun', async () => {
    const file = path.join(folder, 'followed.txt');
    await writeFile(file, 'before');
    let following: Disposable | undefined;
    const told = new Promise<void>((resolve) => {
      following = sources.of(uriOf(file))(() => resolve());
    });
    assert.equal(joined.watchers.size, 1);
    await writeFile(file, 'changed before the watcher had begun');
    await untilAborted(told, AbortSignal.timeout(15_000));
    following?.dispose();
    assert.equal(joined.watchers.size, 0, 'nobody follows anything now');
  });
});
