import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { EditorPort } from '../server/seen/ports/editorPort.ts';
import { createActingPort } from './acting/actingPort.ts';
import type { ActingViews } from './acting/actingViews.ts';
import { createDocumentsPort } from './documents/documentsPort.ts';
import type { LastTextEditor } from './documents/lastTextEditor.ts';
import { createLanguagePort } from './language/languagePort.ts';
import { createTerminalsPort } from './terminals/terminalsPort.ts';
import { createTestsPort, type TestsPortOptions } from './tests/testsPort.ts';
import { createWorkspacePort } from './workspace/workspacePort.ts';
import { Diagnostics } from './diagnostics.ts';
import { listOpenEditors } from './openEditors.ts';
import { listWorkspaceFolders } from './workspaceFolders.ts';

export interface EditorPortOptions extends Omit<TestsPortOptions, 'tasks' | 'terminals'> {
  readonly actingViews: ActingViews;
  readonly lastTextEditor: LastTextEditor;
  /** The file of the program that searches on a thread of its own. */
  readonly searchWorker: string;
}

/** The running editor, as the embedded server sees it. */
export function createEditorPort({ actingViews, lastTextEditor, searchWorker, ...forTests }: EditorPortOptions): EditorPort & Disposable {
  const lifetime = new DisposableStore();
  const terminals = lifetime.add(createTerminalsPort());
  const acting = lifetime.add(createActingPort(actingViews));
  const diagnostics = lifetime.add(new Diagnostics());
  const openEditorsChanged = lifetime.add(new Emitter<void>());
  const foldersChanged = lifetime.add(new Emitter<void>());
  const fireOpenEditors = (): void => openEditorsChanged.fire();
  lifetime.add(vscode.window.tabGroups.onDidChangeTabs(fireOpenEditors));
  lifetime.add(vscode.window.tabGroups.onDidChangeTabGroups(fireOpenEditors));
  lifetime.add(vscode.workspace.onDidOpenTextDocument(fireOpenEditors)); // a changed language closes and opens the document
  lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(() => foldersChanged.fire()));
  return {
    documents: lifetime.add(createDocumentsPort(lastTextEditor)),
    language: lifetime.add(createLanguagePort()),
    workspace: lifetime.add(createWorkspacePort(searchWorker)),
    terminals,
    acting,
    tests: lifetime.add(createTestsPort({ ...forTests, tasks: acting, terminals })),
    listOpenEditors,
    listWorkspaceFolders,
    getDiagnostics: (query, signal) => diagnostics.get(query, signal),
    onDidChangeOpenEditors: openEditorsChanged.event,
    onDidChangeDiagnostics: diagnostics.onDidChange,
    onDidChangeWorkspaceFolders: foldersChanged.event,
    dispose: () => lifetime.dispose(),
  };
}
