import assert from 'node:assert/strict';
import { AppError } from '../../../../../src/base/errors.ts';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { ActPermission, ActRequest } from '../../../../../src/server/access/clientApproval.ts';
import type { CallContext } from '../../../../../src/server/offer/catalog/catalog.ts';
import { actingTools } from '../../../../../src/server/offer/tools/toolTable.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';

const peer = { credentialId: 'window-1', name: 'peer 9' };

function tool(name: string): (typeof actingTools)[number] {
  const found = actingTools.find((each) => each.name === name);
  assert.ok(found);
  return found;
}

function run(name: string, args: JsonObject, editor: FakeEditor, changes: Partial<CallContext> = {}): Promise<unknown> {
  return outputOf(tool(name), args, { editor, call: fakeCall(changes) });
}

/** Keeps what the person was asked, and answers. */
function person(answer: 'allow' | 'deny' = 'allow'): { readonly asked: ActRequest[]; readonly confirm: CallContext['confirm'] } {
  const asked: ActRequest[] = [];
  const confirm = (act: ActRequest): Promise<ActPermission> => {
    asked.push(act);
    return answer === 'allow' ? Promise.resolve('asItIs') : Promise.reject(new AppError('server.denied', 'denied by the person'));
  };
  return { asked, confirm };
}

