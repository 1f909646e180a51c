import * as vscode from 'vscode';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { EditorPort } from '../server/seen/ports/editorPort.ts';
import type { TestsPort } from '../server/seen/ports/testsPort.ts';
import type { TestGround } from '../testRuns/testGround.ts';
import { createActingPort } from './acting/actingPort.ts';
import type { ReviewDesk } from './acting/reviewDesk.ts';
import { createDocumentsPort } from './documents/documentsPort.ts';
import { createLanguagePort } from './language/languagePort.ts';
import { createTerminalsPort } from './terminals/terminalsPort.ts';
import { createEditorTests, type EditorTestsOptions } from './tests/editorTests.ts';
import { createWorkspacePort } from './workspace/workspacePort.ts';
import { Diagnostics } from './diagnostics.ts';
import { listOpenEditors } from './openEditors.ts';
import { listWorkspaceFolders } from './workspaceFolders.ts';

export interface ForTests extends Omit<EditorTestsOptions, 'tasks' | 'terminals'> {
  /** Runs tests on this ground. */
  readonly createRunner: (ground: TestGround) => TestsPort & Disposable;
}

/** The running editor, as the embedded server sees it. */
export function createEditorPort(desk: ReviewDesk, { createRunner, ...forTests }: ForTests): EditorPort & Disposable {
  const lifetime = new DisposableStore();
  const terminals = lifetime.add(createTerminalsPort());
  const acting = lifetime.add(createActingPort(desk));
  const ground = lifetime.add(createEditorTests({ ...forTests, tasks: acting, terminals }));
  const diagnostics = lifetime.add(new Diagnostics());
  const openEditorsChanged = lifetime.add(new Emitter<void>());
  const foldersChanged = lifetime.add(new Emitter<void>());
  const fireOpenEditors = (): void => openEditorsChanged.fire();
  lifetime.add(vscode.window.tabGroups.onDidChangeTabs(fireOpenEditors));
  lifetime.add(vscode.window.tabGroups.onDidChangeTabGroups(fireOpenEditors));
  lifetime.add(vscode.workspace.onDidOpenTextDocument(fireOpenEditors)); // a changed language closes and opens the document
  lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(() => foldersChanged.fire()));
  return {
    documents: lifetime.add(createDocumentsPort()),
    language: lifetime.add(createLanguagePort()),
    workspace: lifetime.add(createWorkspacePort()),
    terminals,
    acting,
    tests: lifetime.add(createRunner(ground)),
    listOpenEditors,
    listWorkspaceFolders,
    getDiagnostics: (query, signal) => diagnostics.get(query, signal),
    onDidChangeOpenEditors: openEditorsChanged.event,
    onDidChangeDiagnostics: diagnostics.onDidChange,
    onDidChangeWorkspaceFolders: foldersChanged.event,
    dispose: () => lifetime.dispose(),
  };
}
