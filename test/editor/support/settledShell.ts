import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { until } from './duplex.ts';

const maxTries = 10;

/**
 * A shell that is past its first command: VS Code can end the stream of that one before its data has come, so it is one that
 * nobody looks at, and it is run again until VS Code has heard it.
 */
export async function settledShell(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration> {
  const shell = await until('shell integration', () => terminal.shellIntegration);
  for (let tries = 0; tries < maxTries; tries += 1) {
    let heard = '';
    for await (const piece of shell.executeCommand('echo settled').read()) {
      heard += piece;
    }
    if (heard.includes('settled')) {
      return shell;
    }
  }
  assert.fail('VS Code hears nothing of what the shell runs');
}
