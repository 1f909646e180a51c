import * as vscode from 'vscode';
import { defaultBaseUrl, type EndpointKey } from '../contract/modelEndpoint.ts';
import type { ApiKeyStore } from '../editor/apiKeyStore.ts';
import { nativeText } from './nativeText.ts';

/** Asks for the key of this address without showing it, and keeps it in VS Code's secret storage only. True when there is one now. */
export async function setApiKey(keys: ApiKeyStore, baseUrl: string, sentAs?: EndpointKey['sentAs']): Promise<boolean> {
  const isAnthropic = baseUrl === defaultBaseUrl;
  const typed = await vscode.window.showInputBox({
    title: isAnthropic ? vscode.l10n.t('Anthropic API Key') : vscode.l10n.t('API Key for {0}', nativeText(new URL(baseUrl).host)),
    prompt: vscode.l10n.t('Kept in VS Code’s secret storage, sent only to {0}.', nativeText(baseUrl)),
    placeHolder: isAnthropic ? 'sk-ant-…' : '',
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || /^[\x21-\x7e]+$/.test(text.trim()) ? undefined : vscode.l10n.t('A key has no spaces or special characters.'),
  });
  const key = typed?.trim() ?? '';
  if (key === '') {
    return false;
  }
  const before = (await keys.stored(baseUrl))?.sentAs;
  await keys.set({ baseUrl, sentAs: sentAs ?? (before === undefined || before === 'none' ? 'bearer' : before), key });
  return true;
}

export async function removeApiKey(keys: ApiKeyStore, baseUrl: string): Promise<void> {
  await keys.remove(baseUrl);
  const stillThere = (await keys.get(baseUrl)) !== undefined;
  void vscode.window.showInformationMessage(
    stillThere
      ? vscode.l10n.t('The stored key was removed. The environment variable ANTHROPIC_API_KEY is still set and is used.')
      : vscode.l10n.t('The API key for {0} was removed.', nativeText(baseUrl)),
  );
}
