import * as vscode from 'vscode';

/** As VS Code names them, in lower camel case. */
export function symbolKind(kind: vscode.SymbolKind): string {
  const name = vscode.SymbolKind[kind] as string | undefined;
  return name === undefined ? 'unknown' : `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;
}
