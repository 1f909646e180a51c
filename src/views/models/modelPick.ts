// models/: how a person chooses who answers in the chat (this file), and gives a key or an address for it.
import * as vscode from 'vscode';
import { isAppError } from '../../base/errors.ts';
import { chatError } from '../../chat/conversation/chatSentences.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { AnsweringModel } from '../../chat/models/answeringModel.ts';
import type { KnownModels } from '../../chat/models/knownModels.ts';
import type { ModelInfo, ModelProvider } from '../../chat/models/modelProvider.ts';
import type { SettingsReader } from '../../editor/settingsReader.ts';
import { acceptedItem, type OfferedItem } from '../native/acceptedItem.ts';
import { errorSentence } from '../errorReporter.ts';
import { nativeText } from '../nativeText.ts';

export interface ModelPickOptions {
  readonly answering: AnsweringModel;
  readonly models: KnownModels;
  readonly anthropic: ModelProvider;
  readonly vscode: ModelProvider;
  readonly settings: SettingsReader;
  readonly setKey: () => Promise<boolean>;
  readonly useEndpoint: () => Promise<void>;
  readonly useVscodeModels: () => Promise<void>;
}

interface ModelItem extends vscode.QuickPickItem, OfferedItem {}

/** `Choose Model…`: lets the person choose a model that a provider lists, type the name of one, or go to another provider. */
export async function pickModel(options: ModelPickOptions): Promise<void> {
  const lifetime = new DisposableStore();
  const leaving = new AbortController();
  const pick = lifetime.add(vscode.window.createQuickPick<ModelItem>());
  pick.title = vscode.l10n.t('Model');
  pick.placeholder = vscode.l10n.t('Choose who answers, or type the name of a model');
  pick.matchOnDescription = true;
  let problem: string | undefined;
  const show = (): void => {
    pick.items = itemsOf(options, pick.value.trim(), problem);
  };
  lifetime.add(pick.onDidChangeValue(show));
  const chosen = new Promise<ModelItem | undefined>((resolve) => {
    lifetime.add(
      pick.onDidAccept(() => {
        const item = acceptedItem(pick.activeItems[0], pick.value.trim(), (typed) => typedItems(options, typed)[0]);
        if (item !== undefined) {
          resolve(item);
        }
      }),
    );
    lifetime.add(pick.onDidHide(() => resolve(undefined)));
  });
  show();
  pick.show();
  pick.busy = true;
  void loadLists(options, leaving.signal).then((failure) => {
    if (!leaving.signal.aborted) {
      problem = failure;
      pick.busy = false;
      show();
    }
  });
  try {
    const item = await chosen;
    pick.hide();
    await item?.run?.();
  } finally {
    leaving.abort();
    lifetime.dispose();
  }
}

/** Loads the lists of models. When one fails, what was known stays, and the reason is returned to be shown in the list. */
async function loadLists(
  { answering, models, anthropic, vscode: own }: ModelPickOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const failures = await Promise.all([
    answering.hasKey && vscode.workspace.isTrusted ? failureOf(models.load(anthropic, signal)) : undefined,
    vscode.workspace.isTrusted ? failureOf(models.load(own, signal)) : undefined,
  ]);
  return failures.find((failure) => failure !== undefined);
}

async function failureOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return errorSentence(isAppError(error) ? error : chatError('chat.unexpected'));
  }
}

function itemsOf(options: ModelPickOptions, typed: string, problem: string | undefined): readonly ModelItem[] {
  const { answering, models, anthropic, vscode: own } = options;
  const hasKey = answering.hasKey;
  const fromKey = hasKey ? models.infos(anthropic) : [];
  const fromVscode = models.infos(own);
  return [
    ...(hasKey ? [separator(endpointName(anthropic))] : []),
    ...(problem === undefined ? [] : [{ label: `$(warning) ${nativeText(problem, 160)}`, alwaysShow: true }]),
    ...fromKey.map((info) => modelItem(options, info, 'anthropic')),
    ...typedItems(options, typed),
    ...(fromVscode.length > 0 ? [separator(vscode.l10n.t('VS Code’s models'))] : []),
    ...fromVscode.map((info) => modelItem(options, info, 'vscode')),
    separator(vscode.l10n.t('More')),
    ...moreItems(options, fromVscode.length > 0),
  ];
}

function endpointName(anthropic: ModelProvider): string {
  try {
    return new URL(anthropic.destination() ?? '').host;
  } catch {
    return 'Anthropic';
  }
}

function separator(label: string): ModelItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function modelItem({ answering, settings }: ModelPickOptions, { id, label }: ModelInfo, kind: 'anthropic' | 'vscode'): ModelItem {
  const isNow = answering.kind === kind && answering.label === label;
  return {
    label: nativeText(label),
    description: label === id ? '' : nativeText(id),
    ...(isNow ? { iconPath: new vscode.ThemeIcon('check') } : { iconPath: new vscode.ThemeIcon('blank') }),
    run: () => choose(settings, answering, kind, id),
  };
}

/** Stores the chosen model and, where another provider would answer, the provider. */
async function choose(settings: SettingsReader, answering: AnsweringModel, kind: 'anthropic' | 'vscode', model: string): Promise<void> {
  await settings.write('duplex.chat.model', model);
  if (answering.kind !== kind) {
    await settings.write('duplex.chat.provider', kind);
  }
}

function typedItems({ answering, models, anthropic, vscode: own, settings }: ModelPickOptions, typed: string): ModelItem[] {
  const known = [...models.infos(anthropic), ...models.infos(own)];
  if (typed === '' || !answering.hasKey || known.some(({ id, label }) => id === typed || label === typed)) {
    return [];
  }
  return [
    {
      label: vscode.l10n.t('Use “{0}”', nativeText(typed)),
      description: vscode.l10n.t('as typed'),
      iconPath: new vscode.ThemeIcon('edit'),
      alwaysShow: true,
      typed,
      run: () => choose(settings, answering, 'anthropic', typed),
    },
  ];
}

function moreItems(options: ModelPickOptions, hasVscodeModels: boolean): ModelItem[] {
  const { answering, settings, setKey, useEndpoint, useVscodeModels } = options;
  const isThinking = settings.get('duplex.chat.thinking');
  const item = (label: string, icon: string, run: () => Promise<unknown>, description = ''): ModelItem => ({
    label,
    description,
    iconPath: new vscode.ThemeIcon(icon),
    run,
  });
  return [
    ...(answering.kind === 'anthropic'
      ? [
          item(
            vscode.l10n.t('Think before answering'),
            'lightbulb',
            () => settings.write('duplex.chat.thinking', !isThinking),
            isThinking ? vscode.l10n.t('on: choose to turn it off') : vscode.l10n.t('off: choose to turn it on'),
          ),
        ]
      : []),
    ...(answering.hasKey
      ? []
      : [
          item(
            vscode.l10n.t('Add an Anthropic key…'),
            'key',
            async () => (await setKey()) && settings.write('duplex.chat.provider', 'auto'),
          ),
        ]),
    ...(hasVscodeModels ? [] : [item(vscode.l10n.t('Use VS Code’s models…'), 'vscode', useVscodeModels)]),
    item(vscode.l10n.t('Use another endpoint…'), 'server-environment', useEndpoint),
    ...(answering.kind === 'offline'
      ? []
      : [
          item(vscode.l10n.t('Offline guide'), 'book', () => settings.write('duplex.chat.provider', 'offline'), vscode.l10n.t('not an AI')),
        ]),
  ];
}
