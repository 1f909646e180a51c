import assert from 'node:assert/strict';
import { readFile, rm, symlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { answer, callTool, discardAll, failureOf, keepUnsaved, proposals, proposalTabs, textOf, writeFile } from './support/actingCalls.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';

describe('A proposed edit', () => {
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

  it('is a diff against a writable proposal; accepting makes it, in one step that can be undone, and saves nothing', async () => {
    const uri = await writeFile('one.txt', 'first\nsecond\nthird\n');
    const edits = [{ range: { start: { line: 2, character: 1 }, end: { line: 2, character: 7 } }, newText: '2nd' }];
    const { result } = await callTool(access, 'propose_edit', { path: 'one.txt', edits, description: 'Shorter' });
    const [proposal] = await proposals();
    assert.equal(proposal?.getText(), 'first\n2nd\nthird\n');
    assert.equal(proposalTabs()[0]?.label.startsWith('one.txt (proposed by '), true, proposalTabs()[0]?.label);
    const { structuredContent } = await answer('accept', undefined, result);
    const document = await vscode.workspace.openTextDocument(uri);
    const { version, note, ...rest } = structuredContent ?? {};
    assert.deepEqual(rest, { outcome: 'accepted', isSaved: false, diagnostics: [] });
    assert.match(String(version), /^[\w-]{22}$/);
    assert.match(String(note), /No language service has reported on one\.txt yet/);
    assert.deepEqual([document.getText(), await readFile(uri.fsPath, 'utf8')], ['first\n2nd\nthird\n', 'first\nsecond\nthird\n']);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'first\nsecond\nthird\n');
  });

  it('that the person changed before accepting is partly accepted, with their text', async () => {
    const uri = await writeFile('two.txt', 'a\nb\nc\n');
    const { result } = await callTool(access, 'propose_edit', { path: 'two.txt', newText: 'A\nb\nC\n' });
    const [proposal] = await proposals();
    assert.ok(proposal);
    const typing = new vscode.WorkspaceEdit();
    typing.replace(proposal.uri, new vscode.Range(0, 0, 0, 1), 'a');
    assert.equal(await vscode.workspace.applyEdit(typing), true);
    const { structuredContent } = await answer('accept', undefined, result);
    assert.deepEqual([structuredContent?.['outcome'], structuredContent?.['text']], ['partlyAccepted', 'a\nb\nC\n']);
    assert.equal(await textOf(uri), 'a\nb\nC\n');
  });

  for (const choice of ['accept', 'reject'] as const) {
    it(`of a file that became a link to a withheld one meanwhile shows nothing of it after ${choice}`, async () => {
      await writeFile('.env.swapped', 'do-not-show-this\n');
      const uri = await writeFile('swapped.txt', 'harmless\n');
      const { result } = await callTool(access, 'propose_edit', { path: 'swapped.txt', newText: 'new\n' });
      await proposals();
      await rm(uri.fsPath);
      await symlink(workspacePath('.env.swapped'), uri.fsPath);
      try {
        await until('VS Code to read the link', async () => ((await textOf(uri)).includes('do-not-show-this') ? true : undefined));
        const outcome = await answer(choice, choice === 'reject' ? { reason: 'no' } : undefined, result);
        assert.doesNotMatch(JSON.stringify(outcome), /do-not-show-this/);
        assert.equal(await readFile(workspacePath('.env.swapped'), 'utf8'), 'do-not-show-this\n');
        assert.match(JSON.stringify(outcome), choice === 'accept' ? /There is no .*swapped\.txt/ : /"outcome":"rejected"/);
      } finally {
        await rm(uri.fsPath, { force: true });
        await rm(workspacePath('.env.swapped'));
      }
    });
  }

  it('that is rejected changes nothing and carries the reason', async () => {
    const uri = await writeFile('three.txt', 'keep\n');
    const { result } = await callTool(access, 'propose_edit', { path: 'three.txt', newText: 'drop\n' });
    await proposals();
    const { structuredContent } = await answer('reject', { reason: ' not like this ' }, result);
    assert.deepEqual(
      [structuredContent?.['outcome'], structuredContent?.['reason'], structuredContent?.['text']],
      ['rejected', 'not like this', 'keep\n'],
    );
    assert.equal(await textOf(uri), 'keep\n');
  });

  it('fails when the file changed while the person looked, and changes nothing', async () => {
    const uri = await writeFile('four.txt', 'old\n');
    const { result } = await callTool(access, 'propose_edit', { path: 'four.txt', newText: 'new\n' });
    await proposals();
    const meanwhile = new vscode.WorkspaceEdit();
    meanwhile.insert(uri, new vscode.Position(0, 0), 'very ');
    await vscode.workspace.applyEdit(meanwhile);
    assert.match(failureOf(await answer('accept', undefined, result)), /"four.txt" changed while the person looked/);
    assert.equal(await textOf(uri), 'very old\n');
  });

  it('fails at once when the version is not the one the client knew, or a range is not in the text', async () => {
    const uri = await writeFile('five.txt', 'old\n');
    await vscode.window.showTextDocument(uri);
    const stale = await callTool(access, 'propose_edit', { path: 'five.txt', newText: 'new\n', expectedVersion: 'another' });
    assert.match(failureOf(await stale.result), /changed since version another/);
    const range = { start: { line: 7, character: 1 }, end: { line: 7, character: 2 } };
    const outside = await callTool(access, 'propose_edit', { path: 'five.txt', edits: [{ range, newText: '' }] });
    assert.match(failureOf(await outside.result), /points behind the last line/);
    assert.equal(await textOf(uri), 'old\n');
  });

  it('of a file that does not exist creates it, unsaved text and all', async () => {
    const { result } = await callTool(access, 'propose_edit', { path: 'made/new.txt', newText: 'hello\r\nthere\r\n' });
    await proposals();
    const { structuredContent } = await answer('accept', undefined, result);
    assert.deepEqual([structuredContent?.['outcome'], structuredContent?.['text']], ['accepted', undefined]);
    assert.equal(await textOf(vscode.Uri.file(workspacePath('made/new.txt'))), 'hello\r\nthere\r\n');
    const edits = [{ range: { start: { line: 1, character: 1 }, end: { line: 1, character: 1 } }, newText: '' }];
    const absent = await callTool(access, 'propose_edit', { path: 'made/absent.txt', edits });
    assert.match(failureOf(await absent.result), /There is no "made\/absent.txt"/);
  });

  it('keeps line ends, and respects text that is not saved', async () => {
    const uri = await writeFile('six.txt', 'a\r\nb\r\n');
    const document = await vscode.workspace.openTextDocument(uri);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uri, new vscode.Position(2, 0), 'typed');
    await vscode.workspace.applyEdit(typing);
    const { result } = await callTool(access, 'propose_edit', { path: 'six.txt', newText: 'a\nB\ntyped' });
    await proposals();
    const { structuredContent } = await answer('accept', undefined, result);
    assert.deepEqual([structuredContent?.['outcome'], document.getText()], ['accepted', 'a\r\nB\r\ntyped']);
    assert.equal(await readFile(uri.fsPath, 'utf8'), 'a\r\nb\r\n');
  });

  it('of an untitled document works like any other; a notebook is refused (release)', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'draft', language: 'markdown' });
    const { result } = await callTool(access, 'propose_edit', { path: document.uri.toString(), newText: '# draft' });
    const [proposal] = await proposals();
    assert.equal(proposal?.languageId, 'markdown');
    await answer('accept', undefined, result);
    assert.equal(document.getText(), '# draft');
    await writeFile('book.ipynb', '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 2}');
    const notebook = await callTool(access, 'propose_edit', { path: 'book.ipynb', newText: '{}' });
    assert.match(failureOf(await notebook.result), /is a notebook: call propose_edit with cell/);
  });

  it('has a tab and an answer of its own; the second one for a file is checked against what the first one changed', async () => {
    await writeFile('seven.txt', 'x\n');
    await writeFile('eight.txt', 'y\n');
    const first = await callTool(access, 'propose_edit', { path: 'seven.txt', newText: 'X\n' });
    await proposals(1);
    const second = await callTool(access, 'propose_edit', { path: 'seven.txt', newText: 'xx\n' });
    await proposals(2);
    const other = await callTool(access, 'propose_edit', { path: 'eight.txt', newText: 'Y\n' });
    const open = await proposals(3);
    const uriWith = (text: string): vscode.Uri | undefined => open.find((document) => document.getText() === text)?.uri;
    const press = async <T>(text: string, result: Promise<T>): Promise<T> => {
      const before = proposalTabs().length;
      await until('Accept to count', async () => {
        await vscode.commands.executeCommand('duplex.accept', uriWith(text));
        return proposalTabs().length < before ? true : undefined;
      });
      return result;
    };
    assert.equal((await press('Y\n', other.result)).structuredContent?.['outcome'], 'accepted');
    assert.equal((await press('X\n', first.result)).structuredContent?.['outcome'], 'accepted');
    assert.match(failureOf(await press('xx\n', second.result)), /changed while the person looked/);
  });

  it('whose tab is closed without an answer still waits for one', async () => {
    await writeFile('nine.txt', 'n\n');
    const { result } = await callTool(access, 'propose_edit', { path: 'nine.txt', newText: 'N\n' });
    await proposals();
    await vscode.window.tabGroups.close(proposalTabs());
    const { structuredContent } = await answer('accept', undefined, result);
    assert.equal(structuredContent?.['outcome'], 'accepted');
  });
});
