import * as vscode from 'vscode';
import {
  defaultBaseUrl,
  type EndpointKey,
  isOnThisMachine,
  isUnencrypted,
  type KeyHeader,
  toBaseUrl,
} from '../../contract/modelEndpoint.ts';
import type { ApiKeyStore } from '../../editor/storage/apiKeyStore.ts';
import type { LanguageModels } from '../../editor/languageModels.ts';
import type { SettingsReader } from '../../editor/settingsReader.ts';
import { nativeText } from '../nativeText.ts';

/**
 * `Use Endpoint…`: asks for the address of an endpoint that speaks Anthropic's API, how it takes a key, and the key. Nothing is
 * changed before all is known. True when it is used now.
 */
export async function useEndpoint(keys: ApiKeyStore, settings: SettingsReader): Promise<boolean> {
  const before = toBaseUrl(settings.get('duplex.anthropic.baseUrl')) ?? '';
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Use Another Endpoint'),
    prompt: vscode.l10n.t('The address of an endpoint that speaks Anthropic’s API, on this machine or elsewhere.'),
    placeHolder: 'http://127.0.0.1:11434',
    value: before === defaultBaseUrl ? '' : before,
    ignoreFocusOut: true,
    validateInput: addressProblem,
  });
  const baseUrl = typed === undefined || typed.trim() === '' ? undefined : toBaseUrl(typed);
  const sentAs = baseUrl === undefined ? undefined : await askKeyHeader(baseUrl);
  if (baseUrl === undefined || sentAs === undefined) {
    return false;
  }
  if (sentAs === 'none') {
    await keys.set({ baseUrl, sentAs, key: '' });
  } else if (!(await setApiKey(keys, baseUrl, sentAs))) {
    return false;
  }
  await settings.write('duplex.anthropic.baseUrl', baseUrl === defaultBaseUrl ? '' : baseUrl);
  if (before !== baseUrl) {
    await settings.write('duplex.chat.model', ''); // the name of a model means nothing to another endpoint
  }
  if (settings.get('duplex.chat.provider') !== 'auto') {
    await settings.write('duplex.chat.provider', 'anthropic');
  }
  return true;
}

function addressProblem(text: string): string | vscode.InputBoxValidationMessage | undefined {
  if (text.trim() === '') {
    return undefined;
  }
  const baseUrl = toBaseUrl(text);
  if (baseUrl === undefined) {
    return vscode.l10n.t('Not a plain http or https address.');
  }
  return isUnencrypted(baseUrl)
    ? {
        message: vscode.l10n.t('Not encrypted: others in the network can read the key and everything you say.'),
        severity: vscode.InputBoxValidationSeverity.Warning,
      }
    : undefined;
}

async function askKeyHeader(baseUrl: string): Promise<KeyHeader | undefined> {
  const items: (vscode.QuickPickItem & { readonly sentAs: KeyHeader })[] = [
    { sentAs: 'x-api-key', label: 'x-api-key', description: vscode.l10n.t('a key in a header of its own') },
    { sentAs: 'bearer', label: 'Authorization: Bearer', description: vscode.l10n.t('a key or token') },
  ];
  if (isOnThisMachine(baseUrl)) {
    items.push({ sentAs: 'none', label: vscode.l10n.t('No key'), description: vscode.l10n.t('it is on this machine and wants none') });
  }
  const placeHolder = vscode.l10n.t('How does {0} take its key?', nativeText(new URL(baseUrl).host));
  return (await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.sentAs;
}

/** Asks for the key of this address without showing it, and keeps it in VS Code's secret storage only. True when there is one now. */
export async function setApiKey(keys: ApiKeyStore, baseUrl: string, sentAs?: EndpointKey['sentAs']): Promise<boolean> {
  const isAnthropic = baseUrl === defaultBaseUrl;
  const typed = await vscode.window.showInputBox({
    title: isAnthropic ? vscode.l10n.t('Anthropic API Key') : vscode.l10n.t('API Key for {0}', nativeText(new URL(baseUrl).host)),
    prompt: isUnencrypted(baseUrl)
      ? vscode.l10n.t('Sent to {0} without encryption: others in the network can read it, and everything you say.', nativeText(baseUrl))
      : vscode.l10n.t(
          'Kept in VS Code’s secret storage, sent only to {0}: now to list its models, then with what you say.',
          nativeText(baseUrl),
        ),
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

/** `Use VS Code Models`: makes VS Code's own language models answer. Where there is none, the person is told where to get them. */
export async function useVscodeModels(models: LanguageModels, settings: SettingsReader): Promise<void> {
  if ((await models.list()).length > 0) {
    await settings.write('duplex.chat.provider', 'vscode');
    return;
  }
  const search = vscode.l10n.t('Search Extensions');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'VS Code has no language model here yet. Sign in to GitHub Copilot, or install an extension that offers models, and choose again.',
    ),
    search,
  );
  if (answer === search) {
    await vscode.commands.executeCommand('workbench.extensions.search', '@tag:language-models');
  }
}

/** What VS Code shows when it asks whether Duplex may use another extension's model. */
export function modelJustification(): string {
  return vscode.l10n.t('The chat of Duplex sends it your messages and what you let tools return.');
}
