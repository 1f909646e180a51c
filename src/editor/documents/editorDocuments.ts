// documents/: files and open documents as a client sees them: their text with unsaved changes, versions, selection and changes.
// This file is the port.
import * as vscode from 'vscode';
import { atMost, neverAborted } from '../../base/abort.ts';
import { hasCode } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { folderPrefixes } from '../../platform/paths/clientPath.ts';
import type {
  ChooseSelected,
  DocumentsPort,
  EditorSelection,
  FoundPaths,
  IsShown,
  OpenDocument,
  PathQuery,
  SelectedTexts,
} from '../../server/seen/ports/documentsPort.ts';
import type { OpenEditor } from '../../server/seen/ports/editorPort.ts';
import type { UnsavedFiles, UnsavedPort } from '../../server/seen/ports/unsavedPort.ts';
import { fromClientPath, toClientPath, toTextRange } from '../shared/clientPlaces.ts';
import { documentOf, findTextDocument, type ShownDocument } from '../shared/openDocuments.ts';
import { isSaved } from '../shared/saveDocument.ts';
import { ChangeSources, stateOf } from './changeSources.ts';
import { checkedDocument } from './checkedDocument.ts';
import type { LastTextEditor } from './lastTextEditor.ts';
import { checkDocument, readDocument, readImage } from './readDocument.ts';
import { isRetired } from './retiredDocuments.ts';
import type { TextVersions } from './versions.ts';
import { type PathTree, walkPaths } from './walkPaths.ts';

export function createEditorDocuments(lastTextEditor: LastTextEditor, versions: TextVersions): DocumentsPort & Disposable {
  const lifetime = new DisposableStore();
  const changes = lifetime.add(new ChangeSources());
  const documentsChanged = lifetime.add(new Emitter<void>());
  const fire = (): void => documentsChanged.fire();
  lifetime.add(vscode.workspace.onDidOpenTextDocument(fire));
  lifetime.add(vscode.workspace.onDidCloseTextDocument(fire));
  lifetime.add(vscode.workspace.onDidOpenNotebookDocument(fire));
  lifetime.add(vscode.workspace.onDidCloseNotebookDocument(fire));
  return {
    read: async (path, signal, choose) => {
      const document = await readDocument(path, versions, signal);
      const { from, to } = choose?.(document.text) ?? { from: 0, to: document.text.length };
      return { ...document, text: document.text.slice(from, to) };
    },
    readImage: (path, signal) => readImage(path, versions, signal),
    check: checkDocument,
    getSelection: () => selectionIn(lastTextEditor.editor),
    readSelection: (choose, isShown) => readSelection(lastTextEditor, choose, isShown),
    listDocuments,
    findPaths,
    changesOf: (path) => (listener) => changes.of(fromClientPath(path))(listener),
    stateOf: (path) => {
      const uri = fromClientPath(path);
      const document = findTextDocument(uri.toString());
      return `${uri.scheme === 'file' ? stateOf(uri.fsPath) : ''} ${document?.isDirty === true ? document.version : ''}`;
    },
    onDidChangeSelection: lastTextEditor.onDidChange,
    onDidChangeDocuments: documentsChanged.event,
    dispose: () => lifetime.dispose(),
  };
}

function selectionIn(editor: vscode.TextEditor | undefined): EditorSelection | undefined {
  if (editor === undefined) {
    return undefined;
  }
  const { document, selections } = editor;
  return { ...describe(document.uri, document.languageId), version: document.version, ranges: selections.map(toTextRange) };
}

/** How often a selection is looked for while the person goes from editor to editor. */
const maxLooks = 3;

/** What is selected, in a text that is what the disk has, or unsaved. A file that is gone, or is elsewhere, has no selection. */
async function readSelection(
  lastTextEditor: LastTextEditor,
  choose: ChooseSelected,
  isShown: IsShown | undefined,
): Promise<SelectedTexts | undefined> {
  for (let looks = 0; looks < maxLooks; looks += 1) {
    const document = lastTextEditor.editor?.document;
    if (document === undefined) {
      return undefined;
    }
    const look = { path: toClientPath(document.uri), isShown, signal: neverAborted() };
    const checked = await checkedDocument(document.uri, look).catch((error: unknown) => {
      if (hasCode(error, 'editor.pathNotFound')) {
        return undefined;
      }
      throw error;
    });
    if (checked === undefined || checked === lastTextEditor.editor?.document) {
      return checked && selectedTextsIn(lastTextEditor.editor, choose);
    }
  }
  return undefined;
}

