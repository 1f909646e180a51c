import { getGitChanges } from '../tools/getGitChanges.ts';
import { fromTool, type EditorResource } from './editorResource.ts';
import type { EditorTemplate } from './editorTemplate.ts';
import { terminalTemplate } from './terminalTemplate.ts';

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
