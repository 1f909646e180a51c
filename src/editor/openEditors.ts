import * as vscode from 'vscode';
import type { OpenEditor } from '../server/ports/editorPort.ts';
import { toClientPath } from './clientPaths.ts';

/** The tabs that show a document, in the order of groups and tabs. */
export function listOpenEditors(): OpenEditor[] {
  return vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const shown = documentOf(tab);
      return shown === undefined ? [] : [describe(tab, group, shown)];
    }),
  );
}

interface ShownDocument {
  readonly uri: vscode.Uri;
  readonly kind: OpenEditor['kind'];
  readonly notebookType?: string;
}

function documentOf(tab: vscode.Tab): ShownDocument | undefined {
  const input = tab.input;
  if (input instanceof vscode.TabInputText) {
    return { uri: input.uri, kind: 'text' };
  }
  if (input instanceof vscode.TabInputTextDiff) {
    return { uri: input.modified, kind: 'diff' };
  }
  if (input instanceof vscode.TabInputNotebook) {
    return { uri: input.uri, kind: 'notebook', notebookType: input.notebookType };
  }
  if (input instanceof vscode.TabInputNotebookDiff) {
    return { uri: input.modified, kind: 'diff', notebookType: input.notebookType };
  }
  if (input instanceof vscode.TabInputCustom) {
    return { uri: input.uri, kind: 'custom' };
  }
  return undefined;
}

function describe(tab: vscode.Tab, group: vscode.TabGroup, shown: ShownDocument): OpenEditor {
  const uri = shown.uri.toString();
  const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri);
  return {
    path: toClientPath(shown.uri),
    uri,
    languageId: document?.languageId ?? shown.notebookType ?? '',
    kind: shown.kind,
    isActive: tab.isActive && group.isActive,
    isDirty: tab.isDirty,
    isPinned: tab.isPinned,
    group: group.viewColumn,
  };
}
