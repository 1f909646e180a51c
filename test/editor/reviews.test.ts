import assert from 'node:assert/strict';
import { access as exists, mkdir, readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { ChangeReviewer } from '../../src/editor/acting/changes/changeReview.ts';
import { threadText } from '../../src/views/proposals/proposalWords.ts';
import {
  answer,
  callTool,
  discardAll,
  failureOf,
  keepUnsaved,
  proposals,
  proposalTabs,
  textOf,
  writeFile,
  type ToolResult,
} from './support/actingCalls.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';

/** Each test has its own: VS Code remembers the texts of files that come back. */
let folder = '';

describe('The review of several files', () => {
  let access: TestAccess;

  before(async () => {
    access = await activateDuplex();
    await keepUnsaved();
    await until('the editor itself', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
  });

  let count = 0;
  beforeEach(() => {
    count += 1;
    folder = `reviewed${count}`;
  });

  afterEach(async () => {
    assert.deepEqual(
      proposalTabs().map(({ label }) => label),
      [],
      'no diff is left open',
    );
    await discardAll();
    await rm(workspacePath(folder), { recursive: true, force: true });
  });

  it('makes changes, new files, moves and deletions together, in diffs that say which is which', async () => {
    await writeFour();
    const { result } = await callTool(access, 'propose_edits', { files: fourChanges(), description: 'All at once' });
    await proposals(4);
    assert.deepEqual(
      proposalTabs().map(({ label }) => label.replace(/ by .*, /, ' by X, ')),
      [
        'edited.txt (proposed by X, 1 of 4)',
        'made.txt (new file proposed by X, 2 of 4)',
        'moved.txt → sub/moved.txt (move proposed by X, 3 of 4)',
        'gone.txt (deletion proposed by X, 4 of 4)',
      ].map((title) => title.replace('moved.txt → sub', `${folder}/moved.txt → ${folder}/sub`)),
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

  it('lets the person answer file by file, saves what they want saved, and makes it when the last one is answered', async () => {
    await writeFour();
    const { result } = await callTool(access, 'propose_edits', { files: fourChanges(), save: true });
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

  it('saves everything with one answer', async () => {
    await writeFour();
    const { result } = await callTool(access, 'propose_edits', { files: fourChanges(), save: true });
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
    const { result } = await callTool(access, 'propose_edits', { files: fourChanges() });
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
      event.waitUntil(writeFile(`${folder}/made.txt`, 'was here first\n'));
    });
    const files = [{ path: `${folder}/before.txt`, newText: 'made before\n' }, ...fourChanges()];
    const { result } = await callTool(access, 'propose_edits', { files, save: true });
    await proposals(5);
    assert.match(failureOf(await press('acceptAllAndSave', result)), /Nothing was changed: what had been done by then was taken back/);
    assert.deepEqual([await isThere('before.txt'), await onDisk('made.txt')], [false, 'was here first\n']);
    await rm(workspacePath(folder, 'made.txt'));
    await demandUntouched();
  });

  it('takes back what was saved when another file cannot be saved', async () => {
    await writeFour();
    const meddling = vscode.workspace.onWillSaveTextDocument((event) => {
      if (event.document.fileName.endsWith('edited.txt')) {
        meddling.dispose();
        // VS Code does not save over a file that is newer than what it read.
        event.waitUntil(writeFile(`${folder}/sub/moved.txt`, 'written by somebody else\n'));
      }
    });
    const { result } = await callTool(access, 'propose_edits', { files: fourChanges().slice(0, 3), save: true });
    await proposals(3);
    assert.match(failureOf(await press('acceptAllAndSave', result)), /could not save .*moved\.txt.* taken back/s);
    assert.deepEqual(
      [await onDisk('edited.txt'), await textOf(uriOf('edited.txt')), await isThere('made.txt')],
      ['edited\n', 'edited\n', false],
    );
    assert.equal(await textOf(uriOf('moved.txt')), 'moved\n');
  });

  it('fails when the place of a move was taken, or what is to be deleted changed, while the person looked', async () => {
    await writeFour();
    const moving = await callTool(access, 'propose_edits', { files: fourChanges().slice(2, 3) });
    await proposals(1);
    await writeFile(`${folder}/sub/moved.txt`, 'was here first\n');
    assert.match(failureOf(await press('accept', moving.result)), /moved\.txt" changed while the person looked/);
    assert.deepEqual([await onDisk('moved.txt'), await onDisk('sub/moved.txt')], ['moved\n', 'was here first\n']);
    const deleting = await callTool(access, 'propose_edits', { files: fourChanges().slice(3) });
    await proposals(1);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uriOf('gone.txt'), new vscode.Position(0, 0), 'not ');
    await vscode.workspace.applyEdit(typing);
    assert.match(failureOf(await press('accept', deleting.result)), /gone\.txt" changed while the person looked/);
    assert.equal(await textOf(uriOf('gone.txt')), 'not gone\n');
  });

  it('deletes and moves what is no text, unless it changed meanwhile', async () => {
    const bytes = Uint8Array.from([0, 1, 2, 255, 0, 254]);
    await writeFile(`${folder}/a.bin`, bytes);
    await writeFile(`${folder}/b.bin`, bytes);
    const files = [
      { path: `${folder}/a.bin`, delete: true },
      { path: `${folder}/b.bin`, moveTo: `${folder}/c.bin` },
    ];
    const { result } = await callTool(access, 'propose_edits', { files });
    await proposals(2);
    await press('acceptAll', result);
    assert.deepEqual([await isThere('a.bin'), await isThere('b.bin'), await isThere('c.bin')], [false, false, true]);
    const again = await callTool(access, 'propose_edits', { files: [{ path: `${folder}/c.bin`, delete: true }] });
    await proposals(1);
    await writeFile(`${folder}/c.bin`, Uint8Array.from([...bytes, 7]));
    assert.match(failureOf(await press('accept', again.result)), /c\.bin" changed while the person looked/);
    assert.equal(await isThere('c.bin'), true);
  });

  it('changes a cell of a notebook, and leaves the others alone', async () => {
    const cells = ['one = 1', 'two = 2'].map((source) => ({ cell_type: 'code', source, metadata: {}, outputs: [], execution_count: null }));
    const uri = await writeFile(`${folder}/book.ipynb`, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 2 }));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    const { result } = await callTool(access, 'propose_edit', { path: `${folder}/book.ipynb`, cell: 1, newText: 'two = 22', save: true });
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

  it('saves no notebook in which the person typed something else while they looked at a cell', async () => {
    const cells = ['one = 1', 'two = 2'].map((source) => ({ cell_type: 'code', source, metadata: {}, outputs: [], execution_count: null }));
    const uri = await writeFile(`${folder}/typed.ipynb`, JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 2 }));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    const { result } = await callTool(access, 'propose_edit', { path: `${folder}/typed.ipynb`, cell: 1, newText: 'two = 22', save: true });
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

  it('accepts all only once each diff was in front, and nothing whose diff is closed', async () => {
    await writeFour();
    const { result } = await callTool(access, 'propose_edits', { files: fourChanges() });
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

  it('is taken back by one Undo where one text changed', async () => {
    await writeFour();
    const { result } = await callTool(access, 'propose_edits', { files: fourChanges().slice(0, 1), save: true });
    await proposals(1);
    await press('acceptAndSave', result);
    assert.equal(await onDisk('edited.txt'), 'EDITED\n');
    await vscode.window.showTextDocument(uriOf('edited.txt'));
    await vscode.commands.executeCommand('undo');
    assert.equal(await textOf(uriOf('edited.txt')), 'edited\n');
  });
});

interface FileProposal {
  readonly path: string;
  readonly newText?: string;
  readonly moveTo?: string;
  readonly delete?: boolean;
}

const fourChanges = (): readonly FileProposal[] => [
  { path: `${folder}/edited.txt`, newText: 'EDITED\n' },
  { path: `${folder}/made.txt`, newText: 'made\n' },
  { path: `${folder}/moved.txt`, moveTo: `${folder}/sub/moved.txt`, newText: 'MOVED\n' },
  { path: `${folder}/gone.txt`, delete: true },
];

async function writeFour(): Promise<void> {
  await mkdir(workspacePath(folder), { recursive: true });
  for (const name of ['edited', 'moved', 'gone']) {
    await writeFile(`${folder}/${name}.txt`, `${name}\n`);
  }
}

/** Neither on disk nor in an editor. */
async function demandUntouched(): Promise<void> {
  const names = ['edited.txt', 'moved.txt', 'gone.txt'];
  assert.deepEqual(await Promise.all(names.map(onDisk)), ['edited\n', 'moved\n', 'gone\n']);
  assert.deepEqual(await Promise.all(names.map((name) => textOf(uriOf(name)))), ['edited\n', 'moved\n', 'gone\n']);
  assert.deepEqual([await isThere('made.txt'), await isThere('sub')], [false, false]);
}

type Outcomes = readonly (readonly [path: string, outcome: string, isSaved: boolean])[];

function outcomes(content: Record<string, unknown> | undefined): Outcomes {
  const files = content?.['files'] as readonly { readonly path: string; readonly outcome: string; readonly isSaved: boolean }[];
  return files.map(({ path, outcome, isSaved }) => [path.replace(`${folder}/`, ''), outcome, isSaved]);
}

type ReviewCommand = Parameters<typeof answer>[0];

/** Answers the whole change. */
function press(command: ReviewCommand, result: Promise<ToolResult>, argument?: unknown): Promise<ToolResult> {
  return answer(command, argument, result);
}

/** Answers the file in front until as many diffs are left. */
async function answerFirst(command: ReviewCommand, argument: unknown, left: number): Promise<void> {
  await until(`${command} to count`, async () => {
    await vscode.commands.executeCommand(`duplex.${command}`, argument);
    return proposalTabs().length === left ? true : undefined;
  });
}

function uriOf(name: string): vscode.Uri {
  return vscode.Uri.file(workspacePath(folder, name));
}

function onDisk(name: string): Promise<string> {
  return readFile(workspacePath(folder, name), 'utf8');
}

async function isThere(name: string): Promise<boolean> {
  return exists(workspacePath(folder, name)).then(
    () => true,
    () => false,
  );
}
