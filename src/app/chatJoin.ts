import * as path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../base/clock.ts';
import { isAppError, sentencesOf } from '../base/errors.ts';
import { type Disposable, DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { type SharedFolder, SharedFolderInMemory } from '../base/sharedStorage.ts';
import { ChatApps, type ChatAppsOptions } from '../chat/apps/chatApps.ts';
import type { ChatBudget } from '../chat/budget/chatBudget.ts';
import { type ChatPlace, ChatPlaces, type ChatPlacesOptions, type PlacePorts } from '../chat/places/chatPlaces.ts';
import { ChatSession } from '../chat/turn/chatSession.ts';
import type { ChatSessionOptions } from '../chat/turn/sessionOptions.ts';
import type { ChatContext } from '../chat/context/chatContext.ts';
import { WaitingAttachments } from '../chat/places/waitingAttachments.ts';
import { readBaseUrl } from '../chat/models/anthropicClient.ts';
import { createSamplingModel } from '../chat/sampling/samplingModel.ts';
import { resultsOfServer } from '../chat/sampling/serverResults.ts';
import { chatSentenceTable } from '../chat/conversation/chatSentences.ts';
import { ConversationKeeper } from '../chat/store/conversationKeeper.ts';
import { ConversationShelf } from '../chat/store/conversationShelf.ts';
import { storeLimits } from '../chat/store/storeLimits.ts';
import { TurnEdits } from '../chat/turn/turnEdits.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import type { ToolChange } from '../contract/chat/contextBudget.ts';
import type { SamplingModel } from '../contract/chat/samplingModel.ts';
import { undoEdits } from '../editor/acting/changes/undoEdits.ts';
import type { ApiKeyStore } from '../editor/storage/apiKeyStore.ts';
import type { LastTextEditor } from '../editor/documents/lastTextEditor.ts';
import { keptResultsBeside } from '../editor/storage/keptResultFiles.ts';
import { type SettingsReader, workspaceKey } from '../editor/settingsReader.ts';
import type { ContentReader } from '../host/resources/contentReader.ts';
import type { FeaturePorts } from '../host/features/handlerContext.ts';
import type { KnownSecrets } from '../definitions/knownSecrets.ts';
import type { ServerLogs } from '../editor/logs/serverLogs.ts';
import { lastErrorLines } from '../host/reports/logDiagnosis.ts';
import { withoutSecrets } from '../secrets/redactSecrets.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import type { ToolCaller } from '../host/tools/toolCaller.ts';
import { folderNameOf, SharedFolderOnDisk } from '../platform/files/sharedFolderOnDisk.ts';
import { tellOfGone } from '../views/chat/chatAttachments.ts';
import { attachedFor, chatStatus } from '../views/chat/chatStatus.ts';
import { tellOfStore } from '../views/chat/conversationsPage.ts';
import { type ErrorReporter, say } from '../views/errorReporter.ts';
import { openExternalLink } from '../views/native/externalLink.ts';
import { saveBytes } from '../views/pages/saveExport.ts';
import type { TrafficTap } from '../traffic/trafficTap.ts';
import { AppsJoin } from './appsJoin.ts';
import { type ChatContextJoinOptions, joinChatBudget, joinChatContent, joinChatContext, joinChatTools } from './chatPartsJoin.ts';
import type { DraftMemory } from '../views/chat/chatPage.ts';
import { UndrawnConversations } from '../views/chat/undrawnConversations.ts';
import type { HostJoin } from './hostJoin.ts';
import { joinModels, type ModelsJoin } from './modelsJoin.ts';
import type { ServerJoin } from './serverJoin.ts';

export interface OpenChatOptions extends Pick<ChatJoinOptions, 'gate' | 'keys' | 'settings' | 'storageFolder' | 'neverShown' | 'log'> {
  readonly server: ServerJoin;
  readonly host: HostJoin;
  readonly lastTextEditor: LastTextEditor;
  readonly logs: Pick<ServerLogs, 'linesOf' | 'logFor'>;
  readonly version: string;
  readonly traffic: TrafficTap;
  readonly extensionUri: vscode.Uri;
  /** The values of each server that are known to be secret. */
  readonly known: Pick<KnownSecrets, 'of'>;
  readonly memory: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  readonly reporter: ErrorReporter;
}

/** Joins the chat to the window. This file and all that only the chat needs are loaded when the chat is first wanted. */
export async function openChat(options: OpenChatOptions, lifetime: DisposableStore): Promise<ChatJoin> {
  const { server, host, lastTextEditor, neverShown } = options;
  const { registry, caller, reader } = host;
  const conversations = await openConversations(options, lifetime);
  const context = (made: Pick<ChatContextJoinOptions, 'content' | 'tools'>): ChatContext =>
    joinChatContext({ ...made, registry, editor: () => server.editor(), lastTextEditor, neverShown });
  // Secrets are removed before a line is cut, because half of one would not be recognised.
  const lastWordsOf = (id: string): readonly string[] =>
    lastErrorLines(options.logs.linesOf(registry.labelOf(id)).map((line) => withoutSecrets(line, options.known.of(id))));
  const apps = new AppsJoin({
    ...{ registry, caller, reader, gate: options.gate, version: options.version, locale: vscode.env.language, openLink: openExternalLink },
    platform: vscode.env.uiKind === vscode.UIKind.Desktop ? 'desktop' : 'web',
    log: (label, line) => options.logs.logFor(label).info(`app: ${line}`),
    saveFile: saveBytes,
    ...{ extensionUri: options.extensionUri, tabLog: options.log, report: (error: unknown) => options.reporter.report(error) },
    traffic: options.traffic,
  });
  return new ChatJoin({ ...options, conversations, registry, caller, reader, context, lastWordsOf, apps });
}

const attachedKey = 'duplex.attached';
const undrawnKey = 'duplex.undrawnConversations';
const draftKey = 'duplex.chat.draft';

interface ChatJoinOptions {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly reader: ContentReader;
  readonly gate: ConsentGate;
  readonly keys: ApiKeyStore;
  readonly settings: SettingsReader;
  readonly conversations: ConversationsJoin;
  /** The folder in which long results are kept. */
  readonly storageFolder: string;
  readonly workspaceState: vscode.Memento;
  /** Storage that all windows of this person share. */
  readonly memory: vscode.Memento;
  readonly log: Log;
  /** What a server last wrote to its error output, without secrets. */
  readonly lastWordsOf: (serverId: string) => readonly string[];
  /** Folders with the editor's own data, which no model is shown. */
  readonly neverShown: readonly string[];
  readonly context: (made: Pick<ChatContextJoinOptions, 'content' | 'tools'>) => ChatContext;
  readonly apps: AppsJoin;
  readonly reporter: ErrorReporter;
}

/** How long an endpoint may take to list its models when nobody waits for them. */
const maxListMs = 20_000;

/** Joins the chats of this window to the models, the host's tools and the settings. */
export class ChatJoin implements Disposable {
  readonly places: ChatPlaces;
  readonly models: ModelsJoin;
  readonly #lifetime = new DisposableStore();
  readonly #settings: SettingsReader;
  readonly #log: Log;
  readonly #budget: ChatBudget;
  readonly #waiting: WaitingAttachments;
  /** The models that servers may borrow: those of the provider that answers in the chat. */
  readonly samplingModel: SamplingModel;
  readonly apps: AppsJoin;
  readonly undrawn: UndrawnConversations;
  readonly sidebarDraft: DraftMemory;

  constructor(options: ChatJoinOptions) {
    this.apps = options.apps;
    const { registry, caller, reader, gate, settings, conversations } = options;
    this.#settings = settings;
    this.#log = options.log;
    const { workspaceState } = options;
    this.sidebarDraft = {
      get: () => workspaceState.get<string>(draftKey, ''),
      set: (text) => void workspaceState.update(draftKey, text === '' ? undefined : text),
    };
    this.undrawn = new UndrawnConversations({
      get: () => workspaceState.get<readonly string[]>(undrawnKey, []),
      set: (ids) => void workspaceState.update(undrawnKey, ids),
    });
    const attachedMemory = {
      get: () => workspaceState.get(attachedKey),
      set: (all: unknown) => void workspaceState.update(attachedKey, all),
    };
    this.#waiting = this.#lifetime.add(new WaitingAttachments({ memory: attachedMemory, tellOfGone, log: options.log }));
    this.models = joinModels(options, this.#lifetime);
    const { answering, models: knownModels } = this.models;
    const tools = joinChatTools(registry, caller, () => answering.asker, options.lastWordsOf, options.apps);
    const budget = this.#lifetime.add(joinChatBudget({ ...options, tools }));
    this.#budget = budget;
    const shared: SharedByPlaces = {
      tools,
      budget,
      edits: new TurnEdits({ kept: budget.results, undo: undoEdits }),
      content: joinChatContent(registry, reader, gate),
      untilModelKnown: (signal) => answering.whenKnown(signal),
    };
    const make = (ports: PlacePorts): ChatPlace => this.#makePlace(options, shared, ports);
    this.places = this.#lifetime.add(new ChatPlaces({ make, last: conversations.last }));
    this.#waiting.follow(this.places);
    this.samplingModel = createSamplingModel({
      provider: () => ({ ...answering.choose(), maxTokens: settings.get('duplex.chat.maxTokens') }),
      knownModels,
    });
    this.#lifetime.add(budget.onDidChange(() => this.#refresh()));
    const look = (): void => this.#look(options.log);
    look();
    this.#lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(look));
    this.#follow(options);
    const listModels = (): void => void this.models.loadEditorModels().then(() => this.#refresh());
    this.#lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(listModels));
    listModels();
  }

  /** Looks whether there is an API key: that decides which model answers. */
  async loadKey(): Promise<void> {
    await this.models.answering.loadKey();
    this.#refresh();
  }

  /**
   * Asks the endpoint for its models, once the person has given its key: that is their own act, and from then on the model that
   * answers has its name. Never rejects: without the list things go on as before.
   */
  async learnModels(): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      return;
    }
    try {
      await this.models.models.load(this.models.anthropic, AbortSignal.timeout(maxListMs));
      this.#refresh();
    } catch (error) {
      // What an endpoint answers may hold anything; its code says enough.
      this.#log.warn(`The models of the endpoint could not be listed (${isAppError(error) ? error.code : 'unexpected'}).`);
    }
  }

  /** The address that requests go to now. Throws an AppError when the setting is no address. */
  baseUrl(): string {
    return readBaseUrl(this.#settings.get('duplex.anthropic.baseUrl'));
  }

  /** The results of this server in the open conversations: all that it may be told of them. */
  resultsOf(serverId: string): ReturnType<FeaturePorts['resultsOf']> {
    const items = this.places.all().flatMap(({ session }) => session.conversation.items);
    return resultsOfServer(items, serverId);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #makePlace(
    { registry, settings, conversations, context: make, apps: port, reporter, log }: ChatJoinOptions,
    shared: SharedByPlaces,
    ports: PlacePorts,
  ): ChatPlace {
    const { answering, models: knownModels } = this.models;
    const lifetime = new DisposableStore();
    const sentences = sentencesOf(chatSentenceTable, say);
    const keeper = lifetime.add(conversations.keeper(ports));
    const choosable = {
      tools: () => session.room.pickable().tools,
      chooseTool: (change: ToolChange) => session.room.chooseTool(change),
    };
    const context = lifetime.add(make({ content: shared.content, tools: choosable }));
    const session: ChatSession = lifetime.add(
      new ChatSession({
        ...shared,
        takeAttached: () => context.take(),
        giveBackAttached: (attached, kept) => {
          context.giveBack(attached);
          this.#waiting.restore(context, kept);
        },
        settings: () => ({
          ...answering.choose(),
          maxTokens: settings.get('duplex.chat.maxTokens'),
          maxRounds: settings.get('duplex.chat.maxRounds'),
          thinking: settings.get('duplex.chat.thinking'),
        }),
        status: () => ({
          ...chatStatus(registry.servers(), answering),
          attached: attachedFor(context.state, answering.kind),
          ...(ports.isInEditor() && { isInEditor: true }),
        }),
        sentences,
        knownModels,
        claim: (conversation) => keeper.claim(conversation),
        heading: (conversation) => keeper.heading(conversation),
        isSeen: ports.isSeen,
        log,
      }),
    );
    keeper.attach(session);
    lifetime.add(session.onDidOpen(() => this.#look(log)));
    lifetime.add(context.onDidChange(() => session.refreshStatus()));
    lifetime.add(this.#waiting.keepOf({ session, context }));
    lifetime.add(context.onDidChangeSent((id) => session.conversation.markChanged(id)));
    lifetime.add(session.onDidSettle(() => session.refreshStatus())); // the provider's models may be known by then
    const apps = lifetime.add(joinApps({ session, port, sentences, report: (error) => reporter.report(error) }, context));
    return { session, context, keeper, apps, dispose: () => lifetime.dispose() };
  }

  /** Looks for the project's instructions. Done again when a conversation begins: the file may be new. */
  #look(log: Log): void {
    void this.#budget.lookForInstructions().catch((error: unknown) => log.error('The project’s instructions were not found.', error));
  }

  #refresh(): void {
    if (this.#lifetime.isDisposed) {
      return;
    }
    this.places.all().forEach(({ session }) => session.refreshStatus());
  }

  #follow({ registry, keys, settings, apps, log }: ChatJoinOptions): void {
    const refresh = (): void => this.#refresh();
    this.#lifetime.add(registry.onDidChange(refresh));
    this.#lifetime.add(apps.tools.onDidChange(refresh));
    const reload = (): void => void this.loadKey().catch((error: unknown) => log.error('The API key could not be read.', error));
    this.#lifetime.add(keys.onDidChange(reload));
    this.#lifetime.add(this.models.editorModels.onDidChange(refresh));
    this.#lifetime.add(vscode.workspace.onDidGrantWorkspaceTrust(reload));
    this.#lifetime.add(settings.onDidChange((affects) => (affects('duplex.chat.provider') || affects('duplex.chat.model')) && refresh()));
    this.#lifetime.add(settings.onDidChange((affects) => affects('duplex.anthropic.baseUrl') && reload()));
  }
}

function joinApps(
  options: Omit<ChatAppsOptions, 'tabs' | 'attach' | 'port' | 'clock'> & { readonly port: AppsJoin },
  context: ChatContext,
): ChatApps {
  return new ChatApps({
    ...options,
    tabs: options.port,
    clock: systemClock,
    attach: (partId, text, saidIn) => context.attachOfApp(`app ${partId}`, text, saidIn),
  });
}

type SharedByPlaces = Pick<ChatSessionOptions, 'tools' | 'budget' | 'edits' | 'content' | 'untilModelKnown'>;

export interface ConversationsJoinOptions {
  /** Where Duplex keeps what all windows share. */
  readonly storageFolder: string;
  /** Remembers which conversation this window showed last. */
  readonly workspaceState: vscode.Memento;
  readonly reporter: ErrorReporter;
  readonly log: Log;
}

const lastKey = 'duplex.lastConversation';

/** Gives each chat of the window its keeper of conversations. */
interface ConversationsJoin extends Pick<ChatPlacesOptions, 'last'> {
  keeper(ports: Pick<PlacePorts, 'last' | 'elsewhere'>): ConversationKeeper;
}

/** Joins the conversations of this workspace to the files that all windows share. */
async function openConversations(options: ConversationsJoinOptions, lifetime: DisposableStore): Promise<ConversationsJoin> {
  const { storageFolder, workspaceState, reporter, log } = options;
  const folder = folderNameOf(workspaceKey());
  const files = await openFiles(options, folder, lifetime);
  const last = {
    get: () => workspaceState.get<string>(lastKey),
    set: (id: string) => void workspaceState.update(lastKey, id),
  };
  const shelf = new ConversationShelf(files, folder, storeLimits, systemClock, keptResultsBeside(storageFolder, log));
  const tell = (notice: Parameters<typeof tellOfStore>[0]): void => tellOfStore(notice, reporter);
  const common = { shelf, limits: storeLimits, clock: systemClock, tell, log };
  return { last, keeper: (ports) => new ConversationKeeper({ ...common, ...ports }) };
}

/** Opens the folder of the conversations. Where that fails they are kept in memory, until the window closes. */
async function openFiles(
  { storageFolder, reporter, log }: ConversationsJoinOptions,
  folder: string,
  lifetime: DisposableStore,
): Promise<SharedFolder> {
  try {
    return lifetime.add(await SharedFolderOnDisk.open(path.join(storageFolder, 'conversations'), folder, log));
  } catch (error) {
    tellOfStore({ kind: 'notStored', error }, reporter);
    return new SharedFolderInMemory();
  }
}
