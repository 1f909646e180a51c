import * as vscode from 'vscode';

/** The type of the panel with questions. */
export const questionPanel = 'duplex.consent';

/**
 * The column for something that opens without the focus, because another program asked for it. It covers neither the text that somebody
 * writes, where their keys would go nowhere, nor a page: VS Code gives the focus to a page with a search when it hides it, wherever the
 * person is typing.
 */
export function freeColumn(): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const isTaken = (group: vscode.TabGroup): boolean =>
    (group === activeTabGroup && vscode.window.activeTextEditor !== undefined) || isTyped(group.activeTab?.input);
  const nearest = [activeTabGroup, ...all.filter((group) => group !== activeTabGroup)];
  const free = nearest.find((group) => !isTaken(group))?.viewColumn;
  return free ?? Math.min(all.length + 1, vscode.ViewColumn.Nine);
}

/**
 * The column for a text that opens without the focus, in front of other texts: one beside a page that is in front, and otherwise none in
 * particular. Our own panel with questions has no search, and goes when the last is answered: a column beside it would stay behind.
 */
export function columnBesidePage(): vscode.ViewColumn | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isQuestion = input instanceof vscode.TabInputWebview && input.viewType.endsWith(questionPanel);
  return isTyped(input) && !isQuestion ? freeColumn() : undefined;
}

/** Whether a tab shows something that takes keys and is no text editor. */
function isTyped(input: unknown): boolean {
  return [vscode.TabInputWebview, vscode.TabInputCustom, vscode.TabInputTerminal, vscode.TabInputNotebook].some(
    (kind) => input instanceof kind,
  );
}
