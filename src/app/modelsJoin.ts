import * as vscode from 'vscode';
import { Late, lateMethods } from '../base/late.ts';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { AnsweringModel } from '../chat/models/answeringModel.ts';
import { KnownModels, vscodeModelName } from '../chat/models/knownModels.ts';
import type { ModelProvider } from '../chat/models/modelProvider.ts';
import { readBaseUrl } from '../chat/models/anthropicClient.ts';
import { lateProvider } from '../chat/models/lateProvider.ts';
import { VscodeProvider } from '../chat/models/vscodeModels.ts';
import { toBaseUrl } from '../contract/modelEndpoint.ts';
import type { ApiKeyStore } from '../editor/storage/apiKeyStore.ts';
import { LanguageModels, ModelNames } from '../editor/languageModels.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import { guideTexts } from '../views/chat/chatStatus.ts';
import { modelJustification } from '../views/models/modelProviders.ts';

export interface ModelsJoinOptions {
  readonly keys: ApiKeyStore;
  readonly settings: SettingsReader;
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** The providers of models that can answer, and the one that does. */
export interface ModelsJoin {
  readonly answering: AnsweringModel;
  readonly models: KnownModels;
  readonly anthropic: ModelProvider;
  readonly vscode: ModelProvider;
  readonly editorModels: LanguageModels;
  /**
   * Lists VS Code's models. Done in the background, because other extensions may take long. Resolves when it is done, or when nobody
   * waits for it any more; never rejects.
   */
  loadEditorModels(): Promise<void>;
}

export function joinModels({ keys, settings, memory, log }: ModelsJoinOptions, lifetime: DisposableStore): ModelsJoin {
  const report = (error: unknown): void => log.error('The language models of VS Code could not be listed.', error);
  const editorModels = lifetime.add(
    new LanguageModels({
      justification: modelJustification(),
      report,
    }),
  );
  const baseUrl = (): string => settings.get('duplex.anthropic.baseUrl');
  const loadedAnthropic = new Late(async () => {
    const { AnthropicProvider } = await import('../chat/models/anthropic.ts');
    return new AnthropicProvider({ apiKey: (address) => keys.get(address), baseUrl });
  });
  const anthropic = {
    ...lateProvider(loadedAnthropic, { kind: 'anthropic', isAi: true, destination: () => readBaseUrl(baseUrl()) }),
    ...lateMethods(loadedAnthropic, ['countTokens']),
  };
  const loadedGuide = new Late(async () => {
    const { OfflineGuide } = await import('../chat/models/offlineGuide.ts');
    return new OfflineGuide({ texts: guideTexts() });
  });
  const own = new VscodeProvider(editorModels);
  const names = new ModelNames(memory);
  const models = new KnownModels(names);
  const answering = new AnsweringModel({
    anthropic,
    guide: lateProvider(loadedGuide, { kind: 'offline', isAi: false, destination: () => undefined }),
    vscode: own,
    vscodeModels: () => editorModels.known().map((model) => ({ id: vscodeModelName(model), label: model.label })),
    readKey: () => {
      const address = toBaseUrl(baseUrl());
      // A setting that is no address counts as a key: then the person is told about it, instead of being answered by the guide.
      return address === undefined ? Promise.resolve(true) : keys.get(address);
    },
    labelOf: (provider, model) => models.label(provider, model),
    wishes: () => ({
      setting: settings.get('duplex.chat.provider'),
      model: settings.get('duplex.chat.model'),
      isTrusted: vscode.workspace.isTrusted,
    }),
  });
  const loadEditorModels = async (): Promise<void> => {
    if (vscode.workspace.isTrusted) {
      await answering.expectModels(editorModels.list().then(() => undefined, report));
    }
  };
  return { answering, models, anthropic, vscode: own, editorModels, loadEditorModels };
}
