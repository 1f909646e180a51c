import * as vscode from 'vscode';
import { ownActionKind } from '../../contract/identity.ts';
import type { ProblemTarget } from './problems.ts';
import { commandId } from '../commandTable.ts';

const maxProblems = 10;

/** Offers "Fix with Duplex", "Explain with Duplex" and "Add to Duplex Chat" as quick fixes of a problem. None of them sends anything. */
export class ProblemActions implements vscode.CodeActionProvider {
  static register(): vscode.Disposable {
    const kind = vscode.CodeActionKind.Empty.append(ownActionKind);
    return vscode.languages.registerCodeActionsProvider({ pattern: '**' }, new ProblemActions(), { providedCodeActionKinds: [kind] });
  }

  provideCodeActions(document: vscode.TextDocument, _range: vscode.Range, context: vscode.CodeActionContext): vscode.CodeAction[] {
    return context.diagnostics.slice(0, maxProblems).flatMap((diagnostic) => {
      const target: ProblemTarget = { kind: 'problem', uri: document.uri, range: diagnostic.range };
      const action = (title: string, name: 'fixWithDuplex' | 'explainWithDuplex' | 'addToChat'): vscode.CodeAction => {
        const made = new vscode.CodeAction(title, vscode.CodeActionKind.Empty.append(ownActionKind));
        made.diagnostics = [diagnostic];
        made.command = { title, command: commandId(name), arguments: [target] };
        return made;
      };
      return [
        action(vscode.l10n.t('Fix with Duplex'), 'fixWithDuplex'),
        action(vscode.l10n.t('Explain with Duplex'), 'explainWithDuplex'),
        action(vscode.l10n.t('Add to Duplex Chat'), 'addToChat'),
      ];
    });
  }
}
