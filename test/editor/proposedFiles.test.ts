import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { MadeEdit } from '../../src/contract/chat/answerParts.ts';
import { ChangeReviewer } from '../../src/editor/acting/changes/changeReview.ts';
import { proposeToPerson } from '../../src/editor/acting/changes/proposals.ts';
import { undoEdits } from '../../src/editor/acting/changes/undoEdits.ts';
import { readDocument, readImage } from '../../src/editor/documents/readDocument.ts';
import { TextVersions } from '../../src/editor/documents/versions.ts';
import type { EditsProposal, FileProposal } from '../../src/server/seen/ports/actingPort.ts';
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

const book = {
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Title'] },
    { cell_type: 'code', metadata: {}, execution_count: null, outputs: [], source: ['price = 1\n', 'print(price)'] },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 2,
};

describe('Edits as agents write them', () => {
  let access: TestAccess;

  before(async () => {
    access = await activateDuplex();
    await keepUnsaved();
    await until('the editor itself', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
  });

  afterEach(async () => {
    assert.deepEqual(proposalTabs(), [], 'no diff is left open');
    await discardAll();
  });

  /** The call, answered by the person in the way named. */
  async function answered(command: 'accept' | 'acceptAll' | 'rejectAll', tool: string, args: object, count = 1): Promise<ToolResult> {
    const { result } = await callTool(access, tool, args);
    await proposals(count);
    return answer(command, command === 'rejectAll' ? { reason: 'not like this' } : undefined, result);
  }

  it('replace the text that is there, with the line ends of the file, and say what is wrong with a text that is not', async () => {
    const uri = await writeFile('old.txt', 'one\r\ntwo\r\nthree\r\ntwo\r\n');
    const edits = [
      { oldText: 'one\ntwo', newText: '1\n2' },
      { oldText: 'three', newText: '3' },
    ];
    const { structuredContent } = await answered('accept', 'propose_edit', { path: 'old.txt', edits });
    assert.deepEqual([structuredContent?.['outcome'], await textOf(uri)], ['accepted', '1\r\n2\r\n3\r\ntwo\r\n']);
    const refused: [object, RegExp][] = [
      [{ oldText: '\n', newText: '' }, /occurs 4 times, at lines 1, 2, 3, 4\./],
      [{ oldText: 'TWO', newText: '' }, /other upper and lower case at line 4/],
      [{ oldText: '', newText: '' }, /is empty/],
    ];
    for (const [edit, sentence] of refused) {
      const { result } = await callTool(access, 'propose_edit', { path: 'old.txt', edits: [edit] });
      assert.match(failureOf(await result), sentence);
    }
  });

  it('of several files are one review: made, moved, deleted and changed together', async () => {
    await writeFile('many/change.txt', 'a\n');
    await writeFile('many/move.txt', 'b\n');
    await writeFile('many/gone.txt', 'c\n');
    const files = [
      { path: 'many/change.txt', edits: [{ oldText: 'a', newText: 'A' }] },
      { path: 'many/new.txt', newText: 'new\n' },
      { path: 'many/move.txt', moveTo: 'many/deep/moved.txt', edits: [{ oldText: 'b', newText: 'B' }] },
      { path: 'many/gone.txt', delete: true },
    ];
    const { structuredContent } = await answered('acceptAll', 'propose_edits', { files, description: 'Tidy' }, 4);
    const reviewed = (structuredContent?.['files'] as { path: string; outcome: string; text?: string; version: string }[]).map(
      ({ path, outcome, text, version }) => [path, outcome, text, version !== ''],
    );
    assert.deepEqual(reviewed, [
      ['many/change.txt', 'accepted', undefined, true],
      ['many/new.txt', 'accepted', undefined, true],
      ['many/deep/moved.txt', 'accepted', undefined, true],
      ['many/gone.txt', 'accepted', undefined, false],
    ]);
    const file = (name: string): string => workspacePath(`many/${name}`);
    assert.equal(await textOf(vscode.Uri.file(file('change.txt'))), 'A\n');
    assert.equal(await textOf(vscode.Uri.file(file('new.txt'))), 'new\n');
    assert.equal(await textOf(vscode.Uri.file(file('deep/moved.txt'))), 'B\n');
    assert.deepEqual([existsSync(file('gone.txt')), existsSync(file('move.txt'))], [false, false]);
    await discardAll();
    await rm(workspacePath('many'), { recursive: true });
  });

  it('of several files that are rejected change none of them (release)', async () => {
    const uri = await writeFile('kept/a.txt', 'a\n');
    const files = [
      { path: 'kept/a.txt', delete: true },
      { path: 'kept/b.txt', newText: 'b\n' },
    ];
    const { structuredContent } = await answered('rejectAll', 'propose_edits', { files }, 2);
    const reviewed = structuredContent?.['files'] as { outcome: string }[];
    assert.deepEqual([structuredContent?.['reason'], ...reviewed.map(({ outcome }) => outcome)], ['not like this', 'rejected', 'rejected']);
    assert.deepEqual([await readFile(uri.fsPath, 'utf8'), existsSync(workspacePath('kept/b.txt'))], ['a\n', false]);
    await rm(workspacePath('kept'), { recursive: true });
  });

  it('of several files are refused, by the name of the file, for a folder, a taken name or a text that is not there', async () => {
    await writeFile('bad/a.txt', 'a\n');
    await writeFile('bad/b.txt', 'b\n');
    const other = { path: 'bad/b.txt', newText: 'x' };
    const refused: [object[], RegExp][] = [
      [[{ path: 'bad', delete: true }, other], /"bad" is a folder/],
      [[{ path: 'bad/a.txt', moveTo: 'bad/b.txt' }], /"bad\/b\.txt" exists already/],
      [[{ path: 'bad/a.txt', edits: [{ oldText: 'z', newText: '' }] }, other], /^"bad\/a\.txt": The oldText of edits\[0\] does not occur/],
      [[{ path: 'bad/c.txt', delete: true }], /There is no "bad\/c\.txt"/],
      [[other, { path: './bad/b.txt', delete: true }], /bad\/b\.txt" is named twice; give all edits of a file together/],
      [[{ path: 'bad/a.txt', moveTo: '/outside/a.txt' }], /There is no "\/outside\/a\.txt"/],
      [[{ path: 'bad/a.txt', delete: true, expectedVersion: 'old' }], /changed since version old/],
    ];
    for (const [files, sentence] of refused) {
      const { result } = await callTool(access, 'propose_edits', { files });
      assert.match(failureOf(await result), sentence, JSON.stringify(files));
    }
    await rm(workspacePath('bad'), { recursive: true });
  });

  it('of a notebook change one cell of it, which is opened without being shown', async () => {
    const uri = await writeFile('book.ipynb', JSON.stringify(book));
    const edits = [{ oldText: 'price = 1', newText: 'price = 2' }];
    const { structuredContent } = await answered('accept', 'propose_edit', { path: 'book.ipynb', cell: 1, edits });
    assert.equal(structuredContent?.['outcome'], 'accepted');
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    assert.deepEqual(
      notebook.getCells().map((cell) => cell.document.getText()),
      ['# Title', 'price = 2\nprint(price)'],
    );
    const { result: missing } = await callTool(access, 'propose_edit', { path: 'book.ipynb', cell: 2, newText: '' });
    assert.match(failureOf(await missing), /has 2 cells, counted from 0; there is no cell 2/);
    await writeFile('plain.txt', 'x\n');
    const { result: plain } = await callTool(access, 'propose_edit', { path: 'plain.txt', cell: 0, newText: '' });
    assert.match(failureOf(await plain), /is no notebook/);
  });

  it('find a file by either spelling of its name (release)', async () => {
    const uri = await writeFile('cafe\u0301.txt', 'a\n');
    const { structuredContent } = await answered('accept', 'propose_edit', { path: 'caf\u00E9.txt', newText: 'b\n' });
    assert.deepEqual([structuredContent?.['outcome'], await textOf(uri)], ['accepted', 'b\n']);
    assert.equal(existsSync(workspacePath('caf\u00E9.txt')), false);
    await rm(uri.fsPath);
  });
});

describe('A file that is not UTF-8', () => {
  let access: TestAccess;
  const latin1 = Buffer.from('Gr\u00FC\u00DFe an M\u00FCller\nStra\u00DFe\n', 'latin1');

  before(async () => {
    access = await activateDuplex();
    await keepUnsaved();
    await until('the editor itself', () => access.servers().find(({ name, state }) => name === 'editor' && state.kind === 'ready'));
  });

  afterEach(async () => {
    await discardAll();
    for (const name of ['latin1.txt', 'configured.txt', 'lossy.txt', 'deleted.txt', 'marked.txt']) {
      await rm(workspacePath(name), { force: true });
    }
  });

  it('keeps every byte that was not changed, in the encoding it is opened in', async () => {
    const uri = await writeFile('latin1.txt', latin1);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri, { encoding: 'iso88591' }));
    const edits = [{ oldText: 'M\u00FCller', newText: 'Frau M\u00FCller' }];
    const { result } = await callTool(access, 'propose_edit', { path: 'latin1.txt', edits, save: true });
    const [proposal] = await proposals();
    assert.equal(proposal?.getText(), 'Gr\u00FC\u00DFe an Frau M\u00FCller\nStra\u00DFe\n');
    const { structuredContent } = await answer('acceptAndSave', undefined, result);
    assert.deepEqual([structuredContent?.['outcome'], structuredContent?.['isSaved']], ['accepted', true]);
    const expected = Buffer.from('Gr\u00FC\u00DFe an Frau M\u00FCller\nStra\u00DFe\n', 'latin1');
    assert.deepEqual(await readFile(uri.fsPath), expected);
    const euro = await callTool(access, 'propose_edit', { path: 'latin1.txt', edits: [{ oldText: 'Stra\u00DFe', newText: '5 \u20AC' }] });
    assert.match(failureOf(await euro.result), /is saved as iso88591, which has no character U\+20AC \(line 2 of the new text\)/);
    assert.deepEqual(await readFile(uri.fsPath), expected);
  });

  it('is shown and written in the encoding of the settings (release)', async () => {
    const uri = await writeFile('configured.txt', latin1);
    const files = vscode.workspace.getConfiguration('files');
    await files.update('encoding', 'iso88591', vscode.ConfigurationTarget.Global);
    try {
      const read = await callTool(access, 'read_file', { path: 'configured.txt' });
      assert.match(JSON.stringify((await read.result).structuredContent), /Gr\u00FC\u00DFe/);
      const newText = 'Sch\u00F6ne Gr\u00FC\u00DFe\n';
      const { result } = await callTool(access, 'propose_edit', { path: 'configured.txt', newText, save: true });
      const [proposal] = await proposals();
      assert.equal(proposal?.getText(), newText);
      await answer('acceptAndSave', undefined, result);
      assert.deepEqual(await readFile(uri.fsPath), Buffer.from(newText, 'latin1'));
    } finally {
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('comes back with the same bytes when its deletion is undone', async () => {
    const { made, reviewer } = acceptingReviewer();
    const files = { 'deleted.txt': latin1, 'marked.txt': Buffer.from('\uFEFFmarked\n') };
    await vscode.workspace.openTextDocument(await writeFile('deleted.txt', latin1), { encoding: 'windows1252' });
    await writeFile('marked.txt', files['marked.txt']);
    const changes = Object.keys(files).map((path) => ({ path, change: { kind: 'delete' } as const }));
    await proposeToPerson({ reviewer, versions: new TextVersions('key') }, proposalOf(changes), new AbortController().signal);
    assert.deepEqual(
      Object.keys(files).map((name) => existsSync(workspacePath(name))),
      [false, false],
    );
    assert.deepEqual(await undoEdits(made), ['undone', 'undone']);
    for (const [name, bytes] of Object.entries(files)) {
      assert.deepEqual(await readFile(workspacePath(name)), bytes);
    }
  });

  it('is not changed when it could not be read whole, and says why and what to do', async () => {
    const uri = await writeFile('lossy.txt', latin1);
    const { result } = await callTool(access, 'propose_edit', { path: 'lossy.txt', edits: [{ oldText: 'an', newText: 'und' }] });
    assert.match(failureOf(await result), /"lossy\.txt" is not utf8, .*Reopen with Encoding….*files\.encoding/);
    for (const isOpen of [false, true]) {
      if (isOpen) {
        await vscode.window.showTextDocument(uri);
      }
      const read = await callTool(access, 'read_file', { path: 'lossy.txt' });
      assert.match(String((await read.result).structuredContent?.['note']), /another encoding than VS Code read it in/);
    }
    assert.deepEqual(await readFile(uri.fsPath), latin1);
  });
});

describe('Files that are moved or deleted as a whole', () => {
  const versions = new TextVersions('key');
  const { signal } = new AbortController();

  afterEach(discardAll);

  it('have a version also when they are no text: of their bytes, of their cells, or of the text of a notebook too old for VS Code', async () => {
    const { reviewer } = acceptingReviewer();
    const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    const oldBook = { nbformat: 3, nbformat_minor: 0, metadata: {}, worksheets: [{ cells: [{ cell_type: 'code', input: 'x' }] }] };
    const places = {
      'whole/picture.png': picture,
      'whole/book.ipynb': Buffer.from(JSON.stringify(book)),
      'whole/old.ipynb': Buffer.from(JSON.stringify(oldBook)),
    };
    for (const [path, bytes] of Object.entries(places)) {
      const moved = path.replace('whole/', 'moved/');
      await rm(workspacePath(moved), { force: true });
      await writeFile(path, bytes);
      const version = (await readImage(path, versions, signal))?.version ?? (await readDocument(path, versions, signal)).version;
      const propose = (from: string, change: FileProposal['change'], expectedVersion: string): Promise<unknown> =>
        proposeToPerson({ reviewer, versions }, proposalOf([{ path: from, change, expectedVersion }]), signal);
      await assert.rejects(propose(path, { kind: 'delete' }, 'another'), {
        code: 'editor.changedSinceVersion',
        message: /has version \S+ now/,
      });
      await propose(path, { kind: 'move', moveTo: moved }, version);
      assert.deepEqual(await readFile(workspacePath(moved)), bytes, moved);
      await propose(moved, { kind: 'delete' }, version);
      assert.equal(existsSync(workspacePath(moved)), false, moved);
    }
  });

  const propose = async (reviewer: ChangeReviewer, path: string, change: FileProposal['change']): Promise<void> =>
    void (await proposeToPerson({ reviewer, versions }, { ...proposalOf([{ path, change }]), save: true }, signal));

  it('go back to where they were, although another file was made there in the same turn', async () => {
    for (const [folder, text] of [
      ['plain', undefined],
      ['changed', { newText: 'first, changed\n' }],
    ] as const) {
      const { made, reviewer } = acceptingReviewer();
      await writeFile(`${folder}/a.txt`, 'first\n');
      await propose(reviewer, `${folder}/a.txt`, { kind: 'move', moveTo: `${folder}/b.txt`, text });
      await propose(reviewer, `${folder}/a.txt`, { kind: 'text', newText: 'new\n' });
      assert.deepEqual(await undoEdits(made), ['undone', 'undone'], folder);
      assert.equal(await readFile(workspacePath(folder, 'a.txt'), 'utf8'), 'first\n');
      assert.equal(existsSync(workspacePath(folder, 'b.txt')), false);
    }
  });

  it('go back one after the other where each took the place of the one before', async () => {
    const { made, reviewer } = acceptingReviewer();
    await writeFile('chain/a.txt', 'first\n');
    await writeFile('chain/c.txt', 'third\n');
    await propose(reviewer, 'chain/a.txt', { kind: 'move', moveTo: 'chain/b.txt' });
    await propose(reviewer, 'chain/c.txt', { kind: 'move', moveTo: 'chain/a.txt' });
    assert.deepEqual(await undoEdits(made), ['undone', 'undone']);
    assert.equal(await readFile(workspacePath('chain/a.txt'), 'utf8'), 'first\n');
    assert.equal(await readFile(workspacePath('chain/c.txt'), 'utf8'), 'third\n');
    assert.equal(existsSync(workspacePath('chain/b.txt')), false);
  });

  it('go back but for the one that somebody types in while the others do', async () => {
    const { made, reviewer } = acceptingReviewer();
    await writeFile('typed/a.txt', 'first\n');
    await writeFile('typed/c.txt', 'third\n');
    await propose(reviewer, 'typed/a.txt', { kind: 'move', moveTo: 'typed/b.txt' });
    await propose(reviewer, 'typed/c.txt', { kind: 'move', moveTo: 'typed/a.txt', text: { newText: 'third, changed\n' } });
    const moved = vscode.Uri.file(workspacePath('typed/b.txt'));
    const typing = new vscode.WorkspaceEdit();
    typing.insert(moved, new vscode.Position(0, 0), 'typed, ');
    let hasTyped: Thenable<boolean> | undefined;
    const listening = vscode.workspace.onWillSaveTextDocument((event) =>
      event.waitUntil((hasTyped ??= vscode.workspace.applyEdit(typing))),
    );
    try {
      assert.deepEqual(await undoEdits(made), ['changedSince', 'undone']);
    } finally {
      listening.dispose();
    }
    assert.deepEqual([await hasTyped, await textOf(moved)], [true, 'typed, first\n']);
    assert.equal(await readFile(workspacePath('typed/c.txt'), 'utf8'), 'third\n');
    assert.equal(existsSync(workspacePath('typed/a.txt')), false);
  });

  it('stay where they are when somebody else’s file is at their place', async () => {
    await writeFile('turn/a.txt', 'theirs\n');
    await writeFile('turn/b.txt', 'moved\n');
    const edit: MadeEdit = { path: 'turn/b.txt', from: 'turn/a.txt', before: 'moved\n', after: 'moved\n', isText: true };
    const created: MadeEdit = { path: 'turn/a.txt', after: 'ours\n', isText: true };
    assert.deepEqual(await undoEdits([edit, created]), ['changedSince', 'changedSince']);
    assert.equal(await readFile(workspacePath('turn/a.txt'), 'utf8'), 'theirs\n');
  });
});

/** A reviewer for a person who accepts everything, and the edits that it made. */
function acceptingReviewer(): { readonly made: MadeEdit[]; readonly reviewer: ChangeReviewer } {
  const made: MadeEdit[] = [];
  const accepting = {
    review: ({ files }: { readonly files: readonly { readonly after?: string }[] }) =>
      Promise.resolve(files.map(({ after = '' }) => ({ kind: 'accepted', text: after, isToBeSaved: true }) as const)),
    tellChanged: () => undefined,
    tellNotMade: () => undefined,
  };
  return { made, reviewer: new ChangeReviewer(accepting, (_author, edits) => void made.push(...edits)) };
}

function proposalOf(files: readonly FileProposal[]): EditsProposal {
  return { author: { credentialId: 'c1', name: 'outsider' }, files, save: false };
}
