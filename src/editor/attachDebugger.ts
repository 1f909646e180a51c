import * as vscode from 'vscode';
import type { DebugConfiguration } from 'vscode';
import { isJsonObject } from '../base/json.ts';
import type { DebuggerKind } from '../contract/definitionSchemas.ts';
import type { DebuggerPorts, DebugTarget } from '../host/approval/debuggedProcess.ts';

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

/** As extensions contribute them. */
const debugTypes: Readonly<Record<DebuggerKind, string>> = { node: 'node', python: 'debugpy' };

/** How the editor's debugger gets to a process that waits on 127.0.0.1. */
export function debugConfiguration({ kind, label, port, cwd }: DebugTarget): DebugConfiguration {
  const common = { request: 'attach', name: `MCP: ${label}`, type: debugTypes[kind], internalConsoleOptions: 'neverOpen' };
  switch (kind) {
    case 'node':
      return { ...common, address: '127.0.0.1', port, cwd, skipFiles: ['<node_internals>/**'] };
    case 'python':
      return { ...common, connect: { host: '127.0.0.1', port } };
  }
}

/** Whether one of the extensions that run brings the debugger. Without it VS Code asks in a dialog of its own, over everything else. */
export function hasDebugger(kind: DebuggerKind, manifests: readonly unknown[]): boolean {
  return manifests.some((manifest) => {
    const contributes = isJsonObject(manifest) ? manifest['contributes'] : undefined;
    const debuggers = isJsonObject(contributes) ? contributes['debuggers'] : undefined;
    return Array.isArray(debuggers) && debuggers.some((each) => isJsonObject(each) && each['type'] === debugTypes[kind]);
  });
}
