import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import { callTool, failureOf, proposals, textOf, writeFile } from './support/actingCalls.ts';
import { workspacePath } from './support/duplex.ts';
import {
  demandUntouched,
  fourChanges,
  isThere,
  onDisk,
  outcomes,
  press,
  uriOf,
  useReviewedFolders,
  writeFour,
} from './support/reviewedFiles.ts';

describe('The review of several files, some of which cannot be changed', () => {
  const { access, folder } = useReviewedFolders();

  it('saves everything with one answer', async () => {
    await writeFour();
    const { result } = await callTool(access(), 'propose_edits', { files: fourChanges(), save: true });
    await proposals(4);
    const { structuredContent } = await press('acceptAllAndSave', result);
    assert.deepEqual(
      outcomes(structuredContent).map(([, , isSaved]) => isSaved),
      [true, true, true, true],
    );
    assert.deepEqual(
      [await onDisk('edited.txt'), await onDisk('made.txt'), await onDisk('sub/moved.txt')],
      ['EDITED\n', 'made\n', 'MOVED\n'],
    );
    assert.deepEqual(
      vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty).map(({ fileName }) => fileName),
      [],
    );
  });

  it('changes nothing when everything is rejected, for one reason', async () => {
    await writeFour();
    const { result } = await callTool(access(), 'propose_edits', { files: fourChanges() });
    await proposals(4);
    const { structuredContent } = await press('rejectAll', result, { reason: 'not today' });
    assert.deepEqual(
      [outcomes(structuredContent).map(([, outcome]) => outcome), structuredContent?.['reason']],
      [['rejected', 'rejected', 'rejected', 'rejected'], 'not today'],
    );
    await demandUntouched();
  });

  it('takes back what was done when the disk refuses a part, says so, and leaves what is not its own', async () => {
    await writeFour();
    const meddling = vscode.workspace.onWillCreateFiles((event) => {
      meddling.dispose();
      event.waitUntil(writeFile(`${folder()}/made.txt`, 'was here first\n'));
    });
    const files = [{ path: `${folder()}/before.txt`, newText: 'made before\n' }, ...fourChanges()];
    const { result } = await callTool(access(), 'propose_edits', { files, save: true });
    await proposals(5);
    assert.match(failureOf(await press('acceptAllAndSave', result)), /Nothing was changed: what had been done by then was taken back/);
    assert.deepEqual([await isThere('before.txt'), await onDisk('made.txt')], [false, 'was here first\n']);
    await rm(workspacePath(folder(), 'made.txt'));
    await demandUntouched();
  });

  it('takes back what was saved when another file cannot be saved', async () => {
    await writeFour();
    const meddling = vscode.workspace.onWillSaveTextDocument((event) => {
      if (event.document.fileName.endsWith('edited.txt')) {
        meddling.dispose();
        // VS Code does not save over a file that is newer than what it read.
        event.waitUntil(writeFile(`${folder()}/sub/moved.txt`, 'written by somebody else\n'));
      }
    });
    const { result } = await callTool(access(), 'propose_edits', { files: fourChanges().slice(0, 3), save: true });
    await proposals(3);
    assert.match(failureOf(await press('acceptAllAndSave', result)), /moved\.txt\" was not saved: its file changed on disk.* taken back/s);
    assert.deepEqual(
      [await onDisk('edited.txt'), await textOf(uriOf('edited.txt')), await isThere('made.txt')],
      ['edited\n', 'edited\n', false],
    );
    assert.equal(await textOf(uriOf('moved.txt')), 'moved\n');
  });

  it('fails when the place of a move was taken, or what is to be deleted changed, while the person looked', async () => {
    await writeFour();
    const moving = await callTool(access(), 'propose_edits', { files: fourChanges().slice(2, 3) });
    await proposals(1);
    await writeFile(`${folder()}/sub/moved.txt`, 'was here first\n');
    assert.match(failureOf(await press('accept', moving.result)), /moved\.txt" changed while the person looked/);
    assert.deepEqual([await onDisk('moved.txt'), await onDisk('sub/moved.txt')], ['moved\n', 'was here first\n']);
    const deleting = await callTool(access(), 'propose_edits', { files: fourChanges().slice(3) });
    await proposals(1);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uriOf('gone.txt'), new vscode.Position(0, 0), 'not ');
    await vscode.workspace.applyEdit(typing);
    assert.match(failureOf(await press('accept', deleting.result)), /gone\.txt" changed while the person looked/);
    assert.equal(await textOf(uriOf('gone.txt')), 'not gone\n');
  });

  it('deletes and moves what is no text, unless it changed meanwhile', async () => {
    const bytes = Uint8Array.from([0, 1, 2, 255, 0, 254]);
    await writeFile(`${folder()}/a.bin`, bytes);
    await writeFile(`${folder()}/b.bin`, bytes);
    const files = [
      { path: `${folder()}/a.bin`, delete: true },
      { path: `${folder()}/b.bin`, moveTo: `${folder()}/c.bin` },
    ];
    const { result } = await callTool(access(), 'propose_edits', { files });
    await proposals(2);
    await press('acceptAll', result);
    assert.deepEqual([await isThere('a.bin'), await isThere('b.bin'), await isThere('c.bin')], [false, false, true]);
    const again = await callTool(access(), 'propose_edits', { files: [{ path: `${folder()}/c.bin`, delete: true }] });
    await proposals(1);
    await writeFile(`${folder()}/c.bin`, Uint8Array.from([...bytes, 7]));
    assert.match(failureOf(await press('accept', again.result)), /c\.bin" changed while the person looked/);
    assert.equal(await isThere('c.bin'), true);
  });

  it('saves no notebook in which the person typed something else while they looked at a cell', async () => {
    const cells = ['one = 1', 'two = 2'].map((source) => ({ cell_type: 'code', source, metadata: {}, outputs: [], execution_count: null }));
    const uri = await writeFile(`${folder()}/typed.ipynb`, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 2 }));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    const { result } = await callTool(access(), 'propose_edit', {
      path: `${folder()}/typed.ipynb`,
      cell: 1,
      newText: 'two = 22',
      save: true,
    });
    await proposals(1);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), 'typed = ');
    await vscode.workspace.applyEdit(typing);
    const { structuredContent } = await press('acceptAndSave', result);
    assert.deepEqual([structuredContent?.['outcome'], structuredContent?.['isSaved']], ['accepted', false]);
    assert.equal(notebook.cellAt(1).document.getText(), 'two = 22');
    assert.doesNotMatch(await onDisk('typed.ipynb'), /typed = /);
    await notebook.save();
  });
});
