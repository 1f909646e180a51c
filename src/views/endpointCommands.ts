import * as vscode from 'vscode';
import { defaultBaseUrl, isOnThisMachine, toBaseUrl, type KeyHeader } from '../contract/modelEndpoint.ts';
import type { ApiKeyStore } from '../editor/apiKeyStore.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import { setApiKey } from './apiKeyCommands.ts';
import { nativeText } from './nativeText.ts';

/** An endpoint that speaks Anthropic's API: its address, how it takes a key, the key. Nothing changes before all is known. */
export async function useEndpoint(keys: ApiKeyStore, settings: SettingsReader): Promise<void> {
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
    return;
  }
  if (sentAs === 'none') {
    await keys.set({ baseUrl, sentAs, key: '' });
  } else if (!(await setApiKey(keys, baseUrl, sentAs))) {
    return;
  }
  await settings.write('duplex.anthropic.baseUrl', baseUrl === defaultBaseUrl ? '' : baseUrl);
  if (before !== baseUrl) {
    await settings.write('duplex.chat.model', ''); // what another endpoint calls its models means nothing here
  }
  if (settings.get('duplex.chat.provider') !== 'auto') {
    await settings.write('duplex.chat.provider', 'anthropic');
  }
}

function addressProblem(text: string): string | vscode.InputBoxValidationMessage | undefined {
  if (text.trim() === '') {
    return undefined;
  }
  const baseUrl = toBaseUrl(text);
  if (baseUrl === undefined) {
    return vscode.l10n.t('Not a plain http or https address.');
  }
  return baseUrl.startsWith('https:') || isOnThisMachine(baseUrl)
    ? undefined
    : {
        message: vscode.l10n.t('Not encrypted: others in the network can read the key and everything you say.'),
        severity: vscode.InputBoxValidationSeverity.Warning,
      };
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
