import * as vscode from 'vscode';
import type { Event } from '../../base/events.ts';
import type { Question, QuestionDetail } from '../../contract/questions/questions.ts';
import { commandId } from '../commandTable.ts';
import { nativeLink, nativeText } from '../nativeText.ts';

/**
 * Shows a notification of one question that waits. It is a progress, because only that goes away by itself when the question is
 * answered; a link leads to the question, because a progress has no buttons.
 */
export function announceQuestion({ askId, detail }: Question, over: AbortSignal): void {
  const title = nativeLink(questionSentence(detail), commandId('showPermissionQuestions'), askId);
  const ended = new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
  void vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () => ended);
}

/** A sentence that says who waits; the question itself says for what. */
function questionSentence(detail: QuestionDetail): string {
  if ('callsItself' in detail) {
    return vscode.l10n.t('A program that calls itself “{0}” waits for your answer.', nativeText(detail.callsItself, 60));
  }
  if ('server' in detail) {
    const server = nativeText(detail.server, 60);
    return 'tool' in detail
      ? vscode.l10n.t('“{0}” of the MCP server “{1}” waits for your permission.', nativeText(detail.tool, 60), server)
      : vscode.l10n.t('The MCP server “{0}” waits for your answer.', server);
  }
  return vscode.l10n.t('A question of Duplex waits for your answer.');
}

export const windowFocus = {
  isWindowFocused: (): boolean => vscode.window.state.focused,
  onDidChangeFocus: ((listener) => vscode.window.onDidChangeWindowState(() => listener())) satisfies Event<void>,
};
