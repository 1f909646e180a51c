import * as vscode from 'vscode';
import type { Answer } from '../consent/consentModel.ts';
import type { Ledger } from '../consent/ledger.ts';
import { nativeText } from './nativeText.ts';

interface AnswerItem extends vscode.QuickPickItem {
  readonly answer: Answer;
}

/** Lists every remembered answer; picking some and accepting revokes them. `serverName` turns an id into what people call it. */
export async function managePermissions(ledger: Ledger, serverName: (id: string) => string): Promise<void> {
  const items = ledger.answers().map((answer): AnswerItem => toItem(answer, serverName));
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

function toItem(answer: Answer, serverName: (id: string) => string): AnswerItem {
  const verb = answer.answer === 'allow' ? vscode.l10n.t('Allowed') : vscode.l10n.t('Denied');
  return {
    answer,
    label: nativeText(`${verb}: ${describeSubject(answer, serverName)}`),
    description: nativeText(`${answer.principal} · ${scopeWords(answer)}`),
    detail: vscode.l10n.t('Since {0}', new Date(answer.since).toLocaleString()),
  };
}

function describeSubject(answer: Answer, serverName: (id: string) => string): string {
  const [, id = '', , tool = ''] = answer.subject;
  switch (answer.action) {
    case 'startServer':
      return vscode.l10n.t('start the server {0}', serverName(id));
    case 'callTool':
      return vscode.l10n.t('call {0} of {1}', tool, serverName(id));
    case 'connectClient':
      return vscode.l10n.t('let the client {0} in', id);
    case 'seeRoots':
      return vscode.l10n.t('tell {0} the workspace folders', serverName(id));
    case 'useModel':
      return vscode.l10n.t('answer model requests of {0}', serverName(id));
    case 'clientAct':
      return vscode.l10n.t('let the client {0} do: {1}', id, `${tool} ${answer.subject[4] ?? ''}`);
    case 'ownAct':
      return answer.subject.slice(2).join(' ');
    case 'seeWithheld':
      return answer.subject[2] === 'outside'
        ? vscode.l10n.t('show the client {0} open documents outside the workspace', id)
        : vscode.l10n.t('show the client {0} sensitive files', id);
    case 'useIssuer':
      return vscode.l10n.t('sign in to {0} at {1}', serverName(id), issuerOf(answer));
    case 'askPerson':
      return vscode.l10n.t('show questions of {0}', serverName(id));
  }
}

function issuerOf({ material }: Answer): string {
  const { issuer } = material;
  return typeof issuer === 'string' ? issuer : '';
}

function scopeWords(answer: Answer): string {
  switch (answer.scope) {
    case 'session':
      return vscode.l10n.t('this session');
    case 'workspace':
      return vscode.l10n.t('this workspace');
    case 'always':
      return vscode.l10n.t('always');
  }
}
