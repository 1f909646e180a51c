import { Sequencer } from '../../base/sequencer.ts';
import { untilAborted } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isAbort, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { without } from '../../base/without.ts';
import type { OpenQuestions, QuestionPlace } from '../../consent/openQuestions.ts';
import type { KeptResult } from '../../contract/chat/contextBudget.ts';
import type { MadeEdit } from '../../contract/chat/answerParts.ts';
import type { ToolCallPart } from '../../contract/chat/chatState.ts';
import { editorServerName } from '../../contract/identity.ts';
import type { PersonAnswer, Question } from '../../contract/questions/questions.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import type { TurnBudget } from '../budget/chatBudget.ts';
import type { ChatToolOutcome, ChatTools } from '../content/hostPorts.ts';
import { chatError, type ChatSentences } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { settleCall } from '../conversation/conversationFile.ts';
import type { ModelEvent, ModelTool, ToolResultBlock } from '../models/modelProvider.ts';
import { resultBytes, toResultBlock, toShownItems, wholeText } from './toolResults.ts';
import type { TurnEdits } from './turnEdits.ts';

export type ToolUse = Extract<ModelEvent, { kind: 'toolUse' }>;

export interface ToolRunContext {
  readonly conversation: Conversation;
  readonly itemId: string;
  readonly tools: ChatTools;
  readonly questions: OpenQuestions;
  readonly sentences: ChatSentences;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The answer is not shown any more, or written anew. A question may outlive its turn, but not this. */
  readonly forgotten: AbortSignal;
  readonly createId: () => string;
  /** Lists and keeps what calls change in files. */
  readonly edits?: TurnEdits | undefined;
  /** How much of a result the model gets at once, and where the rest is kept. */
  readonly budget?: Pick<TurnBudget, 'maxResultBytes' | 'keep'> | undefined;
  /** What the card tells of the arguments, where that is not all of them. */
  readonly told?: ((args: JsonObject) => JsonObject) | undefined;
  /** Where the person stops this one alone. */
  readonly calls?: RunningCalls | undefined;
  /** Of this very answer: who would answer the next one may be another by now. */
  readonly to: ContentDestination;
}

/** One call of a tool by the model, and the card that shows it. */
export class ToolRun {
  readonly partId: string;
  readonly #use: ToolUse;
  readonly #tool: ModelTool | undefined;
  readonly #context: ToolRunContext;
  readonly #stopped = new AbortController();
  /** Of the answer, or of this call alone. */
  readonly #signal: AbortSignal;
  #startedAt: number | undefined;
  #isOver = false;
  readonly #asking = new Sequencer();
  #openQuestion: Question | undefined;

  /** Puts the card into the answer at once; nothing runs before `run`. */
  constructor(use: ToolUse, tool: ModelTool | undefined, context: ToolRunContext) {
    this.#use = use;
    this.#tool = tool;
    this.#context = context;
    this.#signal = AbortSignal.any([context.signal, this.#stopped.signal]);
    this.partId = context.createId();
    context.conversation.addPart(context.itemId, {
      kind: 'toolCall',
      id: this.partId,
      server: revealInvisible(tool?.server ?? ''),
      ...(tool?.serverId !== undefined && { serverId: tool.serverId }),
      tool: revealInvisible(tool?.tool ?? use.name),
      state: 'waiting',
      arguments: revealInvisible(use.malformedInput ?? this.#told(use.input)),
      result: [],
      resultBytes: 0,
    });
  }

  /** Never throws: whatever happens is a result for the model and a state of the card. */
  async run(isKnown: boolean): Promise<ToolResultBlock> {
    const outcome = this.#refusal(isKnown) ?? (await this.#call());
    const kept = await this.#keep(outcome);
    this.#show(outcome, kept);
    return this.#result(outcome, kept);
  }

  /** The answer ended before this call could run. */
  skip(): ToolResultBlock {
    const outcome: ChatToolOutcome = { kind: 'cancelled' };
    this.#show(outcome);
    return this.#result(outcome);
  }

  /** The whole of a result that is longer than the model gets at once. */
  async #keep(outcome: ChatToolOutcome): Promise<KeptResult | undefined> {
    const { budget } = this.#context;
    if (budget === undefined || outcome.kind !== 'result' || this.#tool?.isOwn === true) {
      return undefined;
    }
    const text = wholeText(outcome.items);
    const bytes = Buffer.byteLength(text);
    const id = bytes > budget.maxResultBytes ? await budget.keep(text) : undefined;
    return id === undefined ? undefined : { id, bytes };
  }

