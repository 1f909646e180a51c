import type { EditorPort } from '../ports/editorPort.ts';
import { withholdingActing } from './acting.ts';
import { withholdingDiagnostics } from './diagnostics.ts';
import { withholdingDocuments } from './documents.ts';
import { whenSeen, whenShown } from './filteredEvents.ts';
import { withholdingLanguage } from './language.ts';
import { withholdingTerminals } from './terminals.ts';
import { withholdingTests } from './tests.ts';
import { withholdingUnsaved } from './unsaved.ts';
import type { Visibility } from './visibility.ts';
import { withholdingWorkspace } from './workspace.ts';

/** The editor as one client may see it: one filter for every tool, resource, prompt and notification. */
export function withholding(editor: EditorPort, visibility: Visibility): EditorPort {
  const { isShown } = visibility;
  const listOpenEditors: EditorPort['listOpenEditors'] = () => editor.listOpenEditors().filter(({ path }) => isShown(path));
  return {
    documents: withholdingDocuments(editor.documents, visibility),
    language: withholdingLanguage(editor.language, visibility),
    workspace: withholdingWorkspace(editor.workspace, visibility),
    terminals: withholdingTerminals(editor.terminals, visibility),
    acting: withholdingActing(editor.acting, visibility),
    tests: withholdingTests(editor.tests, visibility),
    unsaved: withholdingUnsaved(editor.unsaved, visibility),
    listOpenEditors,
    listWorkspaceFolders: () => editor.listWorkspaceFolders(),
    ...withholdingDiagnostics(editor, visibility),
    onDidChangeOpenEditors: whenSeen(editor.onDidChangeOpenEditors, listOpenEditors),
    onDidChangeDiagnostics: whenShown(editor.onDidChangeDiagnostics, isShown),
    onDidChangeWorkspaceFolders: editor.onDidChangeWorkspaceFolders,
  };
}
