import * as vscode from 'vscode';
import type { DebugProblem } from '../host/debuggedProcess.ts';
import { quotedNames } from './quotedNames.ts';

/** What has to be there for a debugger that is missing. */
const extensions: Readonly<Partial<Record<DebugProblem, string>>> = {
  noNodeDebugger: 'ms-vscode.js-debug',
  noPythonDebugger: 'ms-python.debugpy',
};

/** Why no debugger looks into a server that wants one. */
export async function tellOfDebugger(label: string, problem: DebugProblem, showLog: () => void): Promise<void> {
  const name = quotedNames([label]);
  const log = vscode.l10n.t('Show Log');
  const install = vscode.l10n.t('Show Extension');
  const extension = extensions[problem];
  const said = sentenceOf(problem, name);
  const picked = await (extension === undefined
    ? vscode.window.showWarningMessage(said, log)
    : vscode.window.showWarningMessage(said, install, log));
  if (picked === log) {
    showLog();
  } else if (picked === install && extension !== undefined) {
    await vscode.commands.executeCommand('workbench.extensions.search', `@id:${extension}`);
  }
}

function sentenceOf(problem: DebugProblem, name: string): string {
  switch (problem) {
    case 'notAttached':
      return vscode.l10n.t('The debugger could not be attached to the MCP server {0}. The server runs without it.', name);
    case 'noNodeDebugger':
      return vscode.l10n.t(
        'To debug the MCP server {0}, enable the extension “JavaScript Debugger” ({1}), which belongs to VS Code, and restart the server. It runs without a debugger now.',
        name,
        'ms-vscode.js-debug',
      );
    case 'noPythonDebugger':
      return vscode.l10n.t(
        'To debug the MCP server {0}, install the extension “Python Debugger” ({1}) and restart the server. It runs without a debugger now.',
        name,
        'ms-python.debugpy',
      );
    case 'noDebugpy':
      return vscode.l10n.t(
        'The MCP server {0} cannot be debugged: its Python has no debugpy. Install it there ({1}), or leave {2} out of its definition.',
        name,
        'python -m pip install debugpy',
        'dev.debug',
      );
  }
}
