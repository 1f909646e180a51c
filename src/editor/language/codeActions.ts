import type * as vscode from 'vscode';
import { ownActionKind } from '../../contract/identity.ts';
import type { CodeActionEntry } from '../../server/seen/ports/languagePort.ts';

/** VS Code answers with actions and, from older providers, with bare commands; disabled ones cannot be applied. */
export function describeCodeActions(actions: readonly (vscode.CodeAction | vscode.Command)[]): CodeActionEntry[] {
  return actions.flatMap((action): CodeActionEntry[] => {
    if (isCommand(action)) {
      return [{ title: action.title, kind: '', isPreferred: false, hasEdit: false, hasCommand: true }];
    }
    if (action.disabled !== undefined || isOwnAction(action)) {
      return [];
    }
    return [
      {
        title: action.title,
        kind: action.kind?.value ?? '',
        isPreferred: action.isPreferred ?? false,
        hasEdit: (action.edit?.size ?? 0) > 0,
        hasCommand: action.command !== undefined,
      },
    ];
  });
}

export function isCommand(action: vscode.CodeAction | vscode.Command): action is vscode.Command {
  return typeof action.command === 'string';
}

/** A quick fix of ours leads to the chat of the person: nothing for a client. */
export function isOwnAction(action: vscode.CodeAction | vscode.Command): boolean {
  return !isCommand(action) && action.kind?.value === ownActionKind;
}
