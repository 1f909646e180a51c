import * as vscode from 'vscode';
import type { NameProblem } from '../../../definitions/pasted/newNames.ts';
import { nativeText } from '../../nativeText.ts';

/** Says why a server cannot have a name. */
export function nameProblemWords(problem: NameProblem, name: string): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t('The server needs a name.');
    case 'reserved':
      return vscode.l10n.t("“{0}” is the editor's own server; choose another name.", nativeText(name));
    case 'taken':
      return vscode.l10n.t('There is a server “{0}” already.', nativeText(name));
    case 'notAllowed':
      return vscode.l10n.t('A name has 1 to 100 visible characters, and no @ but at its start.');
  }
}
