// turn/: how an answer comes about. The chat of one view (this file) begins a turn of the conversation; agentLoop.ts sends requests
// and runs tools (modelRound.ts, toolRun.ts) until the answer is there; answerEnd.ts says how it ended and how it goes on.
import { toAppError } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import { silentLog, type Log } from '../../base/log.ts';
import { OpenQuestions } from '../../consent/openQuestions.ts';
import type { MadeEdit } from '../../contract/chat/answerParts.ts';
import type { AnswerFeedback } from '../../contract/chat/messageActions.ts';
import type { ChatState } from '../../contract/chat/chatState.ts';
import type { PersonAnswer } from '../../contract/questions/questions.ts';
import { heardBy, isOnlyWords } from '../conversation/audience.ts';
import { runTurn } from './agentLoop.ts';
import { SessionRoom } from './sessionRoom.ts';
import { chatError, chatSentencesInEnglish, type ChatSentences } from '../conversation/chatSentences.ts';
import { type ChatSessionOptions, type ChatViewMessage, toViewMessage } from './sessionOptions.ts';
import { Conversation } from '../conversation/conversation.ts';
import { canGoOn, finishAnswer, goOn, type TurnEnd } from './answerEnd.ts';
import type { AttachedItem } from '../conversation/messageAttachments.ts';
import { KnownModels } from '../models/knownModels.ts';
import { Claims, demandWords, enqueue, takeNext, type TurnSequel, unqueue } from './messageQueue.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { type ButtonTool, RunningCalls, runOwnTool, type ToolRunContext } from './toolRun.ts';
import { without } from '../../base/without.ts';

interface RunningTurn {
  readonly controller: AbortController;
  readonly finished: Promise<unknown>;
}

