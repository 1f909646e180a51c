import { getDiagnostics } from '../tools/getDiagnostics.ts';
import { getSelection } from '../tools/getSelection.ts';
import { pathNames } from '../../seen/withheld/pathNames.ts';
import { activeEditor } from './activeEditor.ts';
import { fromTool, type EditorResource } from './editorResource.ts';
import type { EditorTemplate } from './editorTemplate.ts';
import { fileTemplate } from './fileTemplate.ts';
import { definePathTemplate } from './pathTemplate.ts';

export const documentResources: readonly EditorResource[] = [
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

export const documentTemplates: readonly EditorTemplate[] = [
  definePathTemplate({
    start: 'diagnostics://file/',
    name: 'file-diagnostics',
    title: 'Diagnostics of a File',
    description: 'Errors, warnings and hints of one file; the first 200, with the total.',
    tool: getDiagnostics,
    changes: (path, editor) => {
      const names = new Set(pathNames(() => editor.listWorkspaceFolders())(path));
      return (listener) =>
        editor.onDidChangeDiagnostics((paths) => {
          if (paths === undefined || paths.some((changed) => names.has(changed))) {
            listener();
          }
        });
    },
  }),
  fileTemplate,
];
