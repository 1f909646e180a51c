import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../src/base/lifecycle.ts';
import { createEditorTerminals } from '../../src/editor/terminals/editorTerminals.ts';
import type { EndedCommand, TerminalsPort } from '../../src/server/seen/ports/terminalsPort.ts';
import { until, workspacePath } from './support/duplex.ts';
import { settledShell, skipWithoutTerminals, untilHeard } from './support/settledShell.ts';

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
      terminal = vscode.window.createTerminal({ name: 'test', cwd: workspacePath('src'), shellPath: '/bin/bash' });
      const shell = await settledShell(terminal);
      const run = async (): Promise<EndedCommand> => {
        ended.length = 0;
        shell.executeCommand("printf '\\033[31mred\\033[0m\\nloading\\rdone   \\n'; (exit 3)");
        return until('the end of the command', () => ended.find(({ exitCode }) => exitCode === 3));
      };
      const command = await untilHeard(run, ({ output }) => output !== '');
      assert.match(command.command, /printf/);
      assert.equal(command.output.trim(), 'red\ndone');
      assert.deepEqual([command.cwd, command.cwdPath, command.isRunning, command.isCut], ['src', workspacePath('src'), false, false]);
      assert.ok(command.endedAt >= command.startedAt);
      const [entry] = terminals.listTerminals().filter(({ name }) => name === 'test');
      assert.deepEqual(entry, { id: command.terminalId, name: 'test', hasShellIntegration: true });
      assert.equal(terminals.listCommands(command.terminalId).at(-1)?.exitCode, 3);
      await until('the news', () => (changed.includes(command.terminalId) ? true : undefined));
    } finally {
      listening.forEach((one) => one.dispose());
    }
  });

  it('are still there after the terminal was closed', async () => {
    terminal?.dispose();
    await until('the terminal to close', () => (vscode.window.terminals.includes(terminal as vscode.Terminal) ? undefined : true));
    assert.equal(terminals.listCommands().at(-1)?.exitCode, 3);
    assert.ok(terminals.listTerminals().length > 0);
  });
});
