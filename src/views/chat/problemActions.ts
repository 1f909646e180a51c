import * as vscode from 'vscode';
import { ownActionKind } from '../../contract/identity.ts';
import type { ProblemTarget } from './problems.ts';
import { commandId } from '../commandTable.ts';

/** Offers "Fix with Duplex", "Explain with Duplex" and "Add to Duplex Chat" as quick fixes of a problem. None of them sends anything. */
export class ProblemActions implements vscode.CodeActionProvider {
  static register(): vscode.Disposable {
    const kind = vscode.CodeActionKind.Empty.append(ownActionKind);
    return vscode.languages.registerCodeActionsProvider({ pattern: '**' }, new ProblemActions(), { providedCodeActionKinds: [kind] });
  }

  /** Offers each action once, for all problems at the cursor together: the chat gets every problem of their lines. */
  provideCodeActions(document: vscode.TextDocument, _range: vscode.Range, context: vscode.CodeActionContext): vscode.CodeAction[] {
    const range = unionOf(context.diagnostics.map((diagnostic) => diagnostic.range));
    if (range === undefined) {
      return [];
    }
    const target: ProblemTarget = { kind: 'problem', uri: document.uri, range };
    const action = (title: string, name: 'fixWithDuplex' | 'explainWithDuplex' | 'addToChat'): vscode.CodeAction => {
      const made = new vscode.CodeAction(title, vscode.CodeActionKind.Empty.append(ownActionKind));
      made.diagnostics = [...context.diagnostics];
      made.command = { title, command: commandId(name), arguments: [target] };
      return made;
    };
    return [
      action(vscode.l10n.t('Fix with Duplex'), 'fixWithDuplex'),
      action(vscode.l10n.t('Explain with Duplex'), 'explainWithDuplex'),
      action(vscode.l10n.t('Add to Duplex Chat'), 'addToChat'),
    ];
  }
}

/** The smallest range around all of them. */
function unionOf([first, ...others]: readonly vscode.Range[]): vscode.Range | undefined {
  return first && others.reduce((all, each) => all.union(each), first);
}
