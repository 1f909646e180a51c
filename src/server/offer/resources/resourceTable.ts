// resources/: what can be read and subscribed to by URI; most give what a tool gives. This file lists them.
import type { Event } from '../../../base/events.ts';
import { getDiagnostics } from '../tools/getDiagnostics.ts';
import { getDocumentSymbols } from '../tools/getDocumentSymbols.ts';
import { getGitChanges } from '../tools/getGitChanges.ts';
import { getSelection } from '../tools/getSelection.ts';
import { getSyntaxTree } from '../tools/getSyntaxTree.ts';
import { listOpenEditors } from '../tools/listOpenEditors.ts';
import { listWorkspaceFolders } from '../tools/listWorkspaceFolders.ts';
import { activeEditor } from './activeEditor.ts';
import { diagnosticsChanges } from './diagnosticsChanges.ts';
import { type EditorResource, type EditorTemplate, fromTool } from './editorResource.ts';
import { fileTemplate } from './fileTemplate.ts';
import { definePathTemplate } from './pathTemplate.ts';
import { terminalTemplate } from './terminalTemplate.ts';
import { testResources, testTemplates } from './testResources.ts';

const documentResources: readonly EditorResource[] = [
  activeEditor,
  fromTool(
    getSelection,
    'editor://selection',
    'selection',
    'Selection',
    'What is selected in the text editor that was active last.',
    (editor) => editor.documents.onDidChangeSelection,
  ),
];

const documentTemplates: readonly EditorTemplate[] = [
  definePathTemplate({
    start: 'diagnostics://file/',
    name: 'file-diagnostics',
    title: 'Diagnostics of a File',
    description: 'Errors, warnings and hints of one file; the first 200, with the total.',
    tool: getDiagnostics,
    changes: diagnosticsChanges,
  }),
  fileTemplate,
];

export const languageTemplates: readonly EditorTemplate[] = [
  definePathTemplate({
    start: 'symbols://file/',
    name: 'file-symbols',
    title: 'Symbols of a File',
    description: 'The outline of a file as a tree.',
    tool: getDocumentSymbols,
    changes: (path, editor) => debouncedEvent(editor.documents.changesOf(path)),
  }),
  definePathTemplate({
    start: 'syntax://file/',
    name: 'file-syntax',
    title: 'Syntax of a File',
    description: 'The nested syntactic ranges of a file with their kinds, and which providers they come from.',
    tool: getSyntaxTree,
    changes: (path, editor) => debouncedEvent(editor.documents.changesOf(path)),
  }),
];

export const workspaceResources: readonly EditorResource[] = [
  fromTool(
    getGitChanges,
    'git://changes',
    'git-changes',
    'Git Changes',
    'What changed in the Git repositories of the workspace since the last commit.',
    (editor) => editor.workspace.onDidChangeGit,
  ),
];

export const workspaceTemplates: readonly EditorTemplate[] = [terminalTemplate];

/** These URIs are published: additive only. */
export const resources: readonly EditorResource[] = [
  fromTool(
    listOpenEditors,
    'editor://open',
    'open-editors',
    'Open Editors',
    'The open editor tabs.',
    (editor) => editor.onDidChangeOpenEditors,
  ),
  fromTool(
    getDiagnostics,
    'diagnostics://workspace',
    'workspace-diagnostics',
    'Workspace Diagnostics',
    'Errors, warnings and hints of the workspace; the first 200, with the total.',
    (editor) => (listener) => editor.onDidChangeDiagnostics(() => listener()),
  ),
  fromTool(
    listWorkspaceFolders,
    'workspace://folders',
    'workspace-folders',
    'Workspace Folders',
    'The folders open in the window.',
    (editor) => editor.onDidChangeWorkspaceFolders,
  ),
  ...documentResources,
  ...testResources,
  ...workspaceResources,
];

/** These URIs are published: additive only. */
export const templates: readonly EditorTemplate[] = [...documentTemplates, ...languageTemplates, ...testTemplates, ...workspaceTemplates];

/** Turns a burst of events into one event, `delayMs` after the first. Symbols and syntax are too expensive to read again at every key. */
function debouncedEvent(event: Event<unknown>, delayMs = 500): Event<void> {
  return (listener) => {
    let timer: NodeJS.Timeout | undefined;
    const listening = event(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        listener();
      }, delayMs);
    });
    return {
      dispose: () => {
        clearTimeout(timer);
        listening.dispose();
      },
    };
  };
}
