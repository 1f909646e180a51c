import * as vscode from 'vscode';
import type { DebugConfiguration } from 'vscode';
import { isJsonObject } from '../../base/json.ts';
import type { DebuggerKind } from '../../contract/definitionSchemas.ts';
import type { DebuggerPorts, DebugTarget } from '../../host/approval/debuggedProcess.ts';

/** Attaches a debug session of this window to a process that waits on 127.0.0.1. The session ends with the process. */
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
  // Nobody has asked for files to be saved, and saving one that is watched would restart the server.
  const options: vscode.DebugSessionOptions = { suppressSaveBeforeStart: true };
  return (await vscode.debug.startDebugging(folder, debugConfiguration(target), options)) ? 'attached' : 'notAttached';
}

/** The debug types as extensions contribute them. */
const debugTypes: Readonly<Record<DebuggerKind, string>> = { node: 'node', python: 'debugpy' };

/** The configuration by which VS Code's debugger gets to a process that waits on 127.0.0.1. */
export function debugConfiguration({ kind, label, port, cwd }: DebugTarget): DebugConfiguration {
  const common = { request: 'attach', name: `MCP: ${label}`, type: debugTypes[kind], internalConsoleOptions: 'neverOpen' };
  switch (kind) {
    case 'node':
      return { ...common, address: '127.0.0.1', port, cwd, skipFiles: ['<node_internals>/**'] };
    case 'python':
      return { ...common, connect: { host: '127.0.0.1', port } };
  }
}

/** Whether an installed extension brings the debugger. Without one VS Code would ask in a dialog of its own, over everything else. */
export function hasDebugger(kind: DebuggerKind, manifests: readonly unknown[]): boolean {
  return manifests.some((manifest) => {
    const contributes = isJsonObject(manifest) ? manifest['contributes'] : undefined;
    const debuggers = isJsonObject(contributes) ? contributes['debuggers'] : undefined;
    return Array.isArray(debuggers) && debuggers.some((each) => isJsonObject(each) && each['type'] === debugTypes[kind]);
  });
}
