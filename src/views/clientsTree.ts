import * as vscode from 'vscode';
import { Emitter, type Event } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { views } from '../contract/identity.ts';
import type { ClientEntry } from '../server/protocol/clientRegistry.ts';
import { abilitiesOf, clientNodes, type ClientNode, type KnownClient } from './clientNodes.ts';
import { ClientRows, type ClientRow } from './clientRows.ts';
import { approvalWords, credentialWords, nameOf, rateWords, tooltipOf } from './clientWords.ts';
import { nativeText } from './nativeText.ts';

export interface ClientsModel {
  clients(): readonly ClientEntry[];
  /** Credentials that were given out, connected or not. */
  knownClients(): readonly KnownClient[];
  readonly onDidChange: Event<void>;
}

/** `duplex.clients`: the outside programs that are connected to this editor, or could be. */
export class ClientsTree implements vscode.TreeDataProvider<ClientRow>, Disposable {
  readonly #model: ClientsModel;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<ClientRow[] | undefined>());
  readonly #rows = new ClientRows();

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(model: ClientsModel) {
    this.#model = model;
    this.#lifetime.add(vscode.window.registerTreeDataProvider(views.clients, this));
    this.#lifetime.add(model.onDidChange(() => this.#refresh()));
  }

  getChildren(row?: ClientRow): ClientRow[] {
    if (row === undefined) {
      // Not everything that is known tells of its changes: whoever opens the view sees what is so now.
      this.#update();
    }
    return [...(row?.children ?? this.#rows.roots)];
  }

  getTreeItem({ id, node }: ClientRow): vscode.TreeItem {
    const item = itemOf(node);
    item.id = id;
    item.contextValue = ['client', ...abilitiesOf(node)].join(' ');
    return item;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #update(): readonly ClientRow[] | undefined {
    return this.#rows.update(clientNodes(this.#model.clients(), this.#model.knownClients()));
  }

  #refresh(): void {
    const changed = this.#update();
    if (changed === undefined || changed.length > 0) {
      this.#changed.fire(changed === undefined ? undefined : [...changed]);
    }
  }
}

function itemOf(node: ClientNode): vscode.TreeItem {
  switch (node.kind) {
    case 'client':
      return clientItem(node.client);
    case 'credential':
      return credentialItem(node.clients);
    case 'known':
      return knownItem(node.known);
  }
}

function clientItem(client: ClientEntry): vscode.TreeItem {
  const item = new vscode.TreeItem(nameOf(client));
  item.iconPath = iconOf(client.approval);
  item.description = [approvalWords(client), rateWords(client), client.transport].filter((part) => part !== '').join(' · ');
  item.tooltip = tooltipOf(client);
  item.accessibilityInformation = { label: `${nameOf(client)}, ${item.description}` };
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
