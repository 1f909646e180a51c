import * as vscode from 'vscode';
import type { OpenEditor } from '../../server/seen/ports/editorPort.ts';
import { toClientPath } from '../shared/clientUris.ts';
import { documentOf, findTextDocument, type ShownDocument } from '../shared/openDocuments.ts';

/** The tabs that show a document, in the order of groups and tabs. */
export function listOpenEditors(): OpenEditor[] {
  return vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const shown = documentOf(tab);
      return shown === undefined ? [] : [describe(tab, group, shown)];
    }),
  );
}

function describe(tab: vscode.Tab, group: vscode.TabGroup, shown: ShownDocument): OpenEditor {
  const uri = shown.uri.toString();
  return {
    path: toClientPath(shown.uri),
    uri,
    languageId: findTextDocument(uri)?.languageId ?? shown.notebookType ?? '',
    kind: shown.kind,
    isActive: tab.isActive && group.isActive,
    isDirty: tab.isDirty,
    isPinned: tab.isPinned,
    group: group.viewColumn,
  };
}
