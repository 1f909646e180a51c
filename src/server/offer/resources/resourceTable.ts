// resources/: what can be read and subscribed to by URI; most give what a tool gives. This file lists them.
import { getDiagnostics } from '../tools/getDiagnostics.ts';
import { listOpenEditors } from '../tools/listOpenEditors.ts';
import { listWorkspaceFolders } from '../tools/listWorkspaceFolders.ts';
import { documentResources, documentTemplates } from './documentResources.ts';
import { fromTool, type EditorResource } from './editorResource.ts';
import type { EditorTemplate } from './editorTemplate.ts';
import { languageTemplates } from './languageResources.ts';
import { testResources, testTemplates } from './testResources.ts';
import { workspaceResources, workspaceTemplates } from './workspaceResources.ts';

/** Published URIs: additive only. */
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

/** Published URIs: additive only. */
export const templates: readonly EditorTemplate[] = [...documentTemplates, ...languageTemplates, ...testTemplates, ...workspaceTemplates];
