import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../../src/base/json.ts';
import type { EndedCommand } from '../../../../../src/server/seen/ports/terminalsPort.ts';
import { terminalTemplate } from '../../../../../src/server/offer/resources/terminalTemplate.ts';
import { getTerminalOutput } from '../../../../../src/server/offer/tools/getTerminalOutput.ts';
import { redactSecrets } from '../../../../../src/secrets/redactSecrets.ts';
import { noGrants } from '../../../../../src/server/seen/viewer.ts';
import { withholdingTerminals } from '../../../../../src/server/seen/withheld/editorViews.ts';
import { createVisibility } from '../../../../../src/server/seen/withheld/visibility.ts';
import { turnsOfOthers } from '../../../../support/longestBlock.ts';
import { fakeCall } from '../../support/fakeCall.ts';
import { FakeEditor } from '../../support/fakePorts.ts';
import { FakeTerminals, terminalCommand } from '../../support/fakeTerminals.ts';
import { visibilityWith } from '../../support/visibilityWith.ts';
import { outputOf } from '../../../../../src/server/offer/tools/tool.ts';

const secretKey = `ghp_${'a1B2'.repeat(10)}`;

interface Output {
  readonly commands: readonly { readonly command: string; readonly output: string }[];
  readonly note?: string;
}

async function run(args: JsonObject, editor: FakeEditor): Promise<Output> {
  return (await outputOf(getTerminalOutput, args, { editor, call: fakeCall() })) as Output;
}

