import { Sequencer } from '../../base/sequencer.ts';
import { untilAborted } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { isAbort, messageOf } from '../../base/errors.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { type Disposable, toDisposable } from '../../base/lifecycle.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { without } from '../../base/without.ts';
import type { OpenQuestions, QuestionPlace } from '../../consent/openQuestions.ts';
import type { KeptResult } from '../../contract/chat/contextBudget.ts';
import type { MadeEdit } from '../../contract/chat/answerParts.ts';
import type { EditReview } from '../../contract/chat/editReview.ts';
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
import { aboutCall, factsOf } from './callSummary.ts';
import { resultBytes, toldOfChange, toResultBlock, toShownItems, textOfResult } from './toolResults.ts';
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
  /** Fires when the answer is no longer shown or is written anew. A question may stay open after its turn has ended, but not after this. */
  readonly forgotten: AbortSignal;
  readonly createId: () => string;
  /** Lists what tool calls change in files, and keeps how the files were before. */
  readonly edits?: TurnEdits | undefined;
  /** How much of a result the model gets at once, and where the rest is kept. */
  readonly budget?: Pick<TurnBudget, 'maxResultBytes' | 'keep'> | undefined;
  /** Chooses which arguments the card shows, where it should not show all of them. */
  readonly told?: ((args: JsonObject) => JsonObject) | undefined;
  /** Lets the person stop this call alone. */
  readonly calls?: RunningCalls | undefined;
  /** Who gets the result: the model of this very answer, even if another would answer the next message. */
  readonly to: ContentDestination;
}

/** One call of a tool by the model, and the card that shows it. */
export class ToolRun {
  readonly partId: string;
  readonly #use: ToolUse;
  readonly #tool: ModelTool | undefined;
  readonly #context: ToolRunContext;
  readonly #stopped = new AbortController();
  /** Fires when the answer is stopped, or this call alone. */
  readonly #signal: AbortSignal;
  #startedAt: number | undefined;
  /** The arguments that were sent, when the person changed those that the model asked for. */
  #changed: JsonObject | undefined;
  #isOver = false;
  readonly #asking = new Sequencer();
  #openQuestion: Question | undefined;

