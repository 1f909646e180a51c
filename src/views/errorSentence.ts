import * as vscode from 'vscode';
import type { DefinitionProblem } from '../definitions/serverDefinition.ts';
import { sentenceOf, sentenceOfProblem } from './sentences/sentenceOf.ts';

/** What a failure says to a person, in the language of their editor. Still to be made safe for where it is shown. */
export function errorSentence(error: unknown): string {
  return sentenceOf(error, vscode.l10n.t);
}

/** The same of what is wrong with a definition. */
export function problemSentence(problem: DefinitionProblem): string {
  return sentenceOfProblem(problem, vscode.l10n.t);
}