describe('The acting tools', () => {
  it('are tasks of the protocol only where they take long by themselves', () => {
    const tasks = actingTools.flatMap(({ name, taskSupport }) => (taskSupport === undefined ? [] : [`${name} ${taskSupport}`]));
    assert.deepEqual(tasks, ['run_task optional']);
  });

  it('open a file as a preview unless told otherwise', async () => {
    const editor = new FakeEditor();
    assert.deepEqual(await run('open_file', { path: 'src/a.ts', line: 3 }, editor), { ok: true });
    await run('open_file', { path: 'src/a.ts', preview: false }, editor);
    assert.deepEqual(editor.acting.done, [
      ['open', { path: 'src/a.ts', line: 3, preview: true }],
      ['open', { path: 'src/a.ts', preview: false }],
    ]);
  });

  it('show a message in the name of the client', async () => {
    const editor = new FakeEditor();
    assert.deepEqual(await run('show_message', { message: ' done ', level: 'warning' }, editor), { ok: true });
    assert.deepEqual(editor.acting.done, [['message', peer, 'warning', 'done']]);
  });

  it('save only after the person agreed to that file, or to saving for the session', async () => {
    const editor = new FakeEditor();
    const denying = person('deny');
    await assert.rejects(run('save_file', { path: 'src/a.ts' }, editor, { confirm: denying.confirm }), { code: 'server.denied' });
    assert.deepEqual(editor.acting.done, [['checkSave', 'src/a.ts']]);
    const allowing = person();
    assert.deepEqual(await run('save_file', { path: 'src/a.ts' }, editor, { confirm: allowing.confirm }), { ok: true });
    assert.deepEqual(allowing.asked, [
      { tool: 'save_file', role: 'editor', what: { kind: 'save', path: 'src/a.ts' }, offersSession: true },
    ]);
    assert.deepEqual(editor.acting.done.at(-1), ['save', 'src/a.ts', 3]);
  });

  it('ask nothing about a file that is already saved', async () => {
    const editor = new FakeEditor();
    editor.acting.unsavedVersion = undefined;
    const { asked, confirm } = person('deny');
    assert.deepEqual(await run('save_file', { path: 'src/a.ts' }, editor, { confirm }), {
      ok: true,
      note: '"src/a.ts" has nothing unsaved.',
    });
    assert.deepEqual([asked, editor.acting.done], [[], [['checkSave', 'src/a.ts']]]);
  });

  it('say which files a rename changed, and whether the person took a part of it back', async () => {
    const editor = new FakeEditor();
    const args = { path: 'src/a.ts', line: 1, character: 2, newName: 'b' };
    editor.diagnostics = [];
    const files = ['src/a.ts', 'src/b.ts'];
    assert.deepEqual(await run('rename_symbol', args, editor), { outcome: 'accepted', files, diagnostics: [] });
    editor.acting.changeReview = { outcome: 'partlyAccepted', files: ['src/a.ts'] };
    assert.deepEqual(await run('rename_symbol', args, editor), { ...editor.acting.changeReview, diagnostics: [] });
    assert.deepEqual(await run('format_document', { path: 'src/a.ts' }, editor), editor.acting.changeReview);
  });

  it('tell with a rename what it broke, and what was not saved though that was wanted', async () => {
    const editor = new FakeEditor();
    editor.acting.changeReview = { outcome: 'accepted', files: ['src/a.ts'], unsaved: ['src/a.ts'] };
    const args = { path: 'src/a.ts', line: 1, character: 2, newName: 'b', save: true };
    const { diagnostics, note } = (await run('rename_symbol', args, editor)) as { diagnostics: { path: string }[]; note: string };
    assert.deepEqual(
      diagnostics.map(({ path }) => path),
      ['src/a.ts'],
    );
    assert.match(note, /^Not saved: src\/a\.ts\. save_file saves a file\./);
    assert.equal((editor.acting.done.at(-1) as [string, { save: boolean }])[1].save, true);
  });

  it('say that a line is behind the end of the file that they open', async () => {
    const editor = new FakeEditor();
    editor.acting.lineCount = 2;
    const note = 'There is no line 9: "src/a.ts" has 2 lines, and its end is shown. read_file shows its lines.';
    assert.deepEqual(await run('open_file', { path: 'src/a.ts', line: 9 }, editor), { ok: true, note });
  });

  it("answer a rejected change with that outcome and the person's reason, not with an error", async () => {
    const editor = new FakeEditor();
    editor.acting.changeReview = { outcome: 'rejected', reason: 'keep the name', files: [] };
    const calls: [string, JsonObject][] = [
      ['rename_symbol', { path: 'a', line: 1, character: 1, newName: 'b' }],
      ['format_document', { path: 'a' }],
      ['apply_code_action', { path: 'a', startLine: 1, endLine: 1, title: 'Fix' }],
    ];
    for (const [name, args] of calls) {
      const diagnostics = name === 'rename_symbol' && { diagnostics: [] };
      assert.deepEqual(await run(name, args, editor), { outcome: 'rejected', reason: 'keep the name', files: [], ...diagnostics }, name);
    }
  });

  it('review the edits of a code action without any other question', async () => {
    const editor = new FakeEditor();
    const { asked, confirm } = person();
    const args = { path: 'src/a.ts', startLine: 1, endLine: 2, title: 'Add import' };
    assert.deepEqual(await run('apply_code_action', args, editor, { confirm }), editor.acting.changeReview);
    assert.deepEqual(asked, []);
    assert.equal(tool('apply_code_action').prepare({ ...args, endLine: 0 }).kind, 'badArguments');
  });

  it('ask about the command of a code action as a runner would be, and say so when it is not allowed', async () => {
    const editor = new FakeEditor();
    editor.acting.codeAction = { command: 'fix.all ["src/a.ts"]' };
    const args = { path: 'src/a.ts', startLine: 1, endLine: 2, title: 'Fix all' };
    const denying = person('deny');
    await assert.rejects(run('apply_code_action', args, editor, { confirm: denying.confirm }), /needs the role runner/);
    assert.deepEqual(editor.acting.done, [['findCodeAction', args]]);
    await run('apply_code_action', args, editor, { confirm: person().confirm });
    assert.deepEqual(editor.acting.done.at(-1), [
      'applyCodeAction',
      args,
      { command: 'fix.all ["src/a.ts"]' },
      { author: peer, description: 'Fix all' },
    ]);
    const what = { kind: 'codeAction', title: 'Fix all', path: 'src/a.ts', command: 'fix.all ["src/a.ts"]' };
    assert.deepEqual(denying.asked, [{ tool: 'apply_code_action', role: 'runner', what, offersSession: false }]);
  });
});
