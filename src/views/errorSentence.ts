import * as vscode from 'vscode';
import { sentenceOf } from './sentences/sentenceOf.ts';

/** What a failure says to a person, in the language of their editor. Still to be made safe for where it is shown. */
export function errorSentence(error: unknown): string {
  return sentenceOf(error, vscode.l10n.t);
}
