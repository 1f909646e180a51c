// clients/: the outside programs that use this editor as a server: their tree (this file), and what a person does with one.
import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { views } from '../../contract/identity.ts';
import type { Role } from '../../contract/questions/rolesAndClaims.ts';
import type { ClientEntry } from '../../server/protocol/clientRegistry.ts';
import { commandId } from '../commandTable.ts';
import { contextFlag } from '../native/contextFlags.ts';
import { nativeText } from '../nativeText.ts';
import { abilitiesOf, type ClientNode, clientNodes, type ClientRow, ClientRows, type KnownClient, type PauseNode } from './clientNodes.ts';

export interface ClientsModel {
  clients(): readonly ClientEntry[];
  /** The credentials that were given out, connected or not. */
  knownClients(): readonly KnownClient[];
  /** How long new programs have to wait before they can ask to sign in, in ms. */
  signInWaitMs(): number;
  readonly onDidChange: Event<void>;
}

/** The view `duplex.clients`: the outside programs that are connected to this editor, or could be. */
export class ClientsTree implements vscode.TreeDataProvider<ClientRow>, Disposable {
  readonly #model: ClientsModel;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<ClientRow[] | undefined>());
  readonly #rows = new ClientRows();
  readonly #tellWhetherAny = contextFlag('duplex.hasClients');

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(model: ClientsModel) {
    this.#model = model;
    this.#lifetime.add(vscode.window.registerTreeDataProvider(views.clients, this));
    this.#lifetime.add(model.onDidChange(() => this.#refresh()));
  }

  getChildren(row?: ClientRow): ClientRow[] {
    if (row === undefined) {
      // Not every change is announced, so the view looks anew whenever it is opened.
      this.#update();
    }
    return [...(row?.children ?? this.#rows.roots)];
  }

  getTreeItem({ id, node }: ClientRow): vscode.TreeItem {
    const item = itemOf(node);
    item.id = id;
    item.contextValue = node.kind === 'pause' ? 'pause' : ['client', ...abilitiesOf(node)].join(' ');
    return item;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #update(): readonly ClientRow[] | undefined {
    const wait = this.#model.signInWaitMs();
    // Whole minutes, so that the row is not drawn anew each time the time is computed.
    const pause = wait === 0 ? [] : [{ kind: 'pause', until: Math.ceil((Date.now() + wait) / 60_000) * 60_000 } as const];
    return this.#rows.update([...pause, ...clientNodes(this.#model.clients(), this.#model.knownClients())]);
  }

  #refresh(): void {
    this.#tellWhetherAny(this.#model.clients().length > 0);
    const changed = this.#update();
    if (changed === undefined || changed.length > 0) {
      this.#changed.fire(changed === undefined ? undefined : [...changed]);
    }
  }
}

function itemOf(node: ClientNode | PauseNode): vscode.TreeItem {
  switch (node.kind) {
    case 'client':
      return clientItem(node.client);
    case 'credential':
      return credentialItem(node.clients);
    case 'known':
      return knownItem(node.known);
    case 'pause':
      return pauseItem(node.until);
  }
}

function pauseItem(until: number): vscode.TreeItem {
  const { t } = vscode.l10n;
  const title = t('Let the next one ask');
  const item = new vscode.TreeItem(title);
  item.iconPath = new vscode.ThemeIcon('watch', new vscode.ThemeColor('charts.yellow'));
  item.description = t(
    'new programs wait until {0}',
    new Date(until).toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit' }),
  );
  item.tooltip = t('Several questions about new programs that sign in by browser were refused or left, so no new one can ask for a while.');
  item.accessibilityInformation = { label: `${title}, ${item.description}` };
  item.command = { command: commandId('letTheNextOneAsk'), title };
  return item;
}

function clientItem(client: ClientEntry): vscode.TreeItem {
  const item = new vscode.TreeItem(clientName(client));
  item.iconPath = iconOf(client.approval);
  item.description = [approvalWords(client), rateWords(client), client.transport].filter((part) => part !== '').join(' · ');
  item.tooltip = tooltipOf(client);
  item.accessibilityInformation = { label: `${clientName(client)}, ${item.description}` };
  return item;
}

function credentialItem(clients: readonly [ClientEntry, ...ClientEntry[]]): vscode.TreeItem {
  const [first] = clients;
  const item = new vscode.TreeItem(credentialWords(first), vscode.TreeItemCollapsibleState.Expanded);
  item.iconPath = new vscode.ThemeIcon('key');
  const role = first.credentialKind === 'windowToken' ? '' : approvalWords(first);
  item.description = [role, vscode.l10n.t('{0} connections', clients.length)].filter((part) => part !== '').join(' · ');
  item.tooltip = nativeText(vscode.l10n.t('Known here as {0}', first.credentialId));
  item.accessibilityInformation = { label: `${credentialWords(first)}, ${item.description}` };
  return item;
}

function knownItem({ label, credentialId, credentialKind }: KnownClient): vscode.TreeItem {
  const item = new vscode.TreeItem(credentialWords({ label, credentialKind }));
  item.iconPath = new vscode.ThemeIcon('circle-outline');
  item.description = vscode.l10n.t('not connected');
  item.tooltip = nativeText(vscode.l10n.t('Known here as {0}', credentialId));
  item.accessibilityInformation = { label: `${credentialWords({ label, credentialKind })}, ${item.description}` };
  return item;
}

function iconOf(approval: ClientEntry['approval']): vscode.ThemeIcon {
  switch (approval) {
    case 'allowed':
      return new vscode.ThemeIcon('plug', new vscode.ThemeColor('charts.green'));
    case 'denied':
      return new vscode.ThemeIcon('circle-slash', new vscode.ThemeColor('charts.red'));
    case 'asked':
      return new vscode.ThemeIcon('question', new vscode.ThemeColor('charts.yellow'));
    case 'notAsked':
      return new vscode.ThemeIcon('debug-disconnect');
  }
}

/** The name that a client gives itself. The words say that it is the client's own claim. */
export function clientName({ callsItself, isStateless }: ClientEntry): string {
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

function rateWords({ calls, callsPerMinute }: ClientEntry): string {
  if (calls === 0) {
    return '';
  }
  return callsPerMinute === 0 ? vscode.l10n.t('quiet') : vscode.l10n.t('{0}/min', callsPerMinute);
}

/** The tooltip of a client, with one fact in each line. */
function tooltipOf(client: ClientEntry): string {
  const last = client.lastCall;
  return [
    `${clientName(client)} (${approvalWords(client)})`,
    vscode.l10n.t('Credential: {0}, {1}', credentialWords(client), client.credentialId),
    vscode.l10n.t('Transport: {0}', client.isStateless ? vscode.l10n.t('{0}, without a session', client.transport) : client.transport),
    vscode.l10n.t('Connected since {0}', new Date(client.since).toLocaleTimeString(vscode.env.language)),
    last === undefined
      ? vscode.l10n.t('No call yet')
      : vscode.l10n.t('Last call: {0} at {1}', last.name, new Date(last.at).toLocaleTimeString(vscode.env.language)),
    vscode.l10n.t('{0} calls, {1} in the last minute', client.calls, client.callsPerMinute),
    ...(client.servers ?? []).map(({ server, calls, last }) =>
      vscode.l10n.t('Offered server {0}: {1} calls, the last of {2}', server, calls, last),
    ),
  ]
    .map((line) => nativeText(line))
    .join('\n');
}
