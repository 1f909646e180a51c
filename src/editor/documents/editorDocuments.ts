// documents/: files and open documents as a client sees them: their text with unsaved changes, versions, selection and changes.
// This file is the port.
import * as vscode from 'vscode';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { ChooseSelected, DocumentsPort, EditorSelection, OpenDocument, SelectedTexts } from '../../server/seen/ports/documentsPort.ts';
import { fromClientPath, toClientPath } from '../shared/clientUris.ts';
import { toTextRange } from '../shared/ranges.ts';
import { ChangeSources } from './changeSources.ts';
import { findPaths } from './findPaths.ts';
import { readImage } from './imageFile.ts';
import type { LastTextEditor } from './lastTextEditor.ts';
import { checkDocument, readDocument } from './readDocument.ts';
import type { TextVersions } from './versions.ts';

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
    readSelection: (choose) => Promise.resolve(selectedTextsIn(lastTextEditor.editor, choose)),
    listDocuments,
    findPaths,
    changesOf: (path) => (listener) => changes.of(fromClientPath(path))(listener),
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

/** Notebooks as a whole: their cells are documents, too, and so are the sides of a comparison. */
function listDocuments(): OpenDocument[] {
  const texts = vscode.workspace.textDocuments
    .filter(({ isClosed, uri }) => !isClosed && uri.scheme !== 'vscode-notebook-cell' && uri.scheme !== 'git')
    .map(({ uri, languageId }) => describe(uri, languageId));
  const notebooks = vscode.workspace.notebookDocuments
    .filter(({ isClosed }) => !isClosed)
    .map(({ uri, notebookType }) => describe(uri, notebookType));
  return [...texts, ...notebooks].sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

function describe(uri: vscode.Uri, languageId: string): OpenDocument {
  return { path: toClientPath(uri), uri: uri.toString(), languageId };
}
