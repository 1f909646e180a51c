// chat/: the conversation with a model: its items and turns (conversation.ts), the loop of requests and tool calls
// (agentLoop.ts), and the models behind one interface (modelProvider.ts, models/). Tools, with their own consent, come in
// through a port (chatTools.ts); what is shown goes out as messages. This file is the chat of one view.
import { toAppError } from '../base/errors.ts';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { silentLog, type Log } from '../base/log.ts';
import { OpenQuestions } from '../consent/openQuestions.ts';
import type { chatToView } from '../contract/chatMessages.ts';
import type { AssistantItem, ChatState } from '../contract/chatState.ts';
import type { MessageOf } from '../contract/messageLink.ts';
import type { PersonAnswer } from '../contract/questions/answers.ts';
import { heardBy } from './audience.ts';
import { prepareToContinue, runTurn, type TurnEnd } from './agentLoop.ts';
import { chatError, chatSentencesInEnglish, toChatError, type ChatSentences } from './chatSentences.ts';
import type { ChatTools } from './chatTools.ts';
import type { ChatContent } from './content/chatContent.ts';
import type { AttachedItem } from './context/attachToTurn.ts';
import { Conversation, type ConversationChange } from './conversation.ts';
import { settlePart } from './conversationFile.ts';
import { FirstModels } from './firstModels.ts';
import type { ModelProvider } from './modelProvider.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { without } from './without.ts';

/** What a view is sent, in the contract's own words: forward it as it is. */
export type ChatViewMessage = Extract<MessageOf<typeof chatToView>, { name: 'chat/state' | 'chat/item' | 'chat/text' | 'chat/status' }>;

export interface ChatSettings {
  readonly provider: ModelProvider;
  /** '' stands for the provider's first. */
  readonly model: string;
  readonly maxTokens: number;
  readonly maxRounds: number;
}

export interface ChatSessionOptions {
  readonly tools: ChatTools;
  readonly content: ChatContent;
  /** Read at the start of every turn. */
  readonly settings: () => ChatSettings;
  /** The rest of the view's state. Call `refreshStatus` when it changes. */
  readonly status: () => Pick<ChatState, 'provider' | 'tools' | 'suggestions' | 'context'>;
  /** Hands over what is attached to the message being written, which then has nothing attached any more. */
  readonly takeAttached?: (() => readonly AttachedItem[]) | undefined;
  readonly conversation?: Conversation;
  /** Shared with others who want to know the provider's models. */
  readonly firstModels?: FirstModels;
  readonly sentences?: ChatSentences;
  readonly clock?: Clock;
  readonly createId?: () => string;
  readonly log?: Log;
}

interface MovedMessage {
  readonly text: string;
  readonly attached: readonly AttachedItem[];
}

interface RunningTurn {
  readonly controller: AbortController;
  readonly finished: Promise<unknown>;
}

/** The chat behind one view: at most one answer at a time, and every change as a message for the view. */
export class ChatSession implements Disposable {
  readonly #options: ChatSessionOptions;
  readonly #sentences: ChatSentences;
  readonly #clock: Clock;
  readonly #createId: () => string;
  readonly #log: Log;
  /** The cards of this chat that wait for the person. */
  readonly questions = new OpenQuestions();
  readonly #firstModels: FirstModels;
  readonly #messages = new Emitter<ChatViewMessage>();
  readonly #settled = new Emitter<Conversation>();
  readonly onMessage = this.#messages.event;
  /**
   * When a turn has begun and when it has ended: the moments at which `conversation.toJSON()` is worth saving. Nobody does so
   * yet: a conversation is gone with its window.
   */
  readonly onDidSettle = this.#settled.event;
  #conversation: Conversation;
  #owned = new DisposableStore();
  #running: RunningTurn | undefined;
  #forgotten = new AbortController();

