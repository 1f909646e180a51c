import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { ActRequest } from '../../../../../src/server/access/clientApproval.ts';
import type { CallContext } from '../../../../../src/server/offer/catalog/catalog.ts';
import { runTerminalCommand } from '../../../../../src/server/offer/tools/runTerminalCommand.ts';
import { silentPatienceMs } from '../../../../../src/server/offer/tools/runs.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';
import { redactSecrets } from '../../../../../src/secrets/redactSecrets.ts';
import { withholdingActing } from '../../../../../src/server/seen/withheld/acting.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { visibilityWith } from '../../support/visibilityWith.ts';

const never = new Promise<never>(() => undefined);
const secretKey = `ghp_${'a1B2'.repeat(10)}`;

async function run(args: JsonObject, editor: FakeEditor, changes: Partial<CallContext> = {}): Promise<JsonObject> {
  return (await outputOf(runTerminalCommand, args, { editor, call: fakeCall(changes) })) as JsonObject;
}

/** A person who allows everything as it is. */
function allowing(asked: ActRequest[], meanwhile: () => void = () => undefined): Partial<CallContext> {
  return {
    confirm: (act) => {
      asked.push(act);
      meanwhile();
      return Promise.resolve('asItIs');
    },
  };
}

/** What a client without progress is told of something that does not end. */
async function runOutOfPatience(args: JsonObject, editor: FakeEditor, thenMs = 0): Promise<JsonObject> {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const answer = run(args, editor);
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(silentPatienceMs);
    const result = await answer;
    mock.timers.tick(thenMs);
    return result;
  } finally {
    mock.timers.reset();
  }
}

/** An editor in which a command runs that does not end. */
function whileRunning(output: string): FakeEditor {
  const editor = new FakeEditor();
  editor.acting.commandEnd = never;
  editor.acting.commandOutput = output;
  editor.acting.running = editor.acting.commandOf('npm init');
  return editor;
}

const isReady = (args: JsonObject): boolean => runTerminalCommand.prepare(args).kind === 'ready';

describe('run_terminal_command', () => {
  it('asks with the command line and the folder, and never offers the session', async () => {
    const editor = new FakeEditor();
    const asked: ActRequest[] = [];
    const result = await run({ command: 'npm ls', cwd: 'src' }, editor, allowing(asked));
    const what = { kind: 'command', commandLine: 'npm ls', cwd: '/demo/src', terminal: '/bin/sh' };
    assert.deepEqual(asked, [{ tool: 'run_terminal_command', role: 'runner', what, offersSession: false }]);
    assert.deepEqual(result, { exitCode: 3, output: editor.acting.commandOutput, isRunning: false });
  });

  it('asks with what ran before in the terminal, and runs nothing where something was run there meanwhile', async () => {
    const editor = new FakeEditor();
    editor.acting.earlier = ['cd src', 'alias ls=rm'];
    const asked: ActRequest[] = [];
    const another = (): void => void (editor.acting.earlier = [...editor.acting.earlier, 'cd ..']);
    await assert.rejects(run({ command: 'ls' }, editor, allowing(asked, another)), { code: 'server.terminalChanged' });
    const [{ what } = {}] = asked;
    assert.deepEqual(what?.kind === 'command' && [what.earlier, what.moreEarlier], [['cd src', 'alias ls=rm'], 0]);
    assert.deepEqual(editor.acting.done, []);
  });

  it('says why it ran in a new terminal', async () => {
    const editor = new FakeEditor();
    editor.acting.replacing = { replaces: 'closed' };
    assert.match(JSON.stringify((await run({ command: 'ls' }, editor))['note']), /in a new terminal, because the one before was closed/);
  });

  it('interrupts the command when its time is up, and returns what it wrote until then', async () => {
    const editor = new FakeEditor();
    editor.acting.commandEnd = never;
    const result = await run({ command: 'sleep 100', timeoutMs: 1 }, editor);
    const note = 'The command was interrupted after 1 ms, and still runs.';
    assert.deepEqual(result, { output: editor.acting.commandOutput, isRunning: true, note });
    assert.deepEqual(editor.acting.done.at(-1), ['interrupt']);
  });

  it('answers a client that hears of no progress in time, and still interrupts the command when its own time is up', async () => {
    const editor = new FakeEditor();
    editor.acting.commandEnd = never;
    const request = { command: 'make', timeoutMs: silentPatienceMs + 1_000 };
    const result = await runOutOfPatience(request, editor, 999);
    assert.deepEqual([Object.keys(result), result['isRunning']], [['output', 'isRunning', 'note'], true]);
    assert.notDeepEqual(editor.acting.done.at(-1), ['interrupt']);
    await runOutOfPatience(request, editor, 1_000);
    assert.deepEqual(editor.acting.done.at(-1), ['interrupt']);
  });

  it('returns at once when told not to wait', async () => {
    const editor = new FakeEditor();
    editor.acting.commandEnd = never;
    const result = await run({ command: 'npm start', wait: false }, editor);
    assert.deepEqual([Object.keys(result), result['isRunning']], [['isRunning', 'note'], true]);
  });

  it('interrupts the command when the call is cancelled', async () => {
    const editor = new FakeEditor();
    editor.acting.commandEnd = never;
    const cancelled = new AbortController();
    cancelled.abort();
    await assert.rejects(run({ command: 'x' }, editor, { signal: cancelled.signal }), { name: 'AbortError' });
    assert.deepEqual(editor.acting.done.at(-1), ['interrupt']);
  });
});

