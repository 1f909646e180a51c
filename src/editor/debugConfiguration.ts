import type { DebugConfiguration } from 'vscode';
import { isJsonObject } from '../base/json.ts';
import type { DebuggerKind } from '../contract/definitionSchemas.ts';
import type { DebugTarget } from '../host/debuggedProcess.ts';

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
