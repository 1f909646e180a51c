import * as vscode from 'vscode';
import type { ErrorReporter } from './errorReporter.ts';
import { quotedNames } from './quotedNames.ts';

/** One notification for all servers that wait for permission. True when the person wants to look at them. */
export async function offerReview(names: readonly string[]): Promise<boolean> {
  const review = vscode.l10n.t('Review');
  const list = quotedNames(names);
  const sentence =
    names.length === 1
      ? vscode.l10n.t('The MCP server {0} needs your permission to start.', list)
      : vscode.l10n.t('{0} MCP servers need your permission to start: {1}', names.length, list);
  return (await vscode.window.showInformationMessage(sentence, review)) === review;
}

export function tellNothingWaits(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('No MCP server waits for your permission any more.'));
}

export function tellNothingStored(reporter: ErrorReporter): void {
  reporter.warn(vscode.l10n.t('Permissions cannot be stored on this machine. Duplex asks again in every window.'));
}

export function tellRevoked(label: string): void {
  const name = quotedNames([label]);
  void vscode.window.showInformationMessage(vscode.l10n.t('The MCP server {0} was stopped: its permission to start was revoked.', name));
}