describe('run_terminal_command with waitFor', () => {
  it('returns once the text is there, in a line without an end too, and lets the command run', async () => {
    const editor = whileRunning('compiling\n');
    const answer = run({ command: 'npm init', waitFor: 'name: ', timeoutMs: 60_000 }, editor);
    setImmediate(() => (editor.acting.commandOutput = 'compiling\npackage name: '));
    assert.deepEqual(await answer, { output: 'compiling\npackage name: ', isRunning: true });
    assert.notDeepEqual(editor.acting.done.at(-1), ['interrupt']);
  });

  it('ends the wait when the time is up, and lets the command run', async () => {
    const editor = whileRunning('compiling\n');
    const answer = await run({ command: 'npm start', waitFor: 'ready', timeoutMs: 1 }, editor);
    assert.deepEqual([answer['isRunning'], answer['output']], [true, 'compiling\n']);
    assert.match(JSON.stringify(answer['note']), /The wait ended after 1 ms/);
    assert.notDeepEqual(editor.acting.done.at(-1), ['interrupt']);
  });

  it('does not tell whether a secret that the client may not see has the text in it', async () => {
    const editor = whileRunning(`token=${secretKey}\n`);
    const acting = withholdingActing(
      editor.acting,
      visibilityWith(() => true, redactSecrets),
    );
    const seen = Object.assign(Object.create(editor) as FakeEditor, { acting });
    const found = await run({ command: 'env', waitFor: '[redacted]', timeoutMs: 60_000 }, seen);
    assert.deepEqual([found['output'], found['isRunning'], found['note']], ['token=[redacted]\n', true, undefined]);
    const guess = await run({ command: 'env', waitFor: secretKey.slice(0, 8), timeoutMs: 300 }, seen);
    assert.match(JSON.stringify(guess['note']), /The wait ended/);
  });
});

