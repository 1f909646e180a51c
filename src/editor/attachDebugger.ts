import * as vscode from 'vscode';
import type { DebuggerPorts, DebugTarget } from '../host/debuggedProcess.ts';

const pythonDebugger = 'ms-python.debugpy';

/** Port of the host: a debug session of this window for a process that waits on 127.0.0.1. It ends with the process. */
export async function attachDebugger(target: DebugTarget): ReturnType<DebuggerPorts['attach']> {
  if (target.kind === 'python' && vscode.extensions.getExtension(pythonDebugger) === undefined) {
    return 'noPythonDebugger';
  }
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(target.cwd));
  // Nobody has asked for the files to be saved, and one that is watched would restart the server.
  const options: vscode.DebugSessionOptions = { suppressSaveBeforeStart: true };
  return (await vscode.debug.startDebugging(folder, configurationFor(target), options)) ? 'attached' : 'notAttached';
}

function configurationFor({ kind, label, port, cwd }: DebugTarget): vscode.DebugConfiguration {
  const common = { request: 'attach', name: `MCP: ${label}`, internalConsoleOptions: 'neverOpen' };
  switch (kind) {
    case 'node':
      return { ...common, type: 'node', address: '127.0.0.1', port, cwd, skipFiles: ['<node_internals>/**'] };
    case 'python':
      return { ...common, type: 'debugpy', connect: { host: '127.0.0.1', port } };
  }
}
