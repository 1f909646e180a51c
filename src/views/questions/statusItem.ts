import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import { commandId } from '../commandTable.ts';
import { quotedNames } from '../nativeText.ts';

/** What the status bar shows: the one thing that needs attention, or the state of the editor's own server. */
export type StatusSummary =
  | { readonly kind: 'questions'; readonly count: number; readonly areInChat: boolean }
  | { readonly kind: 'needsPermission'; readonly count: number }
  | { readonly kind: 'needsSignIn'; readonly names: readonly string[] }
  | { readonly kind: 'failed'; readonly names: readonly string[] }
  | { readonly kind: 'listening'; readonly port: number; readonly clients: number }
  | { readonly kind: 'off' };

export class StatusItem implements Disposable {
  readonly #item: vscode.StatusBarItem;
  #shown = '';

  constructor() {
    this.#item = vscode.window.createStatusBarItem('duplex.status', vscode.StatusBarAlignment.Right, 90);
    this.#item.name = 'Duplex';
    this.show({ kind: 'off' });
    this.#item.show();
  }

  show(summary: StatusSummary): void {
    // Each of the five assignments below would send a message to the window, also when nothing changed.
    const asked = JSON.stringify(summary);
    if (asked === this.#shown) {
      return;
    }
    this.#shown = asked;
    const { text, tooltip, command, isWarning } = describe(summary);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.command = command;
    this.#item.accessibilityInformation = { label: tooltip };
    this.#item.backgroundColor = isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function describe(summary: StatusSummary): { text: string; tooltip: string; command: string; isWarning: boolean } {
  const showServers = 'duplex.servers.focus';
  switch (summary.kind) {
    case 'questions':
      return {
        text: `$(shield) Duplex: ${summary.count}`,
        tooltip: questionsWait(summary.count),
        command: commandId(summary.areInChat ? 'openChat' : 'showPermissionQuestions'),
        isWarning: true,
      };
    case 'needsPermission':
      return {
        text: `$(shield) Duplex`,
        tooltip: serversNeedPermission(summary.count),
        command: showServers,
        isWarning: false,
      };
    case 'needsSignIn':
      return {
        text: `$(account) Duplex`,
        tooltip: vscode.l10n.t('MCP servers that want you to sign in: {0}', quotedNames(summary.names, vscode.l10n.t)),
        command: showServers,
        isWarning: false,
      };
    case 'failed':
      return {
        text: `$(warning) Duplex`,
        tooltip: vscode.l10n.t('MCP servers that failed: {0}', quotedNames(summary.names, vscode.l10n.t)),
        command: showServers,
        isWarning: false,
      };
    case 'listening':
      return {
        text: `$(arrow-swap) Duplex`,
        tooltip: vscode.l10n.t('This editor is an MCP server on port {0}; connected clients: {1}', summary.port, summary.clients),
        command: 'duplex.clients.focus',
        isWarning: false,
      };
    case 'off':
      return {
        text: `$(circle-slash) Duplex`,
        tooltip: vscode.l10n.t('This editor is not an MCP server'),
        command: showServers,
        isWarning: false,
      };
  }
}

function questionsWait(count: number): string {
  return count === 1 ? vscode.l10n.t('1 question waits for your answer') : vscode.l10n.t('{0} questions wait for your answer', count);
}

function serversNeedPermission(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 MCP server needs your permission to start')
    : vscode.l10n.t('{0} MCP servers need your permission to start', count);
}
