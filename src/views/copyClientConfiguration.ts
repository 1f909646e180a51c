import * as vscode from 'vscode';
import type { KnownHost } from '../contract/clientConfigurations.ts';
import { nativeText } from './nativeText.ts';

export interface HostChoice {
  readonly host: KnownHost;
  readonly label: string;
  /** Where its configuration stands. */
  readonly place: string;
}

/** The programs people use, in the order they are offered. */
export function hostChoices(): readonly HostChoice[] {
  const { t } = vscode.l10n;
  return [
    { host: 'claudeDesktop', label: 'Claude Desktop', place: t('claude_desktop_config.json (Settings › Developer › Edit Config)') },
    { host: 'claudeCode', label: 'Claude Code', place: t('the user’s ~/.claude.json') },
    { host: 'cursor', label: 'Cursor', place: '~/.cursor/mcp.json' },
    { host: 'vscode', label: 'VS Code', place: t('the user’s mcp.json (MCP: Open User Configuration)') },
    { host: 'inspector', label: 'MCP Inspector', place: t('a file for --config, with --server duplex') },
    { host: 'plain', label: t('Plain JSON'), place: t('the configuration of any other program') },
  ];
}

export async function pickHost(): Promise<HostChoice | undefined> {
  const items = hostChoices().map((choice) => ({ label: choice.label, description: choice.place, choice }));
  const placeHolder = vscode.l10n.t('Choose the program that shall see this editor');
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.choice;
}

export async function pickConnection(url: string): Promise<'bridge' | 'address' | undefined> {
  const { t } = vscode.l10n;
  const items: (vscode.QuickPickItem & { readonly way: 'bridge' | 'address' })[] = [
    { label: t('By command'), description: t('finds the right window by itself'), way: 'bridge' },
    { label: t('By address'), description: nativeText(url), way: 'address' },
  ];
  return (await vscode.window.showQuickPick(items, { placeHolder: t('How shall it connect?') }))?.way;
}

/** Resolves to true when the person takes it back at once. */
export async function tellCopied(choice: HostChoice, credentialId: string): Promise<boolean> {
  const { t } = vscode.l10n;
  const revoke = t('Revoke');
  const sentence = t(
    'The configuration for {0} is on the clipboard. Paste it into {1}. It holds a secret that is made for this program ({2}) and works in every window until you revoke it under Connected Clients: share it with nobody, and commit it nowhere.',
    choice.label,
    choice.place,
    credentialId,
  );
  return (await vscode.window.showInformationMessage(nativeText(sentence, 600), revoke)) === revoke;
}

export function tellRevoked(choice: HostChoice): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The secret of the copied configuration for {0} is no longer valid.', choice.label),
  );
}
