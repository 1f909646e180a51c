import * as vscode from 'vscode';
import type { WorkbenchPort } from '../../server/seen/workbench.ts';

export function createServedWorkbench(): WorkbenchPort {
  return {
    ping: async () => {
      await vscode.commands.getCommands(true); // the page alone knows them all
    },
  };
}