  constructor(options: ChatSessionOptions) {
    this.#options = options;
    this.#firstModels = options.firstModels ?? new FirstModels();
    this.#sentences = options.sentences ?? chatSentencesInEnglish;
    this.#clock = options.clock ?? systemClock;
    this.#createId = options.createId ?? (() => crypto.randomUUID());
    this.#log = options.log ?? silentLog;
    this.#conversation = this.#adopt(options.conversation ?? new Conversation({ clock: this.#clock }));
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Everything, for a view that just opened. What waited to be streamed is sent first, so that nothing is shown twice. */
  state(): ChatState {
    return { ...this.#status(), items: [...this.#conversation.snapshot()] };
  }

  refreshStatus(): void {
    this.#messages.fire({ name: 'chat/status', body: this.#status() });
  }

  /** Resolves when the answer is finished, stopped or failed (that is a state of the item, not a rejection). */
  async send(text: string, given?: readonly AttachedItem[]): Promise<void> {
    this.#assertIdle();
    const attached = given ?? this.#options.takeAttached?.() ?? [];
    if (text.trim() === '' && attached.length === 0) {
      throw chatError('chat.emptyMessage');
    }
    const turn = this.#conversation.begin(text, this.#createId, attached);
    await this.#run(turn.assistantItemId, 'new');
  }

  /** A failed answer goes on from its last complete round; a paused one continues; any other is written anew. */
  async retry(): Promise<void> {
    this.#assertIdle();
    const turn = this.#conversation.lastTurn;
    if (turn === undefined) {
      throw chatError('chat.nothingToRetry');
    }
    this.#forget();
    const itemId = turn.assistantItemId;
    const item = this.#conversation.assistant(itemId);
    if (item.error?.action === 'continue') {
      this.#conversation.updateTurn(itemId, prepareToContinue);
      this.#reopen(itemId, item.parts);
    } else {
      const keep = item.state === 'failed' && !turn.isWithheld ? turn.safe : { messages: 1, parts: 0 };
      this.#conversation.updateTurn(itemId, (old) => ({
        ...old,
        messages: old.messages.slice(0, keep.messages),
        safe: keep,
        isWithheld: false,
      }));
      this.#reopen(itemId, item.parts.slice(0, keep.parts));
    }
    await this.#run(itemId, 'again');
  }

  /** Ends the running answer with its calls and questions; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#running?.controller.abort();
    await this.#running?.finished;
  }

  /** False when the question is not open here any more: nothing happens then. */
  answer(answer: PersonAnswer): boolean {
    return this.questions.answer(answer);
  }

  async newConversation(): Promise<void> {
    await this.open(new Conversation({ clock: this.#clock }));
  }

  /** Shows another conversation; the session disposes it in the end. */
  async open(conversation: Conversation): Promise<void> {
    await this.stop();
    this.#forget();
    this.#owned.dispose();
    this.#owned = new DisposableStore();
    this.#conversation = this.#adopt(conversation);
    this.#messages.fire({ name: 'chat/state', body: this.state() });
  }

  dispose(): void {
    this.#running?.controller.abort();
    this.questions.dispose();
    this.#owned.dispose();
    this.#messages.dispose();
    this.#settled.dispose();
  }

  #forget(): void {
    this.#forgotten.abort();
    this.#forgotten = new AbortController();
  }

  #adopt(conversation: Conversation): Conversation {
    this.#owned.add(conversation);
    this.#owned.add(conversation.onDidChange((change) => this.#messages.fire(toMessage(conversation.id, change))));
    return conversation;
  }

  #status(): Omit<ChatState, 'items'> {
    return { conversationId: this.#conversation.id, isRunning: this.isRunning, ...this.#options.status() };
  }

  #assertIdle(): void {
    if (this.#running !== undefined) {
      throw chatError('chat.busy');
    }
  }

  #reopen(itemId: string, parts: AssistantItem['parts']): void {
    this.#conversation.updateAssistant(itemId, (item) => without({ ...item, state: 'streaming', parts }, 'error'));
  }

  async #run(itemId: string, said: 'new' | 'again'): Promise<void> {
    const controller = new AbortController();
    const finished = this.#execute(itemId, said, controller.signal);
    this.#running = { controller, finished };
    this.refreshStatus();
    this.#settled.fire(this.#conversation);
    const moved = await finished;
    if (moved !== undefined) {
      await this.newConversation();
      await this.send(moved.text, moved.attached);
    }
  }

  /** Resolves to what is to be said in a new conversation instead, if the person wants that. */
  async #execute(itemId: string, said: 'new' | 'again', signal: AbortSignal): Promise<MovedMessage | undefined> {
    const conversation = this.#conversation;
    // Lets `isRunning` be set before anything of the turn happens.
    await Promise.resolve();
    const end = await this.#turn(conversation, itemId, said, signal);
    this.#log.info(`chat turn ended: ${end.kind}${'error' in end ? ` (${end.error.code})` : ''}`);
    this.#finish(conversation, itemId, end);
    this.#running = undefined;
    this.refreshStatus();
    this.#settled.fire(conversation);
    const text = conversation.userText(itemId);
    return end.kind === 'moved' && text !== undefined ? { text, attached: conversation.attachedTo(itemId) } : undefined;
  }

  async #turn(conversation: Conversation, itemId: string, said: 'new' | 'again', signal: AbortSignal): Promise<TurnEnd> {
    try {
      const { provider, model, maxTokens, maxRounds } = this.#options.settings();
      const destination = provider.destination();
      if (said === 'new' && destination !== undefined) {
        conversation.updateTurn(itemId, (turn) => heardBy(turn, destination));
      }
      return await runTurn({
        conversation,
        itemId,
        tools: this.#options.tools,
        content: this.#options.content,
        questions: this.questions,
        sentences: this.#sentences,
        clock: this.#clock,
        createId: this.#createId,
        signal,
        forgotten: this.#forgotten.signal,
        provider,
        destination,
        model: async (abort) => (model === '' ? this.#firstModels.get(provider, abort) : model),
        maxTokens,
        maxRounds,
      });
    } catch (error) {
      return { kind: 'failed', error: toAppError(error, 'chat.unexpected') };
    }
  }

  #finish(conversation: Conversation, itemId: string, end: TurnEnd): void {
    const error = 'error' in end ? { error: toChatError(end.error, this.#sentences) } : {};
    const state = end.kind === 'paused' || end.kind === 'moved' ? 'stopped' : end.kind === 'refused' ? 'failed' : end.kind;
    if (end.kind === 'refused') {
      conversation.updateTurn(itemId, (turn) => ({ ...turn, isWithheld: true }));
    }
    conversation.updateAssistant(itemId, (item) => ({
      ...item,
      ...error,
      state,
      parts: item.parts.map(settlePart),
    }));
  }
}

function toMessage(conversationId: string, change: ConversationChange): ChatViewMessage {
  return change.kind === 'item'
    ? { name: 'chat/item', body: { conversationId, item: change.item } }
    : { name: 'chat/text', body: { conversationId, itemId: change.itemId, partId: change.partId, text: change.text } };
}