/** The chat behind one view. It runs at most one answer at a time and fires a message for the view with every change. */
export class ChatSession implements Disposable {
  readonly #options: ChatSessionOptions;
  readonly #sentences: ChatSentences;
  readonly #clock: Clock;
  readonly #createId: () => string;
  readonly #log: Log;
  /** The questions of this chat that wait for the person. */
  readonly questions = new OpenQuestions();
  readonly calls = new RunningCalls();
  readonly #knownModels: KnownModels;
  /** What the person sees of, and does about, the room in the model's context. */
  readonly room: SessionRoom;
  readonly #messages = new Emitter<ChatViewMessage>();
  readonly #settled = new Emitter<Conversation>();
  readonly onMessage = this.#messages.event;
  /** Fired when a turn has begun, when it has ended and none follows at once, and when the conversation was changed in between. */
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
    this.#knownModels = options.knownModels ?? new KnownModels();
    this.#sentences = options.sentences ?? chatSentencesInEnglish;
    this.#clock = options.clock ?? systemClock;
    this.#createId = options.createId ?? (() => crypto.randomUUID());
    this.#log = options.log ?? silentLog;
    this.room = new SessionRoom({
      budget: options.budget,
      conversation: () => this.#conversation,
      untilModelKnown: options.untilModelKnown,
      settings: options.settings,
      knownModels: this.#knownModels,
      sentences: this.#sentences,
      createId: this.#createId,
      alone: (work) => this.#alone(work),
      isSeen: options.isSeen,
    });
    this.#conversation = this.#adopt(options.conversation ?? new Conversation({ clock: this.#clock }));
  }

  get conversation(): Conversation {
    return this.#conversation;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** The whole state, for a view that just opened. Text that waits to be streamed is sent first, so that no view shows it twice. */
  state(): ChatState {
    return { ...this.#status(), items: [...this.#conversation.snapshot()] };
  }

  refreshStatus(): void {
    this.#messages.fire({ name: 'chat/status', body: this.#status() });
  }

  /**
   * Sends a message and resolves when its answer is finished, stopped or failed (a failure is a state of the item, not a rejection).
   * While another answer runs, the message is queued and this resolves at once. `given` replaces what is attached to the message being
   * written. `onTaken` is called when the message is kept here, whatever becomes of the answer.
   */
  async send(text: string, given?: readonly AttachedItem[], onTaken?: () => void): Promise<void> {
    if (this.isRunning || this.#claims.isWaiting) {
      enqueue(this.#conversation, this.#createId(), text, () => given ?? this.#options.takeAttached?.() ?? []);
      onTaken?.();
      this.#settled.fire(this.#conversation);
      return;
    }
    await this.#claimed(() => this.#say(text, given, onTaken));
  }

  async #say(text: string, given: readonly AttachedItem[] | undefined, onTaken?: () => void): Promise<void> {
    // Attachments are taken only now, so that a message that cannot be sent keeps them.
    const attached = given ?? this.#options.takeAttached?.() ?? [];
    if (attached.length === 0) {
      demandWords(text);
    }
    const { assistantItemId } = this.#conversation.begin(text, this.#createId, attached);
    onTaken?.();
    await this.#run((signal) => this.#execute(assistantItemId, 'new', signal));
  }

  /** Runs work while no other window can add to the conversation. */
  #claimed(work: () => Promise<void>): Promise<void> {
    return this.#claims.duringShown(() => this.#conversation, work);
  }

  /**
   * Tries an answer again. A failed one goes on from its last complete round, a paused one continues. Any other, and any but the last,
   * is written anew, and the old one is kept as another version.
   */
  async retry(itemId?: string): Promise<void> {
    this.#assertIdle();
    await this.#claimed(() => this.#retry(itemId));
  }

  async #retry(itemId: string | undefined): Promise<void> {
    const { lastTurn, turns } = this.#conversation;
    const turn = itemId === undefined ? lastTurn : turns.find(({ assistantItemId }) => assistantItemId === itemId);
    if (turn === undefined) {
      throw chatError('chat.nothingToRetry');
    }
    this.#forget();
    const item = this.#conversation.assistant(turn.assistantItemId);
    if (turn !== lastTurn || !canGoOn(item)) {
      const again = this.#conversation.beginInstead(turn, this.#conversation.saidBefore(item.id)?.text ?? '', this.#createId);
      await this.#run((signal) => this.#execute(again.assistantItemId, 'again', signal));
      return;
    }
    goOn(this.#conversation, turn, item);
    await this.#run((signal) => this.#execute(item.id, 'again', signal));
  }

  /**
   * Changes a message of the person and answers it anew. A running answer ends, and what followed the old message is kept as another
   * version.
   */
  async edit(itemId: string, text: string, onTaken?: () => void): Promise<void> {
    demandWords(text);
    await this.stop();
    await this.#claimed(() => this.#edit(itemId, text, onTaken));
  }

  async #edit(itemId: string, text: string, onTaken?: () => void): Promise<void> {
    const turn = this.#conversation.turns.find(({ userItemId }) => userItemId === itemId);
    if (turn === undefined) {
      throw chatError('chat.messageGone');
    }
    this.#forget();
    const next = this.#conversation.beginInstead(turn, text, this.#createId);
    onTaken?.();
    await this.#run((signal) => this.#execute(next.assistantItemId, isOnlyWords(next) ? 'new' : 'again', signal));
  }

  /** Runs a tool for the person, who pressed a button of an answer. */
  async runOwn(itemId: string, tool: ButtonTool, args: JsonObject, told?: ToolRunContext['told']): Promise<void> {
    this.#assertHere();
    const conversation = this.#conversation;
    const { tools, edits } = this.#options;
    const forgotten = this.#forgotten.signal;
    const [questions, calls, sentences, clock, createId] = [this.questions, this.calls, this.#sentences, this.#clock, this.#createId];
    await runOwnTool({ conversation, itemId, tools, questions, calls, sentences, clock, createId, forgotten, edits, told }, tool, args);
    this.#settled.fire(conversation);
  }

  /** Takes back the changes of files that an answer made, as far as the files are still as it left them. */
  async undoEdits(itemId: string): Promise<void> {
    this.#assertHere();
    await this.#options.edits?.undo(this.#conversation, itemId);
    this.#settled.fire(this.#conversation);
  }

  /** The texts of a file before and after an answer changed it. */
  async findEdit(itemId: string, path: string): Promise<MadeEdit> {
    const edit = await this.#options.edits?.find(this.#conversation, itemId, path);
    if (edit === undefined) {
      throw chatError('chat.editGone');
    }
    return edit;
  }

  /** Shows another version of a message, with everything that followed it. */
  showVersion(itemId: string, index: number): void {
    this.#assertIdle();
    this.#assertHere();
    this.#forget();
    if (this.#conversation.showVersion(itemId, index)) {
      this.#settled.fire(this.#conversation);
    }
  }

  /** Stores what the person thinks of an answer. It is kept with the conversation and sent to nobody. */
  rate(itemId: string, feedback: AnswerFeedback | undefined): void {
    this.#assertHere();
    this.#conversation.updateAssistant(itemId, (item) => (feedback === undefined ? without(item, 'feedback') : { ...item, feedback }));
    this.#settled.fire(this.#conversation);
  }

  /** Removes waiting messages that the person takes back or does not want. */
  unqueue(ids: readonly string[]): void {
    this.#assertHere();
    const { attached, kept } = unqueue(this.#conversation, ids);
    this.#options.giveBackAttached?.(attached, kept);
    this.#settled.fire(this.#conversation);
  }

  /** Ends a pause that the provider asked for; does nothing when there is none. */
  retryNow(): void {
    this.#retryNow.fire();
  }

  /** Stops the running answer with its calls and questions; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#running?.controller.abort();
    await this.#running?.finished;
  }

  /** Answers an open question. False, with no effect, when the question is not open any more. */
  answer(answer: PersonAnswer): boolean {
    return this.questions.answer(answer);
  }

  async newConversation(): Promise<void> {
    await this.open(new Conversation({ clock: this.#clock }));
  }

  /** Shows another conversation, which this session disposes when it leaves it. */
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
    const now = { state: () => this.state(), status: () => this.#status() };
    this.#owned.add(conversation.onDidChange((change) => this.#messages.fire(toViewMessage(conversation.id, change, now))));
    return conversation;
  }

  #status(): Omit<ChatState, 'items'> {
    const { id, queue } = this.#conversation;
    const heading = this.#options.heading?.(this.#conversation);
    // Messages that wait in another window belong to that window, and cannot be taken back here.
    const waiting = queue.length > 0 && heading?.isAnsweredElsewhere !== true && { queue: [...queue] };
    return {
      conversationId: id,
      ...(heading !== undefined && { heading }),
      isRunning: this.isRunning,
      ...waiting,
      ...this.#options.status(),
      ...this.room.status(),
    };
  }

  /** Runs work that is no answer, such as making a summary. Nothing else runs meanwhile, and Stop ends it. */
  async #alone(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    this.#assertIdle();
    await this.#claimed(() => this.#run((signal) => this.#executeAlone(work, signal)));
  }

  async #executeAlone(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<TurnSequel> {
    try {
      await work(signal);
    } catch (error) {
      this.#settle(this.#conversation, { kind: 'stopped' }, signal);
      throw error;
    }
    return { next: this.#settle(this.#conversation, { kind: 'done' }, signal), place: 'here' };
  }

  #assertIdle(): void {
    if (this.#running !== undefined || this.#claims.isWaiting) {
      throw chatError('chat.busy');
    }
  }

  /** Throws while another window answers: what it writes would undo a change made here. */
  #assertHere(): void {
    if (this.#options.heading?.(this.#conversation).isAnsweredElsewhere === true) {
      throw chatError('chat.answeredElsewhere');
    }
  }

  async #run(execute: (signal: AbortSignal) => Promise<TurnSequel>): Promise<void> {
    const controller = new AbortController();
    const finished = execute(controller.signal);
    this.#running = { controller, finished: finished.catch(() => undefined) };
    this.refreshStatus();
    this.#settled.fire(this.#conversation);
    const { next, place } = await finished;
    if (next !== undefined) {
      if (place === 'elsewhere') {
        await this.newConversation();
      }
      await this.send(next.text, next.attached);
    }
  }

  async #execute(itemId: string, said: 'new' | 'again', signal: AbortSignal): Promise<TurnSequel> {
    const conversation = this.#conversation;
    // `isRunning` has to be set before anything of the turn happens.
    await Promise.resolve();
    const end = await this.#turn(conversation, itemId, said, signal);
    this.#log.info(`chat turn ended: ${end.kind}${'error' in end ? ` (${end.error.code})` : ''}`);
    finishAnswer(conversation, itemId, end, this.#sentences);
    const next = this.#settle(conversation, end, signal);
    return end.kind === 'moved' ? { next: conversation.saidBefore(itemId), place: 'elsewhere' } : { next, place: 'here' };
  }

  /** Ends what runs. Nobody is told where a message is next: it is sent at once, and a view that saw the chat idle would take back the queue. */
  #settle(conversation: Conversation, end: TurnEnd, signal: AbortSignal): TurnSequel['next'] {
    const next = takeNext(conversation, end, signal);
    this.#running = undefined;
    if (next === undefined) {
      this.refreshStatus();
      this.#settled.fire(conversation);
    }
    return next;
  }

  async #turn(conversation: Conversation, itemId: string, said: 'new' | 'again', signal: AbortSignal): Promise<TurnEnd> {
    try {
      await this.#options.untilModelKnown?.(signal);
      const { provider, model, maxTokens, maxRounds, thinking } = this.#options.settings();
      const destination = provider.destination(model);
      if (said === 'new' && destination !== undefined) {
        conversation.updateTurn(itemId, (turn) => heardBy(turn, destination));
      }
      const common = {
        conversation,
        itemId,
        content: this.#options.content,
        edits: this.#options.edits,
        questions: this.questions,
        calls: this.calls,
        sentences: this.#sentences,
        createId: this.#createId,
        signal,
        forgotten: this.#forgotten.signal,
        provider,
        destination,
        maxTokens,
      };
      const budget = this.#options.budget?.turn(common);
      const chosen = async (abort: AbortSignal): Promise<string> => (model === '' ? this.#knownModels.first(provider, abort) : model);
      const [tools, retryNow] = [budget?.tools ?? this.#options.tools, this.#retryNow.event];
      return await runTurn({ ...common, budget, tools, clock: this.#clock, model: chosen, maxRounds, thinking, retryNow });
    } catch (error) {
      return signal.aborted ? { kind: 'stopped' } : { kind: 'failed', error: toAppError(error, 'chat.unexpected') };
    }
  }
}