describe('get_terminal_output', () => {
  it('returns the latest commands of all terminals or of one, oldest first', async () => {
    const editor = new FakeEditor();
    const { terminals } = editor;
    terminals.terminals = ['1', '2'].map((id) => ({ id, name: 'bash', hasShellIntegration: true }));
    terminals.commands = [
      terminalCommand('ls', 'a\nb'),
      terminalCommand('npm test', '1 failed', { exitCode: 1, terminalId: '2' }),
      terminalCommand('npm start', 'listening', { exitCode: undefined, isRunning: true }),
    ];
    assert.deepEqual(await run({}, editor), {
      commands: [
        { terminalId: '1', command: 'ls', exitCode: 0, isRunning: false, output: 'a\nb' },
        { terminalId: '2', command: 'npm test', exitCode: 1, isRunning: false, output: '1 failed' },
        { terminalId: '1', command: 'npm start', isRunning: true, output: 'listening' },
      ],
    });
    assert.deepEqual(
      (await run({ terminalId: '2' }, editor)).commands.map(({ command }) => command),
      ['npm test'],
    );
    assert.deepEqual(
      (await run({ limit: 1 }, editor)).commands.map(({ command }) => command),
      ['npm start'],
    );
  });

  it('says of a command that nothing of it was heard, which is not that it printed nothing', async () => {
    const editor = new FakeEditor();
    editor.terminals.commands = [terminalCommand('true', ''), terminalCommand('pwd', '', { isUnheard: true })];
    assert.deepEqual(
      (await run({}, editor)).commands.map(({ output }) => output),
      ['', '[not heard: VS Code passed on nothing of what this command may have printed]'],
    );
  });

  it('says why an answer is empty', async () => {
    const editor = new FakeEditor();
    editor.terminals.commands = [];
    assert.deepEqual(await run({}, editor), { commands: [], note: 'No terminal is open.' });
  });

  it('knows no terminal that is not there', async () => {
    await assert.rejects(run({ terminalId: '9' }, new FakeEditor()), { code: 'server.terminalNotFound' });
  });

  it('cuts long outputs in the middle, and leaves out the oldest commands first', async () => {
    const editor = new FakeEditor();
    const lines = (word: string): string => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`).join('\n');
    editor.terminals.commands = [
      ...Array.from({ length: 100 }, (_, index) => terminalCommand(`early ${index}`, lines('early'))),
      terminalCommand('one', lines('one')),
      terminalCommand('two', lines('two'), { isCut: true }),
    ];
    const { commands, note } = await run({}, editor);
    const [one, two] = commands.slice(-2);
    assert.match(one?.output ?? '', /^one 0\n[^]*\n\[… \d+ characters left out; a larger maxChars shows more …\]\n[^]*one 19999$/);
    assert.match(two?.output ?? '', /^\[the beginning is cut\]\ntwo 0\n[^]*two 19999$/);
    assert.equal(note?.startsWith(`${102 - commands.length} earlier commands were left out`), true, note);
    assert.ok((two?.output.length ?? 0) > (one?.output.length ?? 0), 'the latest has the most room');
  });
});

describe('terminal://{id}', () => {
  it('equals the tool, is listed and completed, and tells of changes in its own terminal only', async () => {
    const editor = new FakeEditor();
    const context = { editor, call: fakeCall() };
    const match = terminalTemplate.match('terminal://1');
    assert.deepEqual(await match?.read(context), { kind: 'json', value: await run({ terminalId: '1' }, editor) });
    assert.deepEqual(
      terminalTemplate.list?.(editor).map((entry) => entry['uri']),
      ['terminal://1'],
    );
    const complete = (name: string, value: string): unknown =>
      terminalTemplate.complete({ ref: { kind: 'resource', uri: 'terminal://{id}' }, argument: { name, value }, context: {} }, context);
    assert.deepEqual([complete('id', ''), complete('id', '2'), complete('x', '')], [{ values: ['1'] }, { values: [] }, { values: [] }]);
    let told = 0;
    const listening = match?.changes(editor)(() => (told += 1));
    editor.terminals.didChangeTerminal.fire('2');
    editor.terminals.didChangeTerminal.fire('1');
    listening?.dispose();
    assert.equal(told, 1);
  });

  it('matches nothing that is no id, and refuses an unknown one', async () => {
    for (const uri of ['terminal://', 'terminal://1/2', 'terminal://..', 'terminals://1']) {
      assert.equal(terminalTemplate.match(uri), undefined);
    }
    const check = async (): Promise<void> => terminalTemplate.match('terminal://7')?.check({ editor: new FakeEditor(), call: fakeCall() });
    await assert.rejects(check, { code: 'server.terminalNotFound' });
  });
});

describe('What clients see of the terminals', () => {
  it('has secrets redacted, and names no withheld folder', async () => {
    const terminals = new FakeTerminals();
    const seen = withholdingTerminals(
      terminals,
      visibilityWith((path) => path !== '.ssh', redactSecrets),
    );
    terminals.commands = [terminalCommand(`curl -H "x: ${secretKey}"`, `token: ${secretKey}`, { cwd: '.ssh' })];
    terminals.terminals = [{ id: '1', name: secretKey, hasShellIntegration: true }];
    const ended: EndedCommand[] = [];
    const listening = seen.onDidEndCommand((command) => ended.push(command));
    terminals.didEndCommand.fire({ ...terminalCommand(secretKey, secretKey, { cwd: '.ssh' }), endedAt: 2 });
    listening.dispose();
    const commands = seen.listCommands();
    const outputs = await Promise.all([...commands, ...ended].map(async (command) => seen.readOutput(command)));
    const all = JSON.stringify([commands, outputs, seen.listTerminals(), ended]);
    assert.doesNotMatch(all, /ghp_|\.ssh/);
    assert.equal(all.split('[redacted]').length, 6);
  });

  it('is looked through in turns with others, however much a command printed', async () => {
    const visibility = createVisibility({ folders: () => [], neverShown: [], grants: noGrants });
    const terminals = new FakeTerminals();
    const written = 'token: see https://example.org/ for the password\n'.repeat(31_000);
    terminals.commands = [terminalCommand('npm test', `${written}${secretKey}\n`)];
    const editor = Object.assign(new FakeEditor(), { terminals: withholdingTerminals(terminals, visibility) });
    let shown: Output | undefined;
    const turns = await turnsOfOthers(async () => void (shown = await run({}, editor)));
    assert.match(shown?.commands[0]?.output ?? '', /characters left out[^]*\[redacted\]\n$/);
    assert.ok(turns >= 10, `others had ${turns} turns while ${written.length} characters were looked through`);
  });
});
