// permissions/: the page with every remembered answer, from which it is taken back.
import * as vscode from 'vscode';
import type { Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { RememberedAnswer } from '../../consent/consentModel.ts';
import type { Ledger } from '../../consent/ledger.ts';
import { permissionsToHost, type PermissionRow, type permissionsToView } from '../../contract/pages/permissionMessages.ts';
import { PagePanel } from '../pages/pagePanel.ts';
import { saveExport } from '../pages/saveExport.ts';
import { type NamedServer, permissionRows, rowIdOf } from './permissionRows.ts';
import type { Handlers } from '../pages/webviewLink.ts';

export interface PermissionsPanelOptions {
  readonly extensionUri: vscode.Uri;
  readonly ledger: Ledger;
  /** Called after an answer was revoked; once for answers that were given together. */
  readonly didRevoke: (answer: RememberedAnswer) => void;
  readonly named: NamedServer;
  readonly onFailure: (error: unknown) => void;
  readonly log: Log;
}

/** Shows every remembered answer, of this workspace and of others, as a table in an editor tab in which it can be revoked. */
export class PermissionsPanel implements Disposable {
  readonly #options: PermissionsPanelOptions;
  readonly #page: PagePanel<typeof permissionsToHost, typeof permissionsToView>;

  constructor(options: PermissionsPanelOptions) {
    this.#options = options;
    const { extensionUri, ledger, onFailure, log } = options;
    const handlers: Handlers<typeof permissionsToHost> = {
      ready: () => this.#post(),
      'permissions/revoke': ({ ids }) => void this.#revoke(ids).catch(onFailure),
      'permissions/export': () => void this.#export().catch(onFailure),
    };
    const onOpen = (lifetime: DisposableStore): void => void lifetime.add(ledger.onDidChange(() => this.#post()));
    const title = vscode.l10n.t('Duplex Permissions');
    this.#page = new PagePanel({ page: 'permissions', title, extensionUri, messages: permissionsToHost, handlers, onOpen, log });
  }

  show(): void {
    this.#page.show();
  }

  dispose(): void {
    this.#page.dispose();
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

  /** Saves the answers as they are shown, for a person to keep or compare. */
  async #export(): Promise<void> {
    const permissions = this.#rows().map(({ answer, what, who, where, since, lastUsed }) => ({
      answer,
      what,
      who,
      where,
      since,
      lastUsed,
    }));
    const text = `${JSON.stringify({ permissions }, undefined, 2)}\n`;
    await saveExport(vscode.l10n.t('Export Permissions'), 'duplex-permissions.json', { JSON: ['json'] }, text);
  }

  #post(): void {
    this.#page.post('permissions/list', { rows: this.#rows() });
  }

  #rows(): PermissionRow[] {
    const { ledger, named } = this.#options;
    return permissionRows(ledger.everywhere(), (answer) => ledger.holdsHere(answer), named, vscode.l10n.t);
  }
}
