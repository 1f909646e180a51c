import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import type { Answer } from '../consent/consentModel.ts';
import type { Ledger } from '../consent/ledger.ts';
import { permissionsToHost, type PermissionRow, type permissionsToView } from '../contract/permissionMessages.ts';
import { permissionRows, rowIdOf } from './permissionRows.ts';
import type { NamedServer } from './sentences/permissionWords.ts';
import { WebviewLink } from './webviewLink.ts';
import { pageRoots, renderPage } from './webviewPage.ts';

export interface PermissionsPanelOptions {
  readonly extensionUri: vscode.Uri;
  readonly ledger: Ledger;
  /** Told after an answer was taken back; once for those that were given as one. */
  readonly didRevoke: (answer: Answer) => void;
  readonly named: NamedServer;
  readonly onFailure: (error: unknown) => void;
  readonly log: Log;
}

interface OpenPanel {
  readonly panel: vscode.WebviewPanel;
  readonly link: WebviewLink<typeof permissionsToHost, typeof permissionsToView>;
  readonly lifetime: DisposableStore;
}

/** Every remembered answer, of this workspace and of others, as a table in an editor tab from which it is taken back. */
export class PermissionsPanel implements Disposable {
  readonly #options: PermissionsPanelOptions;
  #open: OpenPanel | undefined;

  constructor(options: PermissionsPanelOptions) {
    this.#options = options;
  }

  show(): void {
    if (this.#open === undefined) {
      this.#open = this.#create();
    } else {
      this.#open.panel.reveal();
    }
  }

  dispose(): void {
    this.#open?.panel.dispose();
  }

  #create(): OpenPanel {
    const { extensionUri, ledger, onFailure, log } = this.#options;
    const panel = vscode.window.createWebviewPanel('duplex.permissions', vscode.l10n.t('Duplex Permissions'), vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: pageRoots(extensionUri),
      enableFindWidget: true,
    });
    const lifetime = new DisposableStore();
    const handlers = {
      ready: () => this.#post(),
      'permissions/revoke': ({ ids }: { readonly ids: readonly string[] }) => void this.#revoke(ids).catch(onFailure),
      'permissions/export': () => void this.#export().catch(onFailure),
    };
    const link: OpenPanel['link'] = lifetime.add(new WebviewLink(panel.webview, permissionsToHost, handlers, log));
    lifetime.add(ledger.onDidChange(() => this.#post()));
    panel.onDidDispose(() => {
      lifetime.dispose();
      this.#open = undefined;
    });
    panel.webview.html = renderPage(panel.webview, extensionUri, 'permissions');
    return { panel, link, lifetime };
  }

  async #revoke(ids: readonly string[]): Promise<void> {
    const revoke = vscode.l10n.t('Revoke');
    if (ids.length > 1) {
      const sentence = vscode.l10n.t('Revoke {0} remembered answers? What they allowed is asked again; what they denied, too.', ids.length);
      const picked = await vscode.window.showWarningMessage(sentence, { modal: true }, revoke);
      if (picked !== revoke) {
        return;
      }
    }
    const { ledger, didRevoke } = this.#options;
    const answers = ledger.everywhere().filter((answer) => ids.includes(rowIdOf(answer)));
    await ledger.revoke(...answers.map(({ id }) => id));
    new Map(answers.map((answer) => [rowIdOf(answer), answer])).forEach((answer) => didRevoke(answer));
  }

  /** As they are shown, for a person to keep or compare. */
  async #export(): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const name = 'duplex-permissions.json';
    const target = await vscode.window.showSaveDialog({
      title: vscode.l10n.t('Export Permissions'),
      ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
      filters: { JSON: ['json'] },
    });
    if (target !== undefined) {
      const permissions = this.#rows().map(({ answer, what, who, where, since, lastUsed }) => ({
        answer,
        what,
        who,
        where,
        since,
        lastUsed,
      }));
      await vscode.workspace.fs.writeFile(target, Buffer.from(`${JSON.stringify({ permissions }, undefined, 2)}\n`));
    }
  }

  #post(): void {
    this.#open?.link.post('permissions/list', { rows: this.#rows() });
  }

  #rows(): PermissionRow[] {
    const { ledger, named } = this.#options;
    return permissionRows(ledger.everywhere(), (answer) => ledger.holdsHere(answer), named, vscode.l10n.t);
  }
}
