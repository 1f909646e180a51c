import * as vscode from 'vscode';
import type { ErrorArguments } from '../base/errors.ts';

/** A sentence of a room below, in the person's language. */
export function localized(text: string, args: ErrorArguments = {}): string {
  return vscode.l10n.t(text, args);
}
