import * as vscode from 'vscode';
import type { Role } from '../contract/questions/role.ts';
import type { ClientEntry } from '../server/protocol/clientRegistry.ts';
import { nativeText } from './nativeText.ts';

/** The name is the client's own claim, and said to be one. */
export function nameOf({ callsItself, isStateless }: ClientEntry): string {
  const name = nativeText(callsItself, 60);
  if (name === '') {
    return isStateless ? vscode.l10n.t('requests without a session') : vscode.l10n.t('has not said its name');
  }
  return vscode.l10n.t('calls itself {0}', name);
}

export function credentialWords({ label, credentialKind }: Pick<ClientEntry, 'label' | 'credentialKind'>): string {
  const named = label === undefined ? '' : nativeText(label, 60);
  switch (credentialKind) {
    case 'windowToken':
      return vscode.l10n.t('window token');
    case 'clientToken':
      return named === '' ? vscode.l10n.t('client token') : vscode.l10n.t('client token for {0}', named);
    case 'oauth':
      return named === '' ? vscode.l10n.t('signed in by browser') : vscode.l10n.t('signed in by browser: {0}', named);
    case 'chat':
      return vscode.l10n.t('chat');
  }
}

export function roleWords(role: Role): string {
  return { reader: vscode.l10n.t('Reader'), editor: vscode.l10n.t('Editor'), runner: vscode.l10n.t('Runner') }[role];
}

export function approvalWords({ approval, role }: Pick<ClientEntry, 'approval' | 'role'>): string {
  switch (approval) {
    case 'allowed':
      return role === undefined ? '' : roleWords(role);
    case 'denied':
      return vscode.l10n.t('denied');
    case 'asked':
      return vscode.l10n.t('waits for your answer');
    case 'notAsked':
      return vscode.l10n.t('has seen nothing yet');
  }
}

export function rateWords({ calls, callsPerMinute }: ClientEntry): string {
  if (calls === 0) {
    return '';
  }
  return callsPerMinute === 0 ? vscode.l10n.t('quiet') : vscode.l10n.t('{0}/min', callsPerMinute);
}

/** One fact a line; every text of the client's own taken apart. */
export function tooltipOf(client: ClientEntry): string {
  const last = client.lastCall;
  return [
    `${nameOf(client)} (${approvalWords(client)})`,
    vscode.l10n.t('Credential: {0}, {1}', credentialWords(client), client.credentialId),
    vscode.l10n.t('Transport: {0}', client.isStateless ? vscode.l10n.t('{0}, without a session', client.transport) : client.transport),
    vscode.l10n.t('Connected since {0}', new Date(client.since).toLocaleTimeString()),
    last === undefined
      ? vscode.l10n.t('No call yet')
      : vscode.l10n.t('Last call: {0} at {1}', last.name, new Date(last.at).toLocaleTimeString()),
    vscode.l10n.t('{0} calls, {1} in the last minute', client.calls, client.callsPerMinute),
  ]
    .map((line) => nativeText(line))
    .join('\n');
}
