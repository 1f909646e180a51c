// chat/: the conversation with a model: its items and turns (conversation.ts), the loop of requests and tool calls
// (agentLoop.ts), and the models behind one interface (modelProvider.ts, models/). Tools, with their own consent, come in
// through a port (chatTools.ts); what is shown goes out as messages. This file is the chat of one view.
import { toAppError } from '../base/errors.ts';
import { Emitter } from '../base/events.ts';
import type { JsonObject } from '../base/json.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import { silentLog, type Log } from '../base/log.ts';
import { OpenQuestions } from '../consent/openQuestions.ts';
import type { AnswerFeedback } from '../contract/chat/acting.ts';
import type { chatToView } from '../contract/chatMessages.ts';
import type { ConversationHeading } from '../contract/chat/conversations.ts';
import type { PickableTool, ToolChange } from '../contract/chat/toolChoice.ts';
import type { ChatState } from '../contract/chatState.ts';
import { editorServerName } from '../contract/identity.ts';
import type { MessageOf } from '../contract/messageLink.ts';
import type { PersonAnswer } from '../contract/questions/answers.ts';
import { heardBy, unheardBy } from './audience.ts';
import { runTurn, type TurnEnd } from './agentLoop.ts';
import type { Answering, ChatBudget } from './budget/chatBudget.ts';
import { canCompact, compactConversation, undoCompaction } from './budget/compactor.ts';
import { chatError, chatSentencesInEnglish, toChatError, type ChatSentences } from './chatSentences.ts';
import type { ChatTools } from './chatTools.ts';
import type { ChatContent } from './content/chatContent.ts';
import type { AttachedItem } from './context/attachToTurn.ts';
import { Conversation, type ConversationChange } from './conversation.ts';
import { settlePart } from './conversationFile.ts';
import { FirstModels } from './firstModels.ts';
import { goOn } from './goOn.ts';
import { enqueue, takeNext } from './messageQueue.ts';
import type { ModelProvider } from './modelProvider.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { Claims, type ClaimConversation } from './store/claims.ts';
import { ToolRun } from './toolRun.ts';
import { without } from './without.ts';

/** What a view is sent, in the contract's own words: forward it as it is. */
export type ChatViewMessage = Extract<MessageOf<typeof chatToView>, { name: 'chat/state' | 'chat/item' | 'chat/text' | 'chat/status' }>;

export interface ChatSettings {
  readonly provider: ModelProvider;
  /** '' stands for the provider's first. */
  readonly model: string;
  readonly maxTokens: number;
  readonly maxRounds: number;
  /** `duplex.chat.thinking`. */
  readonly thinking?: boolean;
}

export interface ChatSessionOptions {
  readonly tools: ChatTools;
  readonly content: ChatContent;
  /** Read at the start of every turn. */
  readonly settings: () => ChatSettings;
  /** The rest of the view's state. Call `refreshStatus` when it changes. */
  readonly status: () => Pick<ChatState, 'provider' | 'isFirstRun' | 'tools' | 'suggestions' | 'attached'>;
  /** Hands over what is attached to the message being written, which then has nothing attached any more. */
  readonly takeAttached?: (() => readonly AttachedItem[]) | undefined;
  readonly conversation?: Conversation;
  /** Before a conversation is added to: nobody else may at the same time. Throws when somebody does. */
  readonly claim?: ClaimConversation;
  /** What is said above the conversation. */
  readonly heading?: (conversation: Conversation) => ConversationHeading;
  /** Shared with others who want to know the provider's models. */
  readonly firstModels?: FirstModels;
  readonly sentences?: ChatSentences;
  /** What goes into requests, and how much room there is. Without it: everything, uncounted. */
  readonly budget?: ChatBudget;
  readonly clock?: Clock;
  readonly createId?: () => string;
  readonly log?: Log;
}

/** What a button of an answer runs. */
export type OwnTool = 'propose_edit' | 'run_terminal_command';

interface RunningTurn {
  readonly controller: AbortController;
  readonly finished: Promise<unknown>;
}

