import * as vscode from 'vscode';
import type { Answer } from '../consent/consentModel.ts';
import type { Ledger } from '../consent/ledger.ts';
import { nativeText } from './nativeText.ts';
import { permissionWords, type NamedServer } from './sentences/permissionWords.ts';

interface AnswerItem extends vscode.QuickPickItem {
  readonly answer: Answer;
}

/** Lists every remembered answer; picking some and accepting revokes them. */
export async function managePermissions(ledger: Ledger, named: NamedServer): Promise<void> {
  const items = ledger.answers().map((answer): AnswerItem => toItem(answer, named));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No permission is remembered in this window.'));
    return;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Remembered Permissions'),
    placeHolder: vscode.l10n.t('Choose the answers to revoke'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  for (const item of chosen ?? []) {
    await ledger.revoke(item.answer.id);
  }
}

function toItem(answer: Answer, named: NamedServer): AnswerItem {
  const { what, whose } = permissionWords(answer, named, vscode.l10n.t);
  return {
    answer,
    label: nativeText(what),
    description: nativeText(whose),
    detail: vscode.l10n.t('Since {0}', new Date(answer.since).toLocaleString()),
  };
}
