import * as vscode from 'vscode';
import type { ApiKeyStore } from '../editor/apiKeyStore.ts';

/** Asks for the key without showing it, and keeps it in VS Code's secret storage only. */
export async function setApiKey(keys: ApiKeyStore): Promise<void> {
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('Anthropic API Key'),
    prompt: vscode.l10n.t('Kept in VS Code’s secret storage, sent only to the Anthropic API.'),
    placeHolder: 'sk-ant-…',
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || /^[\x21-\x7e]+$/.test(text.trim()) ? undefined : vscode.l10n.t('A key has no spaces or special characters.'),
  });
  if (key !== undefined && key.trim() !== '') {
    await keys.set(key.trim());
  }
}

export async function removeApiKey(keys: ApiKeyStore): Promise<void> {
  await keys.remove();
  const stillThere = (await keys.get()) !== undefined;
  void vscode.window.showInformationMessage(
    stillThere
      ? vscode.l10n.t('The stored key was removed. The environment variable ANTHROPIC_API_KEY is still set and is used.')
      : vscode.l10n.t('The Anthropic API key was removed.'),
  );
}