/** What is to be said after a turn without the person saying more: in a new conversation, if they want that. */
interface TurnSequel {
  readonly next: string | undefined;
  readonly attached?: readonly AttachedItem[] | undefined;
  readonly place: 'here' | 'elsewhere';
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
  /** When a turn has begun and when it has ended. */
  readonly onDidSettle = this.#settled.event;
  readonly #opened = new Emitter<Conversation>();
  readonly onDidOpen = this.#opened.event;
  readonly #retryNow = new Emitter<void>();
  #conversation: Conversation;
  #owned = new DisposableStore();
  #running: RunningTurn | undefined;
  readonly #claims: Claims;
  #forgotten = new AbortController();

  constructor(options: ChatSessionOptions) {
    this.#options = options;
    this.#claims = new Claims(options.claim);
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

  /**
   * Resolves when the answer is finished, stopped or failed (that is a state of the item, not a rejection). What is said while
   * another answer runs waits for its end; then this resolves at once. What is attached goes with what is sent next.
   */
  async send(text: string, given?: readonly AttachedItem[]): Promise<void> {
    if (this.isRunning || this.#claims.isWaiting) {
      demandWords(text);
      enqueue(this.#conversation, this.#createId(), text);
      this.#settled.fire(this.#conversation);
      return;
    }
    const attached = given ?? this.#options.takeAttached?.() ?? [];
    if (attached.length === 0) {
      demandWords(text);
    }
    const begin = (): string => this.#conversation.begin(text, this.#createId, attached).assistantItemId;
    await this.#claims.during(this.#conversation, () => this.#run(begin(), 'new'));
  }

  /**
   * A failed answer goes on from its last complete round; a paused one continues. Any other, and one that is not the last, is
   * written anew, and the old one is kept as another version.
   */
  async retry(itemId?: string): Promise<void> {
    this.#assertIdle();
    await this.#claims.during(this.#conversation, () => this.#retry(itemId));
  }

  async #retry(itemId: string | undefined): Promise<void> {
    const { lastTurn, turns } = this.#conversation;
    const turn = itemId === undefined ? lastTurn : turns.find(({ assistantItemId }) => assistantItemId === itemId);
    if (turn === undefined) {
      throw chatError('chat.nothingToRetry');
    }
    this.#forget();
    const item = this.#conversation.assistant(turn.assistantItemId);
    if (
      turn !== lastTurn ||
      (item.parts.length > 0 && item.state !== 'failed' && item.state !== 'interrupted' && item.error?.action !== 'continue')
    ) {
      const again = this.#conversation.beginInstead(turn, this.#conversation.userText(item.id) ?? '', this.#createId);
      await this.#run(again.assistantItemId, 'again');
      return;
    }
    goOn(this.#conversation, turn, item);
    await this.#run(item.id, 'again');
  }

  /** Says it differently: the answer that runs ends, and what came of the old words is kept as another version. */
  async edit(itemId: string, text: string): Promise<void> {
    demandWords(text);
    await this.stop();
    await this.#claims.during(this.#conversation, () => this.#edit(itemId, text));
  }

  async #edit(itemId: string, text: string): Promise<void> {
    const turn = this.#conversation.turns.find(({ userItemId }) => userItemId === itemId);
    if (turn === undefined) {
      throw chatError('chat.messageGone');
    }
    this.#forget();
    const next = this.#conversation.beginInstead(turn, text, this.#createId);
    await this.#run(next.assistantItemId, 'new');
  }

  /**
   * Runs a tool of the editor for the person, who pressed a button of an answer: asked about like any other call, and shown as a
   * card of that answer. No model is told.
   */
  async runOwn(itemId: string, tool: OwnTool, args: JsonObject): Promise<void> {
    const conversation = this.#conversation;
    conversation.assistant(itemId); // rejects for one that is not shown any more
    const offered = this.#options.tools.list().find((each) => each.server === editorServerName && each.tool === tool);
    if (offered === undefined) {
      throw chatError('chat.toolGone', { name: tool });
    }
    const use = { kind: 'toolUse', id: this.#createId(), name: offered.name, input: args } as const;
    await new ToolRun(use, offered, {
      conversation,
      itemId,
      tools: this.#options.tools,
      questions: this.questions,
      sentences: this.#sentences,
      clock: this.#clock,
      createId: this.#createId,
      signal: this.#forgotten.signal,
      forgotten: this.#forgotten.signal,
      to: { kind: 'guide' }, // the result stays in this window
    }).run(true);
    this.#settled.fire(conversation);
  }

  /** Another version of a message, and all that came of it. */
  showVersion(itemId: string, index: number): void {
    this.#assertIdle();
    this.#forget();
    if (this.#conversation.showVersion(itemId, index)) {
      this.#settled.fire(this.#conversation);
    }
  }

  /** Kept with the conversation, and told to nobody. */
  rate(itemId: string, feedback: AnswerFeedback | undefined): void {
    this.#conversation.updateAssistant(itemId, (item) => (feedback === undefined ? without(item, 'feedback') : { ...item, feedback }));
    this.#settled.fire(this.#conversation);
  }

  /** The person has them back, or does not want them. */
  unqueue(ids: readonly string[]): void {
    this.#conversation.queue = this.#conversation.queue.filter(({ id }) => !ids.includes(id));
    this.#settled.fire(this.#conversation);
  }

  /** Ends a wait that the provider asked for; nothing happens when it did not. */
  retryNow(): void {
    this.#retryNow.fire();
  }

  /** Ends the running answer with its calls and questions; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#running?.controller.abort();
    await this.#running?.finished;
  }

  /** Lets a summary stand for all that was said so far. */
  async compact(): Promise<void> {
    this.#assertIdle();
    const turn = this.#conversation.lastTurn;
    if (turn === undefined || !canCompact(this.#conversation.turns)) {
      throw chatError('chat.nothingToCompact');
    }
    await this.#claims.during(this.#conversation, async () => {
      const controller = new AbortController();
      const finished = this.#compactAt(turn.assistantItemId, controller.signal).finally(() => this.#rest());
      this.#running = { controller, finished: finished.catch(() => undefined) };
      this.refreshStatus();
      await finished;
    });
  }

  /** Takes a summary back. False when there is no such one. */
  undoCompaction(id: string): boolean {
    this.#assertIdle();
    const isDone = undoCompaction(this.#conversation, id);
    this.refreshStatus();
    this.#settled.fire(this.#conversation);
    return isDone;
  }

  /** The whole of a result that was kept; rejects when it is no longer there. */
  async wholeResult(id: string): Promise<string> {
    const text = await this.#options.budget?.results.whole(this.#conversation.id, id);
    if (text === undefined) {
      throw chatError('chat.resultGone');
    }
    return text;
  }

  pickableTools(): PickableTool[] {
    return this.#options.budget?.pickable(this.#conversation, this.#answering()) ?? [];
  }

  async chooseTool(change: ToolChange): Promise<void> {
    await this.#options.budget?.choose(change);
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
    this.#opened.fire(conversation);
    this.#messages.fire({ name: 'chat/state', body: this.state() });
  }

  dispose(): void {
    this.#running?.controller.abort();
    this.#forgotten.abort();
    this.questions.dispose();
    this.#owned.dispose();
    this.#messages.dispose();
    this.#settled.dispose();
    this.#opened.dispose();
    this.#retryNow.dispose();
  }

  #forget(): void {
    this.#forgotten.abort();
    this.#forgotten = new AbortController();
  }

  #adopt(conversation: Conversation): Conversation {
    this.#owned.add(conversation);
    this.#owned.add(conversation.onDidChange((change) => this.#messages.fire(this.#toMessage(conversation.id, change))));
    return conversation;
  }

