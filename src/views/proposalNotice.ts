import * as vscode from 'vscode';
import type { ProposedChange } from '../editor/acting/actingViews.ts';
import { commandId } from './commandTable.ts';
import { proposalSentence } from './proposalWords.ts';

/**
 * A diff says neither why it is there, nor anything to somebody who looks elsewhere. As progress, because that is the only
 * notification that goes away with its cause; its way to the diff is a link, because progress has no buttons.
 */
export function announceProposal(id: string, change: ProposedChange, answer: Promise<unknown>): void {
  // A bracket that a client leaves open would take our link for its own text.
  const sentence = proposalSentence(change).replaceAll('[', '(').replaceAll(']', ')');
  const place = encodeURIComponent(JSON.stringify([id]));
  const title = `${sentence} [${vscode.l10n.t('Show')}](command:${commandId('showPermissionQuestions')}?${place})`;
  const options = { location: vscode.ProgressLocation.Notification, title };
  void vscode.window.withProgress(options, () => Promise.allSettled([answer]));
}
