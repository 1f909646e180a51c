import assert from 'node:assert/strict';
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TestAccess } from '../../src/app/app.ts';
import type { Question } from '../../src/contract/questions/questions.ts';
import { activateDuplex, answerNext, until, workspacePath } from './support/duplex.ts';
import { LookingClient } from './support/mcpClient.ts';
import { skipWithoutTerminals } from './support/terminals.ts';

/** A text that no command prints: who waits for it is answered at the end of the command. */
const endOnly = 'nobody says this';

type Act = Extract<Question['detail'], { kind: 'clientAct' }>['what'];

describe('The terminal of an outside client', function () {
  this.timeout(120_000);
  let access: TestAccess;
  let client: LookingClient | undefined;

  before(async function () {
    skipWithoutTerminals(this);
    access = await activateDuplex();
    client = await LookingClient.connect(access);
  });
  after(() => client?.close());

  function outside(): LookingClient {
    assert.ok(client);
    return client;
  }

  /** Calls the tool; the person allows what is asked, once. */
  async function run(args: Record<string, unknown>): Promise<{ readonly what: Act; readonly answer: Record<string, unknown> }> {
    const calling = outside().call('run_terminal_command', args);
    calling.catch(() => undefined); // looked at below
    const { detail, choices } = await answerNext(access, 'clientAct', 'allowOnce');
    assert.ok(detail.kind === 'clientAct');
    assert.equal(choices.includes('allowSession'), false);
    return { what: detail.what, answer: await calling };
  }

  const own = (): vscode.Terminal | undefined => vscode.window.terminals.find(({ name }) => name.includes('documents-test'));

  it('is used again as the last command left it, and the question shows its folder and what ran there before', async () => {
    const first = await run({ command: 'cd src && export WORD=left' });
    assert.deepEqual([first.what.kind === 'command' && first.what.earlier, first.answer['exitCode']], [undefined, 0]);
    const folder = await realpath(workspacePath('src'));
    const command = 'printf "%s in %s? " "$WORD" "$PWD"; read answer; echo "got $answer"';
    const second = await run({ command, waitFor: '? ' });
    assert.ok(second.what.kind === 'command');
    assert.deepEqual([await realpath(second.what.cwd), second.what.earlier], [folder, ['cd src && export WORD=left']]);
    assert.deepEqual([second.answer['isRunning'], second.answer['exitCode']], [true, undefined]);
    assert.match(JSON.stringify(second.answer['output']), /^"left in .*src\? "$/);
    assert.equal(vscode.window.terminals.filter(({ name }) => name.includes('documents-test')).length, 1);
  });

  it('takes no other command while one runs there, and says what to do', async () => {
    const refused = await outside().failure('run_terminal_command', { command: 'ls' });
    assert.match(refused, /A command still runs in your terminal.*input.*get_terminal_output/s);
    assert.deepEqual(access.questions.list(), [], 'nobody is asked');
    const shown = JSON.stringify(await outside().call('list_open_editors'));
    assert.ok(shown, 'other tools answer meanwhile');
  });

  it('takes input for the command that runs, which is asked about each time', async () => {
    const { what, answer } = await run({ input: 'Ada', waitFor: endOnly });
    assert.ok(what.kind === 'input');
    assert.equal(what.text, 'Ada\n');
    assert.match(what.commandLine, /^printf/);
    assert.deepEqual([answer['exitCode'], answer['isRunning']], [0, false], JSON.stringify(answer));
    assert.match(JSON.stringify(answer['output']), /\? Ada\\ngot Ada\\n"$/);
    assert.match(await outside().failure('run_terminal_command', { input: 'too late' }), /No command of yours runs now/);
  });

  it('is a new one after the person closed it, and the answer says so', async () => {
    own()?.dispose();
    await until('the terminal to close', () => (own() === undefined ? true : undefined));
    const { what, answer } = await run({ command: 'test -z "$WORD"' });
    assert.ok(what.kind === 'command');
    assert.deepEqual([what.cwd, what.earlier, answer['exitCode']], [workspacePath(), undefined, 0]);
    assert.match(JSON.stringify(answer['note']), /in a new terminal, because the one before was closed/);
  });

  it('is a new one in another folder that is asked for, and the same one in its own', async () => {
    const other = await run({ command: 'true', cwd: 'src' });
    assert.match(JSON.stringify(other.answer['note']), /in a new terminal, because the one before stands in another folder/);
    const same = await run({ command: 'true', cwd: 'src' });
    assert.deepEqual(same.what.kind === 'command' && same.what.earlier, ['true']);
  });

  it('is interrupted by a key, and goes with the client when that is revoked, and what runs in it too', async () => {
    const endless = 'echo begun; sleep 600';
    const begun = await run({ command: endless, waitFor: 'begun' });
    assert.equal(begun.answer['isRunning'], true);
    const stopped = await run({ input: '\u0003', waitFor: endOnly });
    assert.deepEqual(stopped.what.kind === 'input' && stopped.what.text, '⟨U+0003⟩', 'invisible keys are shown');
    assert.equal(stopped.answer['isRunning'], false, JSON.stringify(stopped.answer));
    await run({ command: endless, waitFor: 'begun' });
    const pid = await own()?.processId;
    assert.ok(pid !== undefined);
    // The client has the window's token, which is revoked by making a new one.
    await vscode.commands.executeCommand('duplex.rotateServerToken');
    await until('the terminal to go', () => (own() === undefined ? true : undefined));
    await until('the shell to end', () => (isThere(pid) ? undefined : true));
  });
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
