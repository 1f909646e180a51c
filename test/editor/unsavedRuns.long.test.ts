import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { PersonAnswer, Question } from '../../src/contract/questions/questions.ts';
import { discardAll, keepUnsaved } from './support/actingCalls.ts';
import { activateDuplex, answerNext, discovery, until, workspacePath } from './support/duplex.ts';

const longWaitMs = 60_000;

interface RunAnswer {
  readonly run: { readonly status: string; readonly counts: { readonly failed: number } };
  readonly unsaved: readonly string[];
  readonly note?: string;
}

/** An outside client beside text that is typed and not saved: the demo's repair. */
describe('Runs beside unsaved text', function () {
  this.timeout(longWaitMs);
  let access: TestAccess;
  let client: Client;
  const cart = (): string => workspacePath('src', 'cart.js');
  let original: string;

  before(async () => {
    access = await activateDuplex();
    await keepUnsaved();
    original = readFileSync(cart(), 'utf8');
  });

  beforeEach(async () => {
    const { token, urls } = await discovery();
    client = new Client({ name: 'unsaved-runner', version: '1.0.0' });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(urls.mcp), { requestInit: { headers } }));
    const first = client.callTool({ name: 'list_workspace_folders', arguments: {} });
    const question = await until('the connect question', () =>
      access.questions.list().find(({ detail }) => detail.kind === 'connectClient'),
    );
    assert.equal(access.questions.answer({ askId: question.askId, choice: 'allowSession', role: 'runner' }), true);
    await first;
  });

  afterEach(async () => {
    await client.close();
    await discardAll();
    writeFileSync(cart(), original);
  });

  async function typeRepair(): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(cart());
    await until('the text on disk', () => (document.getText() === original ? true : undefined));
    const editor = await vscode.window.showTextDocument(document);
    const offset = original.indexOf('count > 3');
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + 'count > 3'.length));
    assert.ok(await editor.edit((edit) => edit.replace(range, 'count >= 3')));
    assert.equal(document.isDirty, true);
    return document;
  }

  const call = (name: string, args: Record<string, unknown> = {}): ReturnType<Client['callTool']> =>
    client.callTool({ name, arguments: args }, { timeout: longWaitMs, onprogress: () => undefined });

  async function asked(
    choice: PersonAnswer['choice'],
    name = 'run_tests',
  ): Promise<{ answer: Awaited<ReturnType<typeof call>>; question: Question }> {
    const calling = call(name);
    const question = await answerNext(access, 'clientAct', choice);
    return { answer: await calling, question };
  }

  const runOf = ({ structuredContent }: Awaited<ReturnType<typeof call>>): RunAnswer => structuredContent as RunAnswer;

  it('run on what is on disk and say so; allowed for the session, the next one asks nothing and says so too', async () => {
    const document = await typeRepair();
    const { answer, question } = await asked('allowSession');
    assert.deepEqual(question.detail.kind === 'clientAct' && question.detail.unsaved, ['src/cart.js']);
    assert.deepEqual(question.choices, ['deny', 'allowOnce', 'saveAndRun', 'allowSession']);
    const first = runOf(answer);
    assert.deepEqual([first.run.status, first.unsaved, document.isDirty], ['failed', ['src/cart.js'], true]);
    const second = runOf(await call('run_tests'));
    assert.deepEqual([second.run.status, second.unsaved], ['failed', ['src/cart.js']]);
    assert.deepEqual(access.questions.list(), []);
    await document.save();
    const third = runOf(await call('run_tests'));
    assert.deepEqual([third.run.status, third.unsaved], ['passed', []]);
  });

  it('“Save all and run” saves what is typed and runs that, for this once', async () => {
    const document = await typeRepair();
    const { answer } = await asked('saveAndRun');
    assert.deepEqual([runOf(answer).run.status, runOf(answer).unsaved, document.isDirty], ['passed', [], false]);
    assert.match(readFileSync(cart(), 'utf8'), /count >= 3/);
    const { answer: denied } = await asked('deny');
    assert.equal(denied.isError, true);
  });

  it('does not start when something could not be saved, and says so', async () => {
    const document = await typeRepair();
    // Somebody else wrote the file: VS Code does not write over that by itself.
    writeFileSync(cart(), `${original}// another program\n`);
    const { answer } = await asked('saveAndRun');
    assert.equal(answer.isError, true);
    assert.match(JSON.stringify(answer.content), /Nothing was run.*could not save all of it/);
    assert.equal(document.isDirty, true);
  });

  it('runs nothing that was not shown when saving changes what would run', async () => {
    const manifest = workspacePath('package.json');
    const before = readFileSync(manifest, 'utf8');
    const document = await vscode.workspace.openTextDocument(manifest);
    const editor = await vscode.window.showTextDocument(document);
    const offset = before.indexOf('node --test');
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + 'node --test'.length));
    await editor.edit((edit) => edit.replace(range, 'node evil.cjs'));
    try {
      const { answer } = await asked('saveAndRun');
      assert.equal(answer.isError, true);
      assert.match(JSON.stringify(answer.content), /What would run changed/);
    } finally {
      await discardAll();
      writeFileSync(manifest, before);
    }
  });

  it('a saved file is not asked about; saving allowed for the session is asked about once', async () => {
    const nothing = await call('save_file', { path: 'src/cart.js' });
    assert.deepEqual(nothing.structuredContent, { ok: true, note: '"src/cart.js" has nothing unsaved.' });
    const document = await typeRepair();
    const saving = call('save_file', { path: 'src/cart.js' });
    await answerNext(access, 'clientAct', 'allowSession');
    assert.deepEqual([(await saving).structuredContent, document.isDirty], [{ ok: true }, false]);
    const readme = await vscode.workspace.openTextDocument(workspacePath('README.md'));
    const text = readme.getText();
    const editor = await vscode.window.showTextDocument(readme);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'x'));
    try {
      assert.deepEqual((await call('save_file', { path: 'README.md' })).structuredContent, { ok: true });
      assert.equal(readme.isDirty, false);
      assert.deepEqual(access.questions.list(), []);
    } finally {
      writeFileSync(workspacePath('README.md'), text);
    }
  });
});
