import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import type { TerminalsPort } from '../../server/seen/ports/terminalsPort.ts';
import { TerminalCommands } from './terminalCommands.ts';

export function createEditorTerminals(): TerminalsPort & Disposable {
  const commands = new TerminalCommands();
  return {
    listTerminals: () => commands.listTerminals(),
    listCommands: (terminalId) => commands.listCommands(terminalId),
    explainEmpty: (terminalId) => explainEmpty(commands, terminalId),
    onDidChangeTerminal: commands.onDidChangeTerminal,
    onDidChangeTerminals: commands.onDidChangeTerminals,
    onDidEndCommand: commands.onDidEndCommand,
    dispose: () => commands.dispose(),
  };
}

function explainEmpty(commands: TerminalCommands, terminalId: string | undefined): string {
  const limits = 'VS Code tells extensions only of commands that start after Duplex did, in terminals with shell integration.';
  const open = commands.listTerminals().filter(({ id }) => terminalId === undefined || id === terminalId);
  if (vscode.window.terminals.length === 0) {
    return `No terminal is open. ${limits}`;
  }
  if (open.some(({ hasShellIntegration }) => hasShellIntegration)) {
    return `No command has been run yet. ${limits}`;
  }
  return `No open terminal has shell integration (it may still be starting, or the shell does not support it). ${limits}`;
}
