import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../src/base/lifecycle.ts';
import { createEditorTerminals } from '../../src/editor/terminals/editorTerminals.ts';
import type { EndedCommand, TerminalsPort } from '../../src/server/seen/ports/terminalsPort.ts';
import { until, workspacePath } from './support/duplex.ts';
import { shellAtPrompt, skipWithoutTerminals } from './support/terminals.ts';

describe('Commands in terminals', () => {
  let terminals: TerminalsPort & Disposable;
  const lifetime = new DisposableStore();
  let terminal: vscode.Terminal | undefined;

  before(function () {
    skipWithoutTerminals(this);
    terminals = lifetime.add(createEditorTerminals());
  });

  after(() => {
    terminal?.dispose();
    lifetime.dispose();
  });

  it('are none at first, and the answer says why', () => {
    assert.deepEqual(terminals.listCommands(), []);
    assert.match(terminals.explainEmpty(), /shell integration/);
  });

  it('are told with exit code, folder and plain output when they end, and stay readable', async () => {
    const ended: EndedCommand[] = [];
    const changed: string[] = [];
    const listening = [
      terminals.onDidEndCommand((command) => ended.push(command)),
      terminals.onDidChangeTerminal((id) => changed.push(id)),
    ];
    try {
      terminal?.dispose();
      terminal = vscode.window.createTerminal({ name: 'test', cwd: workspacePath('src'), shellPath: '/bin/bash' });
      const shell = await shellAtPrompt(terminal);
      const goOn = workspacePath('go-on.txt');
      await rm(goOn, { force: true });
      // It ends when what it printed was heard: of one that ends at once VS Code may pass on nothing.
      shell.executeCommand(`printf '\\033[31mred\\033[0m\\nloading\\rdone   \\n'; until [ -e '${goOn}' ]; do sleep 0.05; done; (exit 3)`);
      await until('what it prints', () => terminals.listCommands().find(({ isRunning, output }) => isRunning && output.includes('done')));
      await writeFile(goOn, '');
      const command = await until('the end of the command', () => ended.find(({ exitCode }) => exitCode === 3));
      assert.match(command.command, /printf/);
      assert.equal(command.output.trim(), 'red\ndone');
      assert.deepEqual([command.cwd, command.cwdPath, command.isRunning, command.isCut], ['src', workspacePath('src'), false, false]);
      assert.ok(command.endedAt >= command.startedAt);
      const entry = terminals.listTerminals().find(({ id }) => id === command.terminalId);
      assert.deepEqual(entry, { id: command.terminalId, name: 'test', hasShellIntegration: true });
      assert.equal(terminals.listCommands(command.terminalId).at(-1)?.exitCode, 3);
      await until('the news', () => (changed.includes(command.terminalId) ? true : undefined));
    } finally {
      listening.forEach((one) => one.dispose());
    }
  });

  it('are told with their output or as not heard when they end at once, one after the other', async () => {
    const shell = terminal?.shellIntegration;
    assert.ok(shell);
    for (let turn = 0; turn < 10; turn += 1) {
      const ending = new Promise<EndedCommand>((resolve) => {
        const listening = terminals.onDidEndCommand((command) => {
          listening.dispose();
          resolve(command);
        });
      });
      shell.executeCommand(`echo turn ${turn}`);
      const { output, isUnheard, exitCode } = await ending;
      assert.deepEqual([exitCode, output, isUnheard], isUnheard === true ? [0, '', true] : [0, `turn ${turn}`, undefined]);
    }
  });

  it('are still there after the terminal was closed', async () => {
    terminal?.dispose();
    await until('the terminal to close', () => (vscode.window.terminals.includes(terminal as vscode.Terminal) ? undefined : true));
    assert.ok(terminals.listCommands().some(({ exitCode }) => exitCode === 3));
    assert.ok(terminals.listTerminals().length > 0);
  });
});