  #status(): Omit<ChatState, 'items'> {
    const { id, queue } = this.#conversation;
    const waiting = queue.length > 0 && { queue: [...queue] };
    const heading = this.#options.heading?.(this.#conversation);
    return {
      conversationId: id,
      ...(heading !== undefined && { heading }),
      isRunning: this.isRunning,
      ...waiting,
      ...this.#options.status(),
      ...this.#counted(),
    };
  }

  #counted(): Pick<ChatState, 'context'> {
    const { budget } = this.#options;
    return budget === undefined ? {} : { context: budget.context(this.#conversation, this.#answering()) };
  }

  /** Who would answer now. */
  #answering(): Answering {
    const { provider, model } = this.#options.settings();
    return { provider, model: model === '' ? this.#firstModels.known(provider) : model };
  }

  async #compactAt(itemId: string, signal: AbortSignal): Promise<void> {
    const conversation = this.#conversation;
    const { provider, model, maxTokens } = this.#options.settings();
    const destination = provider.destination();
    if (destination !== undefined && unheardBy(conversation.turns, destination) !== undefined) {
      throw chatError('chat.compactionUnheard');
    }
    const chosen = model === '' ? await this.#firstModels.get(provider, signal) : model;
    const contextTokens = this.#options.budget?.limits.limitOf(provider, chosen);
    const [sentences, createId] = [this.#sentences, this.#createId];
    const options = { conversation, itemId, provider, destination, maxTokens, contextTokens, sentences, createId, signal };
    await compactConversation({ ...options, model: chosen, isWithinTurn: false, by: 'person' }).catch((error: unknown) => {
      if (!signal.aborted) {
        throw error;
      }
    });
  }

  /** What ran has ended. */
  #rest(): void {
    this.#running = undefined;
    this.refreshStatus();
    this.#settled.fire(this.#conversation);
  }

  #toMessage(conversationId: string, change: ConversationChange): ChatViewMessage {
    switch (change.kind) {
      case 'item':
        return { name: 'chat/item', body: { conversationId, item: change.item } };
      case 'text':
        return { name: 'chat/text', body: { conversationId, itemId: change.itemId, partId: change.partId, text: change.text } };
      case 'items':
        return { name: 'chat/state', body: this.state() };
      case 'queue':
        return { name: 'chat/status', body: this.#status() };
    }
  }

  #assertIdle(): void {
    if (this.#running !== undefined || this.#claims.isWaiting) {
      throw chatError('chat.busy');
    }
  }

  async #run(itemId: string, said: 'new' | 'again'): Promise<void> {
    const controller = new AbortController();
    const finished = this.#execute(itemId, said, controller.signal);
    this.#running = { controller, finished };
    this.refreshStatus();
    this.#settled.fire(this.#conversation);
    const { next, attached, place } = await finished;
    if (next !== undefined) {
      if (place === 'elsewhere') {
        await this.newConversation();
      }
      await this.send(next, attached);
    }
  }

  async #execute(itemId: string, said: 'new' | 'again', signal: AbortSignal): Promise<TurnSequel> {
    const conversation = this.#conversation;
    // Lets `isRunning` be set before anything of the turn happens.
    await Promise.resolve();
    const end = await this.#turn(conversation, itemId, said, signal);
    this.#log.info(`chat turn ended: ${end.kind}${'error' in end ? ` (${end.error.code})` : ''}`);
    this.#finish(conversation, itemId, end);
    const next = takeNext(conversation, end, signal);
    this.#running = undefined;
    if (next === undefined) {
      this.refreshStatus(); // else the view would take what is queued back
    }
    this.#settled.fire(conversation);
    return end.kind === 'moved'
      ? { next: conversation.userText(itemId), attached: conversation.attachedTo(itemId), place: 'elsewhere' }
      : { next, place: 'here' };
  }

  async #turn(conversation: Conversation, itemId: string, said: 'new' | 'again', signal: AbortSignal): Promise<TurnEnd> {
    try {
      const { provider, model, maxTokens, maxRounds, thinking } = this.#options.settings();
      const destination = provider.destination(model);
      if (said === 'new' && destination !== undefined) {
        conversation.updateTurn(itemId, (turn) => heardBy(turn, destination));
      }
      const { sentences, createId } = { sentences: this.#sentences, createId: this.#createId };
      const budget = this.#options.budget?.turn({ conversation, itemId, provider, destination, maxTokens, sentences, createId, signal });
      return await runTurn({
        conversation,
        itemId,
        budget,
        tools: budget?.tools ?? this.#options.tools,
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
        thinking,
        retryNow: this.#retryNow.event,
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

function demandWords(text: string): void {
  if (text.trim() === '') {
    throw chatError('chat.emptyMessage');
  }
}