  #result(outcome: ChatToolOutcome, kept?: KeptResult): ToolResultBlock {
    const block = toResultBlock(this.#use.id, outcome, this.#context.budget?.maxResultBytes, kept);
    return this.#tool === undefined ? block : { ...block, called: { server: this.#tool.server, tool: this.#tool.tool } };
  }

  #refusal(isKnown: boolean): ChatToolOutcome | undefined {
    const { sentences } = this.#context;
    const { name, malformedInput } = this.#use;
    if (!isKnown) {
      const message = `There is no tool named ${name}. Use only the tools that are listed.`;
      return { kind: 'failed', message, sentence: sentences('chat.toolUnknown', { name }) };
    }
    if (malformedInput !== undefined) {
      const message = 'The input was not a JSON object, so the tool did not run. Send the call again with valid JSON.';
      return { kind: 'failed', message, sentence: sentences('chat.toolInputMalformed') };
    }
    return undefined;
  }

  async #call(): Promise<ChatToolOutcome> {
    const { tools, to, sentences, calls } = this.#context;
    const signal = this.#signal;
    const stoppable = calls?.add(this.partId, () => this.#stopped.abort());
    try {
      const call = tools.call({
        name: this.#use.name,
        arguments: this.#use.input,
        destination: to,
        signal,
        heard: this.#context.conversation.heard,
        ask: (question, askSignal) => this.#ask(question, askSignal),
        onStart: (args) => this.#start(args),
        onEdits: (edits) => this.#keepEdits(edits),
        onProgress: (progress) => this.#update((part) => (part.state === 'running' ? { ...part, progress } : part), 'soon'),
      });
      return await untilAborted(call, signal);
    } catch (error) {
      return signal.aborted || isAbort(error)
        ? { kind: 'cancelled' }
        : { kind: 'failed', message: messageOf(error), sentence: sentences('chat.toolFailed') };
    } finally {
      stoppable?.dispose();
    }
  }

  #keepEdits(made: readonly MadeEdit[]): void {
    const { edits, conversation, itemId, createId } = this.#context;
    void edits?.add(conversation, itemId, createId(), made);
  }

  /** One question at a time on a card: a second one waits for the first. */
  #ask(question: Question, askSignal: AbortSignal): Promise<PersonAnswer> {
    const { questions, forgotten } = this.#context;
    const signal = AbortSignal.any([askSignal, this.#signal, forgotten]);
    // A question that is withdrawn while it waits is over at once; it is then asked in vain.
    return untilAborted(
      this.#asking.run(() => questions.ask(question, signal, this.#place())),
      signal,
    );
  }

  /** On the card of the call; below it, in the answer, when the call is over before the question is. */
  #place(): QuestionPlace {
    const { conversation, itemId } = this.#context;
    return {
      show: (open) => {
        this.#openQuestion = open;
        if (this.#isOver) {
          this.#showBelow(open);
        } else {
          this.#update((part) => ({ ...part, state: 'waiting', question: open }));
        }
      },
      hide: () => {
        const askId = this.#openQuestion?.askId;
        this.#openQuestion = undefined;
        if (this.#isOver && askId !== undefined) {
          conversation.removePart(itemId, askId);
        } else {
          this.#goOn();
        }
      },
    };
  }

  #showBelow(question: Question): void {
    this.#context.conversation.addPart(this.#context.itemId, { kind: 'question', id: question.askId, question });
  }

  /** A tool that asks by itself has begun before its question; the time the person took is not its time. */
  #goOn(): void {
    if (this.#startedAt !== undefined) {
      this.#startedAt = this.#context.clock.now();
    }
    const state = this.#startedAt === undefined ? 'waiting' : 'running';
    this.#update((part) => ({ ...without(part, 'question'), state }));
  }

  #told(args: JsonObject): string {
    return JSON.stringify(this.#context.told?.(args) ?? args, undefined, 2);
  }

  #start(args: JsonObject): void {
    this.#startedAt = this.#context.clock.now();
    this.#update((part) => ({ ...part, state: 'running', arguments: revealInvisible(this.#told(args)) }));
  }

  #show(outcome: ChatToolOutcome, kept?: KeptResult): void {
    const startedAtMs = this.#startedAt;
    const elapsed = startedAtMs === undefined ? {} : { elapsedMs: this.#context.clock.now() - startedAtMs, startedAtMs };
    this.#update((part) => ({ ...settleCall(part), ...this.#ending(outcome), ...elapsed, ...(kept && { kept }) }));
    this.#isOver = true;
    if (this.#openQuestion !== undefined) {
      this.#showBelow(this.#openQuestion);
    }
  }

  #ending(outcome: ChatToolOutcome): Partial<ToolCallPart> & Pick<ToolCallPart, 'state'> {
    const { sentences } = this.#context;
    switch (outcome.kind) {
      case 'result': {
        const shown = { result: toShownItems(outcome.items, sentences), resultBytes: resultBytes(outcome.items) };
        return outcome.isError ? { state: 'failed', error: sentences('chat.toolReportedError'), ...shown } : { state: 'done', ...shown };
      }
      case 'failed':
        return { state: 'failed', error: revealInvisible(outcome.sentence) || sentences('chat.toolFailed') };
      case 'denied':
        return outcome.byStoredAnswer ? { state: 'denied', error: sentences('chat.toolDeniedBefore') } : { state: 'denied' };
      case 'cancelled':
        return { state: 'cancelled' };
    }
  }

  /** A call that was given up may still report: its card no longer listens. */
  #update(update: (part: ToolCallPart) => ToolCallPart, when: 'now' | 'soon' = 'now'): void {
    if (!this.#isOver) {
      this.#context.conversation.updateToolCall(this.#context.itemId, this.partId, update, when);
    }
  }
}

