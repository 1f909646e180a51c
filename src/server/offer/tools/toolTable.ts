import { applyCodeAction } from './applyCodeAction.ts';
import { debugEvaluate } from './debug/debugEvaluate.ts';
import { debugStep } from './debug/debugStep.ts';
import { getDebugState } from './debug/getDebugState.ts';
import { listDebug } from './debug/listDebug.ts';
import { setBreakpoints } from './debug/setBreakpoints.ts';
import { startDebugging } from './debug/startDebugging.ts';
import { traceRun } from './debug/traceRun.ts';
import { findFiles } from './findFiles.ts';
import { findReferences } from './findReferences.ts';
import { formatDocument } from './formatDocument.ts';
import { getCallHierarchy } from './getCallHierarchy.ts';
import { getDiagnostics } from './getDiagnostics.ts';
import { getDocumentSymbols } from './getDocumentSymbols.ts';
import { getGitChanges } from './getGitChanges.ts';
import { getHover } from './getHover.ts';
import { getSelection } from './getSelection.ts';
import { getSyntaxTree } from './getSyntaxTree.ts';
import { getTerminalOutput } from './getTerminalOutput.ts';
import { getTestResults } from './getTestResults.ts';
import { goToDefinition } from './goToDefinition.ts';
import { listCodeActions } from './listCodeActions.ts';
import { listDirectory } from './listDirectory.ts';
import { listOpenEditors } from './listOpenEditors.ts';
import { listTasks } from './listTasks.ts';
import { listWorkspaceFolders } from './listWorkspaceFolders.ts';
import { openFile } from './openFile.ts';
import { proposeEdit } from './proposeEdit.ts';
import { proposeEdits } from './proposeEdits.ts';
import { readFile } from './readFile.ts';
import { readSymbol } from './readSymbol.ts';
import { renameSymbol } from './renameSymbol.ts';
import { runTask } from './runTask.ts';
import { runTerminalCommand } from './runTerminalCommand.ts';
import { runTests } from './runTests.ts';
import { saveFile } from './saveFile.ts';
import { searchSymbols } from './searchSymbols.ts';
import { searchText } from './searchText.ts';
import { showMessage } from './showMessage.ts';
import type { EditorTool } from './tool.ts';

const documentTools: readonly EditorTool[] = [readFile, readSymbol, getSelection];

export const languageTools: readonly EditorTool[] = [
  getDocumentSymbols,
  getSyntaxTree,
  searchSymbols,
  goToDefinition,
  findReferences,
  getHover,
  getCallHierarchy,
  listCodeActions,
];

export const workspaceTools: readonly EditorTool[] = [listDirectory, findFiles, searchText, getTerminalOutput, listTasks, getGitChanges];

export const testTools: readonly EditorTool[] = [getTestResults, runTests];

export const actingTools: readonly EditorTool[] = [
  openFile,
  showMessage,
  proposeEdit,
  proposeEdits,
  saveFile,
  formatDocument,
  renameSymbol,
  applyCodeAction,
  runTask,
  runTerminalCommand,
];

/** The tools of the debugger, which are listed where the editor has one. */
export const debugTools: readonly EditorTool[] = [
  listDebug,
  setBreakpoints,
  startDebugging,
  debugStep,
  getDebugState,
  debugEvaluate,
  traceRun,
];

/** All tools, in the order of publication. Their names are published: additive only. */
export const tools: readonly EditorTool[] = [
  listOpenEditors,
  getDiagnostics,
  listWorkspaceFolders,
  ...documentTools,
  ...languageTools,
  ...workspaceTools,
  ...testTools,
  ...actingTools,
  ...debugTools,
];
