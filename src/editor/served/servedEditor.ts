// served/: the whole editor as the embedded server gets it. It stands on all other folders of the room.
import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { EditorPort } from '../../server/seen/ports/editorPort.ts';
import type { TestsPort } from '../../server/seen/ports/testsPort.ts';
import type { WorkbenchPort } from '../../server/seen/workbench.ts';
import type { ResolveChain } from '../../testRuns/chain/runChain.ts';
import type { TestGround } from '../../testRuns/testGround.ts';
import type { ActingViews } from '../acting/actingViews.ts';
import type { OnEdits } from '../acting/changes/applyChanges.ts';
import { createEditorActing } from '../acting/editorActing.ts';
import { createEditorDebug } from '../debug/editorDebug.ts';
import { DiskNews } from '../documents/diskNews.ts';
import { createEditorDocuments, openEditors, unsavedFiles } from '../documents/editorDocuments.ts';
import type { LastTextEditor } from '../documents/lastTextEditor.ts';
import { followSavedTexts } from '../documents/savedTexts.ts';
import { TextVersions } from '../documents/versions.ts';
import { EditorDiagnostics } from '../language/editorDiagnostics.ts';
import { createEditorLanguage } from '../language/editorLanguage.ts';
import { checkFiles } from '../language/fileCheck.ts';
import { typescriptFiles } from '../language/typescriptService.ts';
import { foldersOfWorkspace } from '../shared/workspaceFolders.ts';
import { createEditorTerminals } from '../terminals/editorTerminals.ts';
import { createEditorTestGround, type EditorTestGroundOptions } from '../tests/editorTestGround.ts';
import { createEditorWorkspace } from '../workspace/editorWorkspace.ts';

export interface ServedEditorOptions extends Omit<EditorTestGroundOptions, 'tasks' | 'terminals'> {
  readonly actingViews: ActingViews;
  readonly lastTextEditor: LastTextEditor;
  readonly onEdits: OnEdits;
  /** The file of the bundle that runs in threads. */
  readonly threadProgram: string;
  /** The key of text versions, which is kept over restarts and told to nobody. */
  readonly versionKey: string;
  /** Finds everything that a task runs. */
  readonly resolveChain: ResolveChain;
  /** Makes what runs tests with what the editor offers for that. */
  readonly createRunner: (ground: TestGround) => TestsPort & Disposable;
}

/** The running editor, as the embedded server sees it. */
export function createServedEditor(options: ServedEditorOptions): EditorPort & Disposable {
  const { actingViews, lastTextEditor, onEdits, threadProgram, versionKey, createRunner, resolveChain, ...forTests } = options;
  const lifetime = new DisposableStore();
  const versions = new TextVersions(versionKey);
  lifetime.add(followSavedTexts());
  const terminals = lifetime.add(createEditorTerminals());
  const acting = lifetime.add(createEditorActing(actingViews, versions, resolveChain, onEdits));
  const ground = lifetime.add(createEditorTestGround({ ...forTests, tasks: acting, terminals }));
  const disk = lifetime.add(new DiskNews(typescriptFiles));
  const diagnostics = lifetime.add(new EditorDiagnostics(versions, disk));
  const openEditorsChanged = lifetime.add(new Emitter<void>());
  const foldersChanged = lifetime.add(new Emitter<void>());
  const fireOpenEditors = (): void => openEditorsChanged.fire();
  lifetime.add(vscode.window.tabGroups.onDidChangeTabs(fireOpenEditors));
  lifetime.add(vscode.window.tabGroups.onDidChangeTabGroups(fireOpenEditors));
  lifetime.add(vscode.workspace.onDidOpenTextDocument(fireOpenEditors)); // a changed language closes and opens the document
  lifetime.add(vscode.workspace.onDidChangeWorkspaceFolders(() => foldersChanged.fire()));
  return {
    documents: lifetime.add(createEditorDocuments(lastTextEditor, versions)),
    language: lifetime.add(createEditorLanguage(disk)),
    workspace: lifetime.add(createEditorWorkspace(threadProgram)),
    terminals,
    acting,
    tests: lifetime.add(createRunner(ground)),
    unsaved: unsavedFiles,
    debug: lifetime.add(createEditorDebug(resolveChain)),
    listOpenEditors: openEditors,
    listWorkspaceFolders: foldersOfWorkspace,
    getDiagnostics: (query, signal) => diagnostics.get(query, signal),
    knownDiagnostics: (query) => diagnostics.known(query),
    checkFiles: (query, signal) => checkFiles(query, (one, stop) => diagnostics.get(one, stop), disk, signal),
    onDidChangeOpenEditors: openEditorsChanged.event,
    onDidChangeDiagnostics: diagnostics.onDidChange,
    onDidChangeWorkspaceFolders: foldersChanged.event,
    dispose: () => lifetime.dispose(),
  };
}

export function createServedWorkbench(): WorkbenchPort {
  return {
    ping: async () => {
      await vscode.commands.getCommands(true); // the answer comes from the page, which alone knows all commands
    },
  };
}
