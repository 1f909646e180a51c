import * as vscode from 'vscode';
import { sentencesOf } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { AnsweringModel } from '../chat/answeringModel.ts';
import { ChatSession } from '../chat/chatSession.ts';
import { AnthropicProvider } from '../chat/models/anthropic.ts';
import { OfflineGuide } from '../chat/models/offlineGuide.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import type { ChatContent } from '../chat/content/chatContent.ts';
import type { ChatContext } from '../chat/context/chatContext.ts';
import { FirstModels } from '../chat/firstModels.ts';
import { resultsOfServer } from '../chat/serverResults.ts';
import type { SamplingModel } from '../contract/sampling.ts';
import { createSamplingModel } from '../chat/sampling.ts';
import type { FeaturePorts } from '../host/features/featurePorts.ts';
import type { ApiKeyStore } from '../editor/apiKeyStore.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import type { ContentReader } from '../host/contentReader.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import type { ToolCaller } from '../host/toolCaller.ts';
import { chatStatus } from '../views/chatStatus.ts';
import { chatSentences } from '../views/sentences/chatSentences.ts';
import { guideTexts } from '../views/sentences/guideTexts.ts';
import { joinChatContent } from './chatContentJoin.ts';
import { joinChatTools } from './chatToolsJoin.ts';

export interface ChatJoinOptions {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly reader: ContentReader;
  readonly gate: ConsentGate;
  readonly keys: ApiKeyStore;
  readonly settings: SettingsReader;
  readonly log: Log;
  readonly context: (content: ChatContent) => ChatContext;
}

/** Joins the chat to the models, the host's tools and the settings. */
export class ChatJoin implements Disposable {
  readonly session: ChatSession;
  /** What is attached to the message being written. */
  readonly context: ChatContext;
  readonly #lifetime = new DisposableStore();
  readonly #model: AnsweringModel;
  readonly #firstModels = new FirstModels();
  /** What servers may borrow: the models of the one that answers here. */
  readonly samplingModel: SamplingModel;

  constructor(options: ChatJoinOptions) {
    const { registry, caller, reader, gate, keys, settings, log } = options;
    this.#model = new AnsweringModel({
      anthropic: new AnthropicProvider({ apiKey: () => keys.get(), baseUrl: () => settings.get('duplex.anthropic.baseUrl') }),
      guide: new OfflineGuide({ texts: sentencesOf(guideTexts(vscode.l10n.t, () => vscode.workspace.isTrusted)) }),
      readKey: () => keys.get(),
      wishes: () => ({
        setting: settings.get('duplex.chat.provider'),
        model: settings.get('duplex.chat.model'),
        isTrusted: vscode.workspace.isTrusted,
      }),
    });
    const content = joinChatContent(registry, reader, gate);
    this.context = this.#lifetime.add(options.context(content));
    this.session = this.#lifetime.add(
      new ChatSession({
        tools: joinChatTools(registry, caller, () => this.#model.asker),
        content,
        takeAttached: () => this.context.take(),
        settings: () => ({
          ...this.#model.choose(),
          maxTokens: settings.get('duplex.chat.maxTokens'),
          maxRounds: settings.get('duplex.chat.maxRounds'),
        }),
        status: () => ({
          ...chatStatus(registry.servers(), this.#model.kind, settings.get('duplex.chat.model')),
          context: this.context.state,
        }),
        sentences: sentencesOf(chatSentences(vscode.l10n.t)),
        firstModels: this.#firstModels,
        log,
      }),
    );
    this.samplingModel = createSamplingModel({
      provider: () => ({ ...this.#model.choose(), maxTokens: settings.get('duplex.chat.maxTokens') }),
      firstModels: this.#firstModels,
    });
    const refresh = (): void => this.session.refreshStatus();
    this.#lifetime.add(registry.onDidChange(refresh));
    this.#lifetime.add(this.context.onDidChange(refresh));
    this.#lifetime.add(this.context.onDidChangeSent((id) => this.session.conversation.markChanged(id)));
    this.#lifetime.add(
      keys.onDidChange(() => void this.loadKey().catch((error: unknown) => log.error('The API key could not be read.', error))),
    );
    this.#lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(refresh));
    this.#lifetime.add(settings.onDidChange((affects) => (affects('duplex.chat.provider') || affects('duplex.chat.model')) && refresh()));
  }

  /** Whether there is a key decides who answers. */
  async loadKey(): Promise<void> {
    await this.#model.loadKey();
    this.session.refreshStatus();
  }

  /** What a server may be told of the conversation: its own results. */
  resultsOf(serverId: string): ReturnType<FeaturePorts['resultsOf']> {
    return resultsOfServer(this.session.conversation.items, serverId);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
