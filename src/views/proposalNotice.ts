import * as vscode from 'vscode';
import type { ProposedChange } from '../editor/acting/actingViews.ts';
import { commandId } from './commandTable.ts';
import { nativeLink } from './nativeText.ts';
import { descriptionOf, proposalSentence } from './proposalWords.ts';

const maxReasonLength = 300;

/**
 * A diff says neither why it is there, nor anything to somebody who looks elsewhere. As progress, because that is the only
 * notification that goes away with its cause; it leads to the diff by a link, because progress has no buttons. VS Code cuts what
 * does not fit into one line: the link comes first.
 */
export function announceProposal(id: string, change: ProposedChange, answer: Promise<unknown>): void {
  const link = nativeLink(proposalSentence(change), commandId('showPermissionQuestions'), id);
  const title = [link, descriptionOf(change, maxReasonLength)].join(' ');
  const options = { location: vscode.ProgressLocation.Notification, title };
  void vscode.window.withProgress(options, () => Promise.allSettled([answer]));
}
