import * as vscode from 'vscode';
import { proposalScheme } from '../../contract/identity.ts';

export function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

/** The proposed text that a tab shows, as a diff or alone. */
export function proposalOf({ input }: vscode.Tab): vscode.Uri | undefined {
  const uri = input instanceof vscode.TabInputTextDiff ? input.modified : input instanceof vscode.TabInputText ? input.uri : undefined;
  return uri?.scheme === proposalScheme ? uri : undefined;
}

/** The column in which a proposed text stands now: columns get other numbers when one of them closes. */
export function columnOf(proposed: vscode.Uri): vscode.ViewColumn | undefined {
  const shown = allTabs().find((tab) => proposalOf(tab)?.toString() === proposed.toString());
  return shown?.group.viewColumn;
}
