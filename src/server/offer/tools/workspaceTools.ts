import { findFiles } from './findFiles.ts';
import { getGitChanges } from './getGitChanges.ts';
import { getTerminalOutput } from './getTerminalOutput.ts';
import { listDirectory } from './listDirectory.ts';
import { listTasks } from './listTasks.ts';
import { searchText } from './searchText.ts';
import type { EditorTool } from './tool.ts';

export const workspaceTools: readonly EditorTool[] = [listDirectory, findFiles, searchText, getTerminalOutput, listTasks, getGitChanges];