describe('run_terminal_command that seems to wait', () => {
  it('is interrupted all the same once its time is over', async () => {
    const editor = new FakeEditor();
    editor.acting.commandEnd = never;
    editor.acting.commandOutput = 'Name? ';
    const interrupted = new Promise<void>((resolve) => {
      const commandOf = editor.acting.commandOf.bind(editor.acting);
      editor.acting.commandOf = (...about) => ({ ...commandOf(...about), interrupt: resolve });
    });
    const start = performance.now();
    let passed = 0;
    const clock = mock.method(performance, 'now', () => start + (passed += 6_000));
    try {
      const { note, isRunning } = await run({ command: 'npm init', timeoutMs: 30_050 }, editor);
      assert.equal(isRunning, true);
      assert.match(JSON.stringify(note), /seems to wait/);
      await interrupted;
    } finally {
      clock.mock.restore();
    }
  });
});

describe('run_terminal_command with input', () => {
  it('asks with exactly what would be typed and for which command, and answers with what came after it', async () => {
    const editor = whileRunning('Hello\nName? ');
    const asked: ActRequest[] = [];
    const answer = run({ input: 'Ada', waitFor: '? ' }, editor, allowing(asked));
    setImmediate(() => (editor.acting.commandOutput = 'Hello\nName? Ada\nAge? '));
    assert.deepEqual(await answer, { output: 'Name? Ada\nAge? ', isRunning: true });
    const what = { kind: 'input', text: 'Ada\n', commandLine: 'npm init' };
    assert.deepEqual(asked, [{ tool: 'run_terminal_command', role: 'runner', what, offersSession: false }]);
    assert.deepEqual(editor.acting.done, [['type', 'Ada\n']]);
  });

  it('presses Enter but after a control character, and takes nothing after a key that ends the command', async () => {
    const editor = whileRunning('? ');
    for (const input of ['', 'y\n', '\u0003', 'x\u0004', '\u001b[A\t']) {
      await run({ input, wait: false }, editor);
    }
    assert.deepEqual(
      editor.acting.done.map((done) => (done as unknown[])[1]),
      ['\n', 'y\n', '\u0003', 'x\u0004', '\u001b[A\t'],
    );
    for (const input of ['\u0003rm -rf ~\n', '\u0004\n', '\u001Als', '\u001Cls']) {
      assert.equal(isReady({ input }), false, JSON.stringify(input));
    }
  });

  it('is refused where no command runs, and types nothing where it ended while the question was open', async () => {
    await assert.rejects(run({ input: 'y' }, new FakeEditor()), { code: 'server.nothingRuns' });
    const editor = whileRunning('? ');
    const ends = (): void => void (editor.acting.running = editor.acting.commandOf('another', '2'));
    await assert.rejects(run({ input: 'y' }, editor, allowing([], ends)), { code: 'server.nothingRuns' });
    assert.deepEqual(editor.acting.done, []);
  });

  it('goes without a command and without a folder', async () => {
    const editor = whileRunning('? ');
    await assert.rejects(run({}, editor), { code: 'server.commandOrInput' });
    await assert.rejects(run({ input: 'y', command: 'ls' }, editor), { code: 'server.commandOrInput' });
    await assert.rejects(run({ input: 'y', cwd: 'src' }, editor), { code: 'server.inputWithCwd' });
  });

  it('leaves the command alone when the call is cancelled', async () => {
    const editor = whileRunning('? ');
    const cancelled = new AbortController();
    const answer = run({ input: 'y', waitFor: 'never' }, editor, { signal: cancelled.signal });
    setImmediate(() => cancelled.abort());
    await assert.rejects(answer, { name: 'AbortError' });
    assert.deepEqual(
      editor.acting.done.filter((done) => (done as unknown[])[0] === 'interrupt'),
      [],
    );
  });

  it('is answered once nothing more comes, though the command goes on', async () => {
    const editor = whileRunning('>>> ');
    const answer = run({ input: '1 + 1' }, editor);
    setImmediate(() => (editor.acting.commandOutput = '>>> 1 + 1\n2\n>>> '));
    const { note, ...rest } = await answer;
    assert.deepEqual(rest, { output: '>>> 1 + 1\n2\n>>> ', isRunning: true });
    assert.match(JSON.stringify(note), /seems to wait/);
  });
});
