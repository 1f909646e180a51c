import * as vscode from 'vscode';
import { Emitter, type Event } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { views } from '../contract/identity.ts';
import type { ClientEntry } from '../server/clientRegistry.ts';
import { nativeText } from './nativeText.ts';

export interface ClientsModel {
  clients(): readonly ClientEntry[];
  readonly onDidChange: Event<void>;
}

/** `duplex.clients`: the outside programs that are connected to this editor. */
export class ClientsTree implements vscode.TreeDataProvider<ClientEntry>, Disposable {
  readonly #model: ClientsModel;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<undefined>());

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(model: ClientsModel) {
    this.#model = model;
    this.#lifetime.add(vscode.window.registerTreeDataProvider(views.clients, this));
    this.#lifetime.add(model.onDidChange(() => this.#changed.fire(undefined)));
  }

  getChildren(node?: ClientEntry): ClientEntry[] {
    return node === undefined ? [...this.#model.clients()] : [];
  }

  getTreeItem(client: ClientEntry): vscode.TreeItem {
    const item = new vscode.TreeItem(vscode.l10n.t('calls itself {0}', nativeText(client.callsItself, 60)));
    item.id = client.sessionId;
    item.iconPath = new vscode.ThemeIcon(client.approval === 'allowed' ? 'plug' : 'debug-disconnect');
    item.description = `${approvalWords(client)} · ${client.transport}`;
    item.tooltip = tooltipOf(client);
    item.contextValue = 'client';
    return item;
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}

export function approvalWords(client: ClientEntry): string {
  switch (client.approval) {
    case 'allowed':
      return client.role ?? '';
    case 'denied':
      return vscode.l10n.t('denied');
    case 'asked':
      return vscode.l10n.t('waits for your answer');
    case 'notAsked':
      return vscode.l10n.t('has seen nothing yet');
  }
}

function tooltipOf(client: ClientEntry): string {
  const since = vscode.l10n.t('Connected since {0}', new Date(client.since).toLocaleTimeString());
  const last =
    client.lastCall === undefined
      ? vscode.l10n.t('No call yet')
      : vscode.l10n.t('{0} calls, last {1} at {2}', client.calls, client.lastCall.name, new Date(client.lastCall.at).toLocaleTimeString());
  return nativeText(`${since}. ${last}. ${client.credentialKind} ${client.credentialId}`, 400);
}
