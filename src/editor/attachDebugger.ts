import * as vscode from 'vscode';
import type { DebuggerPorts, DebugTarget } from '../host/debuggedProcess.ts';
import { debugConfiguration, hasDebugger } from './debugConfiguration.ts';

/** Port of the host: a debug session of this window for a process that waits on 127.0.0.1. It ends with the process. */
export async function attachDebugger(target: DebugTarget): ReturnType<DebuggerPorts['attach']> {
  if (
    !hasDebugger(
      target.kind,
      vscode.extensions.all.map(({ packageJSON }) => packageJSON as unknown),
    )
  ) {
    return target.kind === 'node' ? 'noNodeDebugger' : 'noPythonDebugger';
  }
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(target.cwd));
  // Nobody has asked for the files to be saved, and one that is watched would restart the server.
  const options: vscode.DebugSessionOptions = { suppressSaveBeforeStart: true };
  return (await vscode.debug.startDebugging(folder, debugConfiguration(target), options)) ? 'attached' : 'notAttached';
}
