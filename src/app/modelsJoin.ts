import * as vscode from 'vscode';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { AnsweringModel } from '../chat/models/answeringModel.ts';
import { KnownModels, vscodeModelName } from '../chat/models/knownModels.ts';
import type { ModelProvider } from '../chat/models/modelProvider.ts';
import { readBaseUrl } from '../chat/models/anthropicClient.ts';
import { LateCountingProvider, LateProvider } from '../chat/models/lateProvider.ts';
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

/** Who can answer, and who does. */
export interface ModelsJoin {
  readonly answering: AnsweringModel;
  readonly models: KnownModels;
  readonly anthropic: ModelProvider;
  readonly vscode: ModelProvider;
  readonly editorModels: LanguageModels;
  /** In the background, and again when the window becomes trusted: other extensions may take their time. Never rejects. */
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
  const anthropic = new LateCountingProvider({
    kind: 'anthropic',
    isAi: true,
    destination: () => readBaseUrl(baseUrl()),
    load: async () => {
      const { AnthropicProvider } = await import('../chat/models/anthropic.ts');
      return new AnthropicProvider({ apiKey: (address) => keys.get(address), baseUrl });
    },
  });
  const own = new VscodeProvider(editorModels);
  const names = new ModelNames(memory);
  const models = new KnownModels(names);
  const answering = new AnsweringModel({
    anthropic,
    guide: new LateProvider({
      kind: 'offline',
      isAi: false,
      destination: () => undefined,
      load: async () => {
        const { OfflineGuide } = await import('../chat/models/offlineGuide.ts');
        return new OfflineGuide({ texts: guideTexts() });
      },
    }),
    vscode: own,
    vscodeModels: () => editorModels.known().map((model) => ({ id: vscodeModelName(model), label: model.label })),
    readKey: () => {
      const address = toBaseUrl(baseUrl());
      // Who sends to what is no address is told so, and not answered by the guide.
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
      await editorModels.list().catch(report);
    }
  };
  lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void loadEditorModels()));
  return { answering, models, anthropic, vscode: own, editorModels, loadEditorModels };
}
