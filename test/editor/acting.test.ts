import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import { answer, callTool, discardAll, failureOf, keepUnsaved, proposals, proposalTabs, textOf, writeFile } from './support/actingCalls.ts';
import { activateDuplex, until, workspacePath } from './support/duplex.ts';
import { skipWithoutTerminals } from './support/terminals.ts';

describe('The acting tools in a real editor', () => {
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

  it('open a file at a place, in a preview', async () => {
    await writeFile('shown.txt', 'one\ntwo\nthree\n');
    const { result } = await callTool(access, 'open_file', { path: 'shown.txt', line: 2, character: 2 });
    assert.deepEqual((await result).structuredContent, { ok: true });
    const editor = await until('the file', () =>
      vscode.window.visibleTextEditors.find(({ document }) => document.fileName.endsWith('shown.txt')),
    );
    assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [1, 1]);
    assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview, true);
    const absent = await callTool(access, 'open_file', { path: 'nowhere.txt' });
    assert.match(failureOf(await absent.result), /There is no "nowhere.txt" in this workspace/);
  });

  it('save what is unsaved', async () => {
    const uri = await writeFile('saved.txt', 'old');
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uri, new vscode.Position(0, 3), 'er');
    await vscode.workspace.applyEdit(typing);
    const { result } = await callTool(access, 'save_file', { path: 'saved.txt' });
    assert.deepEqual((await result).structuredContent, { ok: true });
    assert.equal(await readFile(uri.fsPath, 'utf8'), 'older');
  });

  it("format with the language's formatter after the person accepted the diff", async () => {
    const uri = await writeFile('format.json', '{"a":1,\n"b":   2}');
    await vscode.window.showTextDocument(uri);
    await until('the formatter', async () => {
      const options = { tabSize: 2, insertSpaces: true };
      const edits = await vscode.commands.executeCommand<unknown[] | undefined>('vscode.executeFormatDocumentProvider', uri, options);
      return edits?.length;
    });
    const { result } = await callTool(access, 'format_document', { path: 'format.json' });
    await proposals();
    assert.deepEqual((await answer('accept', undefined, result)).structuredContent, { outcome: 'accepted', files: ['format.json'] });
    assert.match(await textOf(uri), /"b": 2/);
  });

  it('rename a symbol in every file that the person accepts; rejecting is an outcome with a reason, not an error', async () => {
    const library = await writeFile('src/lib.ts', 'export function greet(): string {\n  return "hi";\n}\n');
    const user = await writeFile('src/user.ts', 'import { greet } from "./lib";\n\nconsole.log(greet());\n');
    await vscode.window.showTextDocument(user);
    await vscode.window.showTextDocument(library);
    const args = { path: 'src/lib.ts', line: 1, character: 18, newName: 'welcome' };
    await until('the language service', async () => {
      const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
        'vscode.executeDocumentRenameProvider',
        library,
        new vscode.Position(0, 17),
        'welcome',
      );
      return edit !== undefined && edit.size === 2 ? edit : undefined;
    });
    const refused = await callTool(access, 'rename_symbol', args);
    await proposals(2);
    const rejected = await answer('reject', { reason: 'no' }, refused.result);
    assert.deepEqual(
      [rejected.isError, rejected.structuredContent],
      [false, { outcome: 'rejected', reason: 'no', files: [], diagnostics: [] }],
    );
    assert.match(await textOf(user), /greet/);
    const { result } = await callTool(access, 'rename_symbol', args);
    await proposals(2);
    const accepted = await answer('accept', undefined, result);
    assert.equal(failureOf(accepted), '');
    assert.deepEqual([...(accepted.structuredContent?.['files'] as string[])].sort(), ['src/lib.ts', 'src/user.ts']);
    assert.deepEqual([/welcome/.test(await textOf(user)), /greet/.test(await textOf(library))], [true, false]);
  });

  it('apply a code action with an edit through the diff', async () => {
    const provider = vscode.languages.registerCodeActionsProvider('plaintext', {
      provideCodeActions: () => [new vscode.CodeAction('Shout', vscode.CodeActionKind.QuickFix)],
      resolveCodeAction: (action) => {
        action.edit = new vscode.WorkspaceEdit();
        action.edit.replace(vscode.Uri.file(workspacePath('quiet.txt')), new vscode.Range(0, 0, 0, 5), 'QUIET');
        return action;
      },
    });
    try {
      const uri = await writeFile('quiet.txt', 'quiet\n');
      const { result } = await callTool(access, 'apply_code_action', { path: 'quiet.txt', startLine: 1, endLine: 1, title: 'Shout' });
      await proposals();
      assert.deepEqual((await answer('accept', undefined, result)).structuredContent, { outcome: 'accepted', files: ['quiet.txt'] });
      assert.equal(await textOf(uri), 'QUIET\n');
      const absent = await callTool(access, 'apply_code_action', { path: 'quiet.txt', startLine: 1, endLine: 1, title: 'Whisper' });
      assert.match(failureOf(await absent.result), /no code action "Whisper"/);
    } finally {
      provider.dispose();
    }
  });

  it('run a task and return its exit code and its output', async function () {
    skipWithoutTerminals(this);
    const task = { label: 'say it', type: 'shell', command: 'echo said; exit 4', problemMatcher: [] };
    await writeFile('.vscode/tasks.json', JSON.stringify({ version: '2.0.0', tasks: [task] }));
    await until('the task', async () => (await vscode.tasks.fetchTasks()).find(({ name }) => name === 'say it'));
    const { result } = await callTool(access, 'run_task', { name: 'say it' });
    const { structuredContent } = await result;
    assert.equal(structuredContent?.['exitCode'], 4);
    assert.match(JSON.stringify(structuredContent['output']), /said/);
  });

  it('return the output of a task alone, whatever other terminals call themselves (release)', async function () {
    skipWithoutTerminals(this);
    const begun = workspacePath('begun.txt');
    const command = `touch "${begun}"; echo own words; sleep 6`;
    const task = { label: 'say it alone', type: 'shell', command, problemMatcher: [] };
    await writeFile('.vscode/tasks.json', JSON.stringify({ version: '2.0.0', tasks: [task] }));
    await until('the task', async () => (await vscode.tasks.fetchTasks()).find(({ name }) => name === 'say it alone'));
    const impostor = vscode.window.createTerminal({ name: 'say it alone' });
    try {
      const integration = await until('shell integration', () => impostor.shellIntegration);
      const { result } = await callTool(access, 'run_task', { name: 'say it alone' });
      await until('the task to run', () => readFile(begun).catch(() => undefined));
      integration.executeCommand('echo words of another');
      const { structuredContent } = await result;
      assert.match(JSON.stringify(structuredContent?.['output']), /own words/);
      assert.doesNotMatch(JSON.stringify(structuredContent?.['output']), /words of another/);
    } finally {
      impostor.dispose();
    }
  });

  it('run a command in a visible terminal and return its exit code and output', async function () {
    skipWithoutTerminals(this);
    const { result } = await callTool(access, 'run_terminal_command', { command: 'echo "one two" && (exit 3)' });
    assert.deepEqual((await result).structuredContent, { exitCode: 3, output: 'one two\n', isRunning: false });
  });
});
