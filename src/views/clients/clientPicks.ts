import * as vscode from 'vscode';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import type { ClientGrants } from '../../server/seen/viewer.ts';
import type { ClientPermissions } from '../../server/access/clientPermissions.ts';
import type { IssuedCredentials } from '../../server/window/issuedCredentials.ts';
import type { ClientEntry } from '../../server/protocol/clientRegistry.ts';
import {
  abilitiesOf,
  childrenOf,
  type ClientAbility,
  type ClientNode,
  clientNodes,
  type ClientTarget,
  isClientRow,
  type KnownClient,
  clientTargetOf,
} from './clientNodes.ts';
import { approvalWords, credentialWords, clientName, roleWords } from './clientsTree.ts';

/** The editor's own server, as far as its clients are concerned. */
export interface ServingClients {
  clients(): readonly ClientEntry[];
  knownClients(): readonly KnownClient[];
  readonly permissions: Pick<ClientPermissions, 'rolesOf' | 'changeRole' | 'grantsOf' | 'changeGrants'>;
  readonly credentials: Pick<IssuedCredentials, 'revoke'>;
}

/** `Change Client Role…`: raises or lowers the role of a client. It holds at once. */
export async function changeClientRole(server: ServingClients, argument: unknown): Promise<void> {
  const client = await pickClient(argument, server.clients(), server.knownClients(), 'roleable');
  const role = client === undefined ? undefined : await pickRole(client.role, server.permissions.rolesOf(client));
  if (client !== undefined && role !== undefined) {
    await server.permissions.changeRole(client, role);
  }
}

/** `Change Client Access…`: lets a client see files that are withheld from others, or takes that back. */
export async function changeClientAccess(server: ServingClients, argument: unknown): Promise<void> {
  const client = await pickClient(argument, server.clients(), server.knownClients(), 'accessible');
  const grants = client === undefined ? undefined : await pickGrants(server.permissions.grantsOf(client));
  if (client !== undefined && grants !== undefined) {
    await server.permissions.changeGrants(client, grants);
  }
}

/** `Revoke Client…`: closes the streams of a client and refuses its next request. */
export async function revokeClient(server: ServingClients, argument: unknown): Promise<void> {
  const client = await pickClient(argument, server.clients(), server.knownClients(), 'revocable');
  if (client === undefined) {
    return;
  }
  await server.credentials.revoke(client);
  if (client.credentialKind === 'windowToken') {
    tellWindowTokenReplaced();
  }
}

/** The client of a tree row, or one that the person picks; `undefined` when there is none or they picked none. */
async function pickClient(
  argument: unknown,
  clients: readonly ClientEntry[],
  known: readonly KnownClient[],
  ability: ClientAbility,
): Promise<ClientTarget | undefined> {
  if (isClientRow(argument) && argument.node.kind !== 'pause') {
    return clientTargetOf(argument.node);
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
  return picked === undefined ? undefined : clientTargetOf(picked.node);
}

async function pickRole(current: Role | undefined, roles: readonly Role[]): Promise<Role | undefined> {
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

/** What the person lets the client see; `undefined` when they gave up. With nothing ticked, everything is taken back. */
async function pickGrants(current: ClientGrants): Promise<ClientGrants | undefined> {
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
    {
      grant: 'allTools' as const,
      label: vscode.l10n.t('The whole list of offered tools'),
      detail: vscode.l10n.t('Without it, a client searches them when there are more than 40 (duplex.server.toolList)'),
    },
  ].map((item) => ({ ...item, picked: current[item.grant] === true }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    placeHolder: vscode.l10n.t('What may this client see of what is withheld?'),
  });
  const has = (grant: keyof ClientGrants): boolean => picked?.some((item) => item.grant === grant) ?? false;
  return picked === undefined ? undefined : { sensitive: has('sensitive'), outside: has('outside'), allTools: has('allTools') };
}

function tellWindowTokenReplaced(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Every program that used the token of this window was disconnected. A new token was made.'),
  );
}

function describe(node: ClientNode): { readonly label: string; readonly description: string } {
  switch (node.kind) {
    case 'client':
      return { label: clientName(node.client), description: `${approvalWords(node.client)} · ${credentialWords(node.client)}` };
    case 'credential':
      return { label: credentialWords(node.clients[0]), description: vscode.l10n.t('{0} connections', node.clients.length) };
    case 'known':
      return { label: credentialWords(node.known), description: vscode.l10n.t('not connected') };
  }
}
