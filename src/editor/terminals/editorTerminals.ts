// terminals/: commands that ran in terminals, with their output, as far as shell integration tells. This file is the port.
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import type { TerminalsPort } from '../../server/seen/ports/terminalsPort.ts';
import { CommandRecorder } from './commandRecorder.ts';

export function createEditorTerminals(): TerminalsPort & Disposable {
  const recorder = new CommandRecorder();
  return {
    listTerminals: () => recorder.listTerminals(),
    listCommands: (terminalId) => recorder.listCommands(terminalId),
    explainEmpty: (terminalId) => explainEmpty(recorder, terminalId),
    onDidChangeTerminal: recorder.onDidChangeTerminal,
    onDidChangeTerminals: recorder.onDidChangeTerminals,
    onDidEndCommand: recorder.onDidEndCommand,
    dispose: () => recorder.dispose(),
  };
}

function explainEmpty(recorder: CommandRecorder, terminalId: string | undefined): string {
  const limits = 'VS Code tells extensions only of commands that start after Duplex did, in terminals with shell integration.';
  const open = recorder.listTerminals().filter(({ id }) => terminalId === undefined || id === terminalId);
  if (vscode.window.terminals.length === 0) {
    return `No terminal is open. ${limits}`;
  }
  if (open.some(({ hasShellIntegration }) => hasShellIntegration)) {
    return `No command has been run yet. ${limits}`;
  }
  return `No open terminal has shell integration (it may still be starting, or the shell does not support it). ${limits}`;
}