/** What a button of an answer runs. */
export type ButtonTool = 'propose_edit' | 'run_terminal_command';

/**
 * Runs a tool of the editor for the person, who pressed a button of an answer: asked about like any other call, and shown as a
 * card of that answer. No model is told.
 */
export async function runOwnTool(context: Omit<ToolRunContext, 'to' | 'signal'>, tool: ButtonTool, args: JsonObject): Promise<void> {
  const { conversation, itemId, tools, createId, forgotten } = context;
  conversation.assistant(itemId); // rejects for one that is not shown any more
  const offered = tools.list().find((each) => each.server === editorServerName && each.tool === tool);
  if (offered === undefined) {
    throw chatError('chat.toolGone', { name: tool });
  }
  const use = { kind: 'toolUse', id: createId(), name: offered.name, input: args } as const;
  // The result stays in this window.
  await new ToolRun(use, offered, { ...context, signal: forgotten, to: { kind: 'guide' } }).run(true);
}

/** The calls that run in a chat, each to be stopped for itself: the answer and its other calls go on. */
export class RunningCalls {
  readonly #stops = new Map<string, () => void>();

  /** Until it is disposed. */
  add(partId: string, stop: () => void): Disposable {
    this.#stops.set(partId, stop);
    return toDisposable(() => this.#stops.delete(partId));
  }

  /** Nothing happens when it is over. */
  stop(partId: string): void {
    this.#stops.get(partId)?.();
  }
}
