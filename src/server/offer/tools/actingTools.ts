import { applyCodeAction } from './applyCodeAction.ts';
import { formatDocument } from './formatDocument.ts';
import { openFile } from './openFile.ts';
import { proposeEdit } from './proposeEdit.ts';
import { proposeEdits } from './proposeEdits.ts';
import { renameSymbol } from './renameSymbol.ts';
import { runTask } from './runTask.ts';
import { runTerminalCommand } from './runTerminalCommand.ts';
import { saveFile } from './saveFile.ts';
import { showMessage } from './showMessage.ts';
import type { EditorTool } from './tool.ts';

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
