import * as vscode from 'vscode';
import { sentencesOf } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { ChatSession, type ChatSettings } from '../chat/chatSession.ts';
import { AnthropicProvider } from '../chat/models/anthropic.ts';
import { OfflineGuide } from '../chat/models/offlineGuide.ts';
import { chooseProvider } from '../chat/providerChoice.ts';
import type { ApiKeyStore } from '../editor/apiKeyStore.ts';
import type { SettingsReader } from '../editor/settingsReader.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import type { ToolCaller } from '../host/toolCaller.ts';
import { chatStatus } from '../views/chatStatus.ts';
import { chatSentences } from '../views/sentences/chatSentences.ts';
import { guideTexts } from '../views/sentences/guideTexts.ts';
import { joinChatTools } from './chatToolsJoin.ts';

export interface ChatJoinOptions {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly keys: ApiKeyStore;
  readonly settings: SettingsReader;
  readonly log: Log;
}

/** Joins the chat to the models, the host's tools and the settings. */
export class ChatJoin implements Disposable {
  readonly session: ChatSession;
  readonly #options: ChatJoinOptions;
  readonly #lifetime = new DisposableStore();
  readonly #anthropic: AnthropicProvider;
  readonly #guide: OfflineGuide;
  #hasKey = false;

  constructor(options: ChatJoinOptions) {
    this.#options = options;
    const { registry, caller, keys, settings, log } = options;
    this.#anthropic = new AnthropicProvider({ apiKey: () => keys.get(), baseUrl: () => settings.get('duplex.anthropic.baseUrl') });
    this.#guide = new OfflineGuide({ texts: sentencesOf(guideTexts(vscode.l10n.t)) });
    this.session = this.#lifetime.add(
      new ChatSession({
        tools: joinChatTools(registry, caller),
        settings: () => this.#settings(),
        status: () => chatStatus(registry.servers(), this.#providerKind(), settings.get('duplex.chat.model')),
        sentences: sentencesOf(chatSentences(vscode.l10n.t)),
        log,
      }),
    );
    const refresh = (): void => this.session.refreshStatus();
    this.#lifetime.add(registry.onDidChange(refresh));
    this.#lifetime.add(
      keys.onDidChange(() => void this.loadKey().catch((error: unknown) => log.error('The API key could not be read.', error))),
    );
    this.#lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(refresh));
    this.#lifetime.add(settings.onDidChange((affects) => (affects('duplex.chat.provider') || affects('duplex.chat.model')) && refresh()));
  }

  /** Whether there is a key decides who answers. */
  async loadKey(): Promise<void> {
    this.#hasKey = (await this.#options.keys.get()) !== undefined;
    this.session.refreshStatus();
  }

  /** The model that servers may borrow: the one that answers here. */
  samplingProvider(): Pick<ChatSettings, 'provider' | 'model'> {
    return this.#settings();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #providerKind(): 'anthropic' | 'offline' {
    const { kind } = chooseProvider({
      setting: this.#options.settings.get('duplex.chat.provider'),
      hasKey: this.#hasKey,
      hasVscodeModels: false,
      isTrusted: vscode.workspace.isTrusted,
    });
    return kind === 'anthropic' ? 'anthropic' : 'offline';
  }

  #settings(): ChatSettings {
    const { settings } = this.#options;
    const provider = this.#providerKind() === 'anthropic' ? this.#anthropic : this.#guide;
    return {
      provider,
      model: provider.kind === 'anthropic' ? settings.get('duplex.chat.model') : '',
      maxTokens: settings.get('duplex.chat.maxTokens'),
      maxRounds: settings.get('duplex.chat.maxRounds'),
    };
  }
}