function selectedTextsIn(editor: vscode.TextEditor | undefined, choose: ChooseSelected): SelectedTexts | undefined {
  const selection = selectionIn(editor);
  if (editor === undefined || selection === undefined) {
    return undefined;
  }
  const { document, selections } = editor;
  const whole = document.getText();
  const selected = selections.map(({ start, end }) => ({ from: document.offsetAt(start), to: document.offsetAt(end) }));
  return { ...selection, texts: choose(whole, selected).map(({ from, to }) => whole.slice(from, to)) };
}

/** The open documents. A notebook is one of them as a whole; its cells, and the sides of a comparison, are not. */
function listDocuments(): OpenDocument[] {
  const texts = vscode.workspace.textDocuments
    .filter(({ isClosed, uri }) => !isClosed && uri.scheme !== 'vscode-notebook-cell' && uri.scheme !== 'git' && !isRetired(uri))
    .map(({ uri, languageId }) => describe(uri, languageId));
  const notebooks = vscode.workspace.notebookDocuments
    .filter(({ isClosed }) => !isClosed)
    .map(({ uri, notebookType }) => describe(uri, notebookType));
  return [...texts, ...notebooks].sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

function describe(uri: vscode.Uri, languageId: string): OpenDocument {
  return { path: toClientPath(uri), uri: uri.toString(), languageId };
}

/** The tabs that show a document, in the order of groups and tabs. */
export function openEditors(): OpenEditor[] {
  return vscode.window.tabGroups.all.flatMap((group) =>
    group.tabs.flatMap((tab) => {
      const shown = documentOf(tab);
      return shown === undefined ? [] : [describeTab(tab, group, shown)];
    }),
  );
}

function describeTab(tab: vscode.Tab, group: vscode.TabGroup, shown: ShownDocument): OpenEditor {
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

type Document = vscode.TextDocument | vscode.NotebookDocument;

/** The longest, in ms, that a document may take to be saved: what runs on saving (a formatter) may never come back. */
const maxSaveMs = 20_000;

export const unsavedFiles: UnsavedPort = {
  list: () => named(unsavedDocuments()),
  save: async (paths) => {
    const documents = unsavedDocuments().filter(({ uri }) => paths.includes(toClientPath(uri)));
    const saved = await Promise.all(documents.map(saves));
    return named(documents.filter((_, index) => saved[index] !== true));
  },
};

/** The unsaved documents of the workspace. A document without a file is none of them: it has no place to be saved to. */
function unsavedDocuments(): readonly Document[] {
  return [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments].filter(
    ({ isDirty, isUntitled, uri }) => isDirty && !isUntitled && vscode.workspace.getWorkspaceFolder(uri) !== undefined,
  );
}

async function saves(document: Document): Promise<boolean> {
  try {
    return (await atMost(isSaved(document), maxSaveMs)) === true;
  } catch {
    return false; // VS Code itself tells the person
  }
}

function named(documents: readonly Document[]): UnsavedFiles {
  return { paths: [...new Set(documents.map(({ uri }) => toClientPath(uri)))].sort(), withheld: [] };
}

/** Workspace files whose client path begins with a prefix. */
function findPaths(query: PathQuery, signal: AbortSignal): Promise<FoundPaths> {
  return walkPaths(workspaceTree, query, signal);
}

const workspaceTree: PathTree<vscode.Uri> = {
  beginnings: (prefix) => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return folderPrefixes(folders).flatMap((folderPrefix, index) => {
      const folder = folders[index];
      const isMeant = folderPrefix.startsWith(prefix) || prefix.startsWith(folderPrefix);
      return folder === undefined || !isMeant ? [] : [folder.uri];
    });
  },
  list: async (folder) => {
    try {
      const entries = await vscode.workspace.fs.readDirectory(folder);
      return entries
        .filter(([, type]) => type === vscode.FileType.Directory || (type & vscode.FileType.File) !== 0)
        .map(([name, type]) => ({ name, isFolder: type === vscode.FileType.Directory }));
    } catch {
      return []; // the folder is gone, or may not be read
    }
  },
  child: (folder, name) => {
    const place = vscode.Uri.joinPath(folder, name);
    return { place, path: toClientPath(place) };
  },
};
