import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChangeReviewer } from '../../src/editor/acting/changes/changeReview.ts';
import { threadText } from '../../src/views/proposals/proposalWords.ts';
import { answer, callTool, isProposalTab, proposals, proposalTabs, textOf, writeFile } from './support/actingCalls.ts';
import { until } from './support/duplex.ts';
import {
  answerFirst,
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

describe('The review of several files', () => {
  const { access, folder } = useReviewedFolders();

  it('makes changes, new files, moves and deletions together, in diffs that say which is which (release)', async () => {
    await writeFour();
    const { result } = await callTool(access(), 'propose_edits', { files: fourChanges(), description: 'All at once' });
    await proposals(4);
    assert.deepEqual(
      proposalTabs().map(({ label }) => label.replace(/ by .*, /, ' by X, ')),
      [
        'edited.txt (proposed by X, 1 of 4)',
        'made.txt (new file proposed by X, 2 of 4)',
        'moved.txt → sub/moved.txt (move proposed by X, 3 of 4)',
        'gone.txt (deletion proposed by X, 4 of 4)',
      ].map((title) => title.replace('moved.txt → sub', `${folder()}/moved.txt → ${folder()}/sub`)),
    );
    const { structuredContent } = await press('acceptAll', result);
    assert.deepEqual(outcomes(structuredContent), [
      ['edited.txt', 'accepted', false],
      ['made.txt', 'accepted', false],
      ['sub/moved.txt', 'accepted', false],
      ['gone.txt', 'accepted', true],
    ]);
    assert.deepEqual(
      [await textOf(uriOf('edited.txt')), await textOf(uriOf('made.txt')), await textOf(uriOf('sub/moved.txt'))],
      ['EDITED\n', 'made\n', 'MOVED\n'],
    );
    assert.deepEqual([await isThere('gone.txt'), await isThere('moved.txt'), await onDisk('edited.txt')], [false, false, 'edited\n']);
  });

  it('lets the person answer file by file, saves what they want saved, and makes it when the last one is answered (release)', async () => {
    await writeFour();
    const { result } = await callTool(access(), 'propose_edits', { files: fourChanges(), save: true });
    await proposals(4);
    await answerFirst('acceptAndSave', undefined, 3);
    await answerFirst('accept', undefined, 2);
    assert.equal(await onDisk('edited.txt'), 'edited\n', 'nothing is made yet');
    await answerFirst('reject', { reason: 'stays here' }, 1);
    const { structuredContent } = await answer('accept', undefined, result);
    assert.deepEqual(outcomes(structuredContent), [
      ['edited.txt', 'accepted', true],
      ['made.txt', 'accepted', false],
      ['moved.txt', 'rejected', true],
      ['gone.txt', 'accepted', true],
    ]);
    assert.equal(structuredContent?.['reason'], 'stays here');
    assert.deepEqual([await onDisk('edited.txt'), await onDisk('moved.txt'), await isThere('gone.txt')], ['EDITED\n', 'moved\n', false]);
  });

  it('changes a cell of a notebook, and leaves the others alone', async () => {
    const cells = ['one = 1', 'two = 2'].map((source) => ({ cell_type: 'code', source, metadata: {}, outputs: [], execution_count: null }));
    const uri = await writeFile(`${folder()}/book.ipynb`, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 2 }));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    const { result } = await callTool(access(), 'propose_edit', {
      path: `${folder()}/book.ipynb`,
      cell: 1,
      newText: 'two = 22',
      save: true,
    });
    const [proposal] = await proposals(1);
    assert.equal(proposal?.getText(), 'two = 22');
    const { structuredContent } = await press('acceptAndSave', result);
    assert.deepEqual([structuredContent?.['outcome'], structuredContent?.['isSaved']], ['accepted', true]);
    assert.deepEqual(
      notebook.getCells().map(({ document }) => document.getText()),
      ['one = 1', 'two = 22'],
    );
    assert.match(await onDisk('book.ipynb'), /two = 22/);
  });

  it('leaves no diff behind that VS Code shows only after the answer', async () => {
    await writeFour();
    const { result } = await callTool(access(), 'propose_edit', { path: `${folder()}/edited.txt`, newText: 'late\n' });
    await proposals(1);
    const { original, modified } = proposalTabs()[0]?.input as vscode.TabInputTextDiff;
    await answer('reject', { reason: 'no' }, result);
    await until('the diff to close', () => (proposalTabs().length === 0 ? true : undefined));
    let wasOpened = false;
    const listening = vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
      wasOpened ||= opened.some(isProposalTab); // something else may open as well
    });
    try {
      void vscode.commands.executeCommand('vscode.diff', original, modified, 'late');
      await until('the late diff to open and to close', () => (wasOpened && proposalTabs().length === 0 ? true : undefined));
    } finally {
      listening.dispose();
    }
  });

  it('says that saving takes the unsaved text of the person with it, where there is some', async () => {
    await writeFour();
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uriOf('moved.txt'), new vscode.Position(0, 0), 'typed ');
    await vscode.workspace.applyEdit(typing);
    const told: string[][] = [];
    const reviewer = new ChangeReviewer({
      review: (change) => {
        told.push(change.files.map((_, index) => threadText(change, index)));
        return Promise.resolve(change.files.map(() => ({ kind: 'rejected' })));
      },
      tellChanged: () => undefined,
      tellNotMade: () => undefined,
    });
    const changes = await Promise.all(
      ['edited.txt', 'moved.txt'].map(async (name) => {
        const document = await vscode.workspace.openTextDocument(uriOf(name));
        return { kind: 'text', uri: document.uri, document, before: document.getText(), after: 'other\n', eol: '\n' } as const;
      }),
    );
    for (const save of [true, false]) {
      await reviewer.review(changes, { author: { credentialId: 'c1', name: 'outsider' }, save }, new AbortController().signal);
    }
    const also = /also saves your own unsaved changes of \S+moved\.txt/;
    assert.deepEqual(
      told.map((texts) => texts.map((text) => also.test(text))),
      [
        [false, true],
        [false, false],
      ],
    );
  });

  it('accepts all only once each diff was in front, and nothing whose diff is closed', async () => {
    await writeFour();
    const { result } = await callTool(access(), 'propose_edits', { files: fourChanges() });
    await proposals(4);
    const placeInFront = (): string => /(\d) of 4/.exec(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '')?.[1] ?? '';
    const visited = [placeInFront()];
    await until('the last file in front', async () => {
      await vscode.commands.executeCommand('duplex.acceptAll');
      if (visited.at(-1) !== placeInFront()) {
        visited.push(placeInFront());
      }
      return visited.at(-1) === '4' ? true : undefined;
    });
    assert.deepEqual(visited, ['1', '2', '3', '4']);
    await vscode.window.tabGroups.close(proposalTabs());
    await vscode.commands.executeCommand('duplex.accept');
    assert.equal(proposalTabs().length, 1, 'it is shown instead');
    await demandUntouched();
    const { structuredContent } = await press('rejectAll', result, { reason: 'not today' });
    assert.deepEqual(
      outcomes(structuredContent).map(([, outcome]) => outcome),
      ['rejected', 'rejected', 'rejected', 'rejected'],
    );
  });

  it('stays in one column when the page in front goes while the diffs open (release)', async () => {
    await writeFour();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const page = vscode.window.createWebviewPanel('test.page', 'A page', vscode.ViewColumn.Active);
    await until('the page in front', () => (vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'A page' ? true : undefined));
    const watch = vscode.window.tabGroups.onDidChangeTabs(() => {
      if (proposalTabs().length > 0) {
        page.dispose();
      }
    });
    const { result } = await callTool(access(), 'propose_edits', { files: fourChanges() });
    await proposals(4);
    watch.dispose();
    assert.equal(new Set(proposalTabs().map(({ group }) => group.viewColumn)).size, 1);
    await press('rejectAll', result, { reason: 'not today' });
  });

  it('is taken back by one Undo where one text changed (release)', async () => {
    await writeFour();
    const { result } = await callTool(access(), 'propose_edits', { files: fourChanges().slice(0, 1), save: true });
    await proposals(1);
    await press('acceptAndSave', result);
    assert.equal(await onDisk('edited.txt'), 'EDITED\n');
    await vscode.window.showTextDocument(uriOf('edited.txt'));
    await vscode.commands.executeCommand('undo');
    assert.equal(await textOf(uriOf('edited.txt')), 'edited\n');
  });
});
