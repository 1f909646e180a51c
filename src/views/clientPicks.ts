import * as vscode from 'vscode';
import type { Role } from '../contract/questions/role.ts';
import type { ClientGrants } from '../server/seen/clientGrants.ts';
import type { ClientEntry } from '../server/protocol/clientRegistry.ts';
import {
  abilitiesOf,
  childrenOf,
  clientNodes,
  targetOf,
  type ClientAbility,
  type ClientNode,
  type ClientTarget,
  type KnownClient,
} from './clientNodes.ts';
import { isClientRow } from './clientRows.ts';
import { approvalWords, credentialWords, nameOf, roleWords } from './clientWords.ts';

/** The client a tree row stands for, or one the person picks; `undefined` when there is none or they changed their mind. */
export async function pickClient(
  argument: unknown,
  clients: readonly ClientEntry[],
  known: readonly KnownClient[],
  ability: ClientAbility,
): Promise<ClientTarget | undefined> {
  if (isClientRow(argument)) {
    return targetOf(argument.node);
  }
  const nodes = clientNodes(clients, known)
    .flatMap((node) => [node, ...childrenOf(node)])
    .filter((node) => abilitiesOf(node).includes(ability));
  if (nodes.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No outside program is connected.'));
    return undefined;
  }
  const items = nodes.map((node) => ({ node, ...describe(node) }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Choose the client') });
  return picked === undefined ? undefined : targetOf(picked.node);
}

export async function pickRole(current: Role | undefined, roles: readonly Role[]): Promise<Role | undefined> {
  const details: Readonly<Record<Role, string>> = {
    reader: vscode.l10n.t('Sees files, problems, symbols and test results; can open a file for you'),
    editor: vscode.l10n.t('Also proposes and makes edits, saves, formats and renames'),
    runner: vscode.l10n.t('Also runs tests, tasks and terminal commands; you are asked about each'),
  };
  const items = roles.map((role) => ({
    role,
    label: roleWords(role),
    detail: details[role],
    ...(role === current && { description: vscode.l10n.t('current') }),
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Choose the role; it holds at once') });
  return picked?.role;
}

/** `undefined` when the person changed their mind; nothing ticked takes everything back. */
export async function pickGrants(current: ClientGrants): Promise<ClientGrants | undefined> {
  const items = [
    {
      grant: 'sensitive' as const,
      label: vscode.l10n.t('Sensitive files'),
      detail: vscode.l10n.t('.env files, keys, certificates and the like; secrets in text are no longer redacted'),
    },
    {
      grant: 'outside' as const,
      label: vscode.l10n.t('Documents outside the workspace'),
      detail: vscode.l10n.t('Those you have open; never the data of VS Code and Duplex'),
    },
  ].map((item) => ({ ...item, picked: current[item.grant] }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    placeHolder: vscode.l10n.t('What may this client see of what is withheld?'),
  });
  const has = (grant: keyof ClientGrants): boolean => picked?.some((item) => item.grant === grant) ?? false;
  return picked === undefined ? undefined : { sensitive: has('sensitive'), outside: has('outside') };
}

export function tellWindowTokenReplaced(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Every program that used the token of this window was disconnected. A new token was made.'),
  );
}

function describe(node: ClientNode): { readonly label: string; readonly description: string } {
  switch (node.kind) {
    case 'client':
      return { label: nameOf(node.client), description: `${approvalWords(node.client)} · ${credentialWords(node.client)}` };
    case 'credential':
      return { label: credentialWords(node.clients[0]), description: vscode.l10n.t('{0} connections', node.clients.length) };
    case 'known':
      return { label: credentialWords(node.known), description: vscode.l10n.t('not connected') };
  }
}