  /** Puts the card into the answer at once; the tool is not called before `run`. */
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
      ...this.#about(use.input),
      result: [],
      resultBytes: 0,
    });
  }

  /** Calls the tool. Never rejects: whatever happens becomes a result for the model and a state of the card. */
  async run(isKnown: boolean): Promise<ToolResultBlock> {
    const outcome = this.#refusal(isKnown) ?? (await this.#call());
    const kept = await this.#keep(outcome);
    this.#show(outcome, kept);
    return this.#result(outcome, kept);
  }

  /** Ends this call without calling the tool, because the answer ended before. */
  skip(): ToolResultBlock {
    const outcome: ChatToolOutcome = { kind: 'cancelled' };
    this.#show(outcome);
    return this.#result(outcome);
  }

  /** Keeps the whole of a result that is longer than what the model gets at once. */
  async #keep(outcome: ChatToolOutcome): Promise<KeptResult | undefined> {
    const { budget } = this.#context;
    if (budget === undefined || outcome.kind !== 'result' || this.#tool?.isOwn === true) {
      return undefined;
    }
    const text = textOfResult(outcome.items);
    const bytes = Buffer.byteLength(text);
    const id = bytes > budget.maxResultBytes ? await budget.keep(text) : undefined;
    return id === undefined ? undefined : { id, bytes };
  }

  #result(outcome: ChatToolOutcome, kept?: KeptResult): ToolResultBlock {
    const block = toldOfChange(toResultBlock(this.#use.id, outcome, this.#context.budget?.maxResultBytes, kept), this.#changed);
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
        onReview: (review) => this.#showReview(review),
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

  /** Shows a proposed change on the card as long as it waits for the person. */
  #showReview(review: EditReview | undefined): void {
    if (review !== undefined) {
      this.#update((part) => ({ ...part, state: 'waiting', review }));
    } else {
      this.#goOn();
    }
  }

  /** Asks a question on the card. A card shows one question at a time, so a second one waits for the first. */
  #ask(question: Question, askSignal: AbortSignal): Promise<PersonAnswer> {
    const { questions, forgotten } = this.#context;
    const signal = AbortSignal.any([askSignal, this.#signal, forgotten]);
    // A question that is withdrawn while it waits rejects at once, and is not shown when its time comes.
    return untilAborted(
      this.#asking.run(() => questions.ask(this.#grouped(question), signal, this.#place())),
      signal,
    );
  }

  /** Calls of one answer are asked about together before they start. What acts in the editor keeps a question of its own. */
  #grouped(question: Question): Question {
    const { detail } = question;
    const isAlone =
      detail.kind !== 'callTool' || detail.reads !== undefined || detail.risk === 'changesEditor' || detail.risk === 'runsCode';
    return isAlone || this.#startedAt !== undefined ? question : { ...question, group: this.#context.itemId };
  }

  /** Shows a question on the card of the call or, once the call is over, below it in the answer. */
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

  /** Goes on after a question. The time that the person took to answer does not count as the tool's time. */
  #goOn(): void {
    if (this.#startedAt !== undefined) {
      this.#startedAt = this.#context.clock.now();
    }
    const state = this.#startedAt === undefined ? 'waiting' : 'running';
    this.#update((part) => ({ ...without(part, 'question', 'review'), state }));
  }

  #told(args: JsonObject): string {
    return JSON.stringify(this.#context.told?.(args) ?? args, undefined, 2);
  }

  #about(args: JsonObject): Pick<ToolCallPart, 'about'> {
    const about = aboutCall(this.#tool, args);
    return about === undefined ? {} : { about };
  }

  #start(args: JsonObject): void {
    this.#startedAt = this.#context.clock.now();
    this.#changed = areSameArguments(args, this.#use.input) ? undefined : args;
    const mark = this.#changed && { isChanged: true };
    const told = { arguments: revealInvisible(this.#told(args)), ...this.#about(args), ...mark };
    this.#update((part) => ({ ...without(part, 'about'), state: 'running', ...told }));
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
        const facts = outcome.ownAnswer === undefined || this.#tool === undefined ? [] : factsOf(this.#tool.tool, outcome.ownAnswer);
        const shown = {
          result: toShownItems(outcome.items, sentences),
          resultBytes: resultBytes(outcome.items),
          ...(facts.length > 0 && { facts: [...facts] }),
          ...(outcome.app !== undefined && { app: { ...outcome.app, state: 'new' as const } }),
        };
        return outcome.isError ? { state: 'failed', error: sentences('chat.toolReportedError'), ...shown } : { state: 'done', ...shown };
      }
      case 'failed':
        return {
          state: 'failed',
          error: revealInvisible(outcome.sentence) || sentences('chat.toolFailed'),
          ...(outcome.lastWords !== undefined && { lastWords: outcome.lastWords.map(revealInvisible) }),
        };
      case 'denied':
        return outcome.byStoredAnswer ? { state: 'denied', error: sentences('chat.toolDeniedBefore') } : { state: 'denied' };
      case 'cancelled':
        return { state: 'cancelled' };
    }
  }

  /** Changes the card, until the call is over: a call that was given up may still report progress. */
  #update(update: (part: ToolCallPart) => ToolCallPart, when: 'now' | 'soon' = 'now'): void {
    if (!this.#isOver) {
      this.#context.conversation.updateToolCall(this.#context.itemId, this.partId, update, when);
    }
  }
}

/** Whether arguments are the same, in whatever order their members stand. */
function areSameArguments(one: JsonObject, other: JsonObject): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

/** The tools that buttons of an answer can run. */
export type ButtonTool = 'propose_edit' | 'run_terminal_command';

/**
 * Runs a tool of the editor for the person, who pressed a button of an answer. The call is asked about like any other and shown as a
 * card of that answer; no model is told of it.
 */
export async function runOwnTool(context: Omit<ToolRunContext, 'to' | 'signal'>, tool: ButtonTool, args: JsonObject): Promise<void> {
  const { conversation, itemId, tools, createId, forgotten } = context;
  conversation.assistant(itemId); // throws when the answer is no longer shown
  const offered = tools.list().find((each) => each.server === editorServerName && each.tool === tool);
  if (offered === undefined) {
    throw chatError('chat.toolGone', { name: tool });
  }
  const use = { kind: 'toolUse', id: createId(), name: offered.name, input: args } as const;
  // The result stays in this window: with the guide as its destination it goes to no model.
  await new ToolRun(use, offered, { ...context, signal: forgotten, to: { kind: 'guide' } }).run(true);
}

/** The running tool calls of a chat. The person can stop one of them while the answer and its other calls go on. */
export class RunningCalls {
  readonly #stops = new Map<string, () => void>();

  /** Makes a call stoppable until the result is disposed. */
  add(partId: string, stop: () => void): Disposable {
    this.#stops.set(partId, stop);
    return toDisposable(() => this.#stops.delete(partId));
  }

  /** Stops one call; does nothing when it is over. */
  stop(partId: string): void {
    this.#stops.get(partId)?.();
  }
}
