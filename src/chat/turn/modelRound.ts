import { abortError, untilAborted } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import { unreachable } from '../../base/errors.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { TurnCost, TurnUsage, WaitingPart } from '../../contract/chat/answerParts.ts';
import { addCost, addUsage } from '../budget/turnCost.ts';
import { ContentRun, type ContentRunContext } from '../content/contentRun.ts';
import { chatError } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ModelEvent, ModelMessage, ModelTool, RequestUsage, AnswerStopReason, WaitReason } from '../models/modelProvider.ts';
import { ToolRun, type ToolRunContext, type ToolUse } from './toolRun.ts';

type AssistantContent = Extract<ModelMessage, { role: 'assistant' }>['content'];
export interface RoundEnd {
  readonly reason: AnswerStopReason;
  readonly explanation: string | undefined;
}
export interface PlannedCall {
  readonly run: ToolRun;
  readonly isKnown: boolean;
}

export interface RoundContext extends ToolRunContext {
  readonly content: ContentRunContext['content'];
  /** The model whose answer this is, for its price; undefined when no language model answers. */
  readonly model: string | undefined;
}

/**
 * Reads one answer of the model as it streams in, and makes of it the parts that the view shows, the content of the history, and the
 * tool calls to run.
 */
export class ModelRound {
  readonly runs: PlannedCall[] = [];
  readonly contents: ContentRun[] = [];
  readonly #context: RoundContext;
  readonly #offered: readonly ModelTool[];
  readonly #before: { readonly usage?: TurnUsage | undefined; readonly cost?: TurnCost | undefined };
  readonly #countdown: WaitingCountdown;
  #content: AssistantContent = [];
  #textPartId: string | undefined;
  #thought: { readonly partId: string; readonly since: number } | undefined;
  #usage: RequestUsage | undefined;
  #end: RoundEnd | undefined;

  constructor(context: RoundContext, offered: readonly ModelTool[]) {
    this.#context = context;
    this.#offered = offered;
    this.#before = context.conversation.assistant(context.itemId);
    this.#countdown = new WaitingCountdown(context);
  }

  /** All content that has arrived, also of an answer that broke off. */
  get content(): AssistantContent {
    return this.#content;
  }

  /** Reads the events to their end. When the signal fires it stops at once, whether the provider listens or not. */
  async read(events: AsyncIterable<ModelEvent>): Promise<RoundEnd> {
    const iterator = events[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await untilAborted(iterator.next(), this.#context.signal);
        if (next.done === true) {
          break;
        }
        this.#apply(next.value);
      }
    } catch (error) {
      // Not awaited: a provider that does not listen must not hold up Stop.
      void Promise.resolve(iterator.return?.()).catch(() => undefined);
      throw this.#context.signal.aborted ? abortError() : error;
    } finally {
      this.#countdown.stop();
      this.#endThought();
      this.#addCost();
    }
    if (this.#end === undefined) {
      throw chatError('model.stream', {}, { detail: 'The answer ended without saying why.' });
    }
    return this.#end;
  }

  #apply(event: ModelEvent): void {
    if (event.kind !== 'waiting' && event.kind !== 'usage') {
      this.#countdown.stop();
    }
    if (event.kind !== 'thinking' && event.kind !== 'usage') {
      this.#endThought();
    }
    switch (event.kind) {
      case 'text':
        this.#addText(event.text);
        break;
      case 'thinking':
        this.#addThought(event.text);
        break;
      case 'toolUse':
        this.#addToolUse(event);
        break;
      case 'content':
        this.#textPartId = undefined;
        // Only the offline guide gives such an event, for what the person's own message names.
        this.contents.push(new ContentRun(event.wish, { ...this.#context, decidedBy: 'person' }));
        break;
      case 'opaque':
        this.#content = [...this.#content, event.block];
        break;
      case 'usage':
        this.#addUsage(event);
        break;
      case 'waiting':
        this.#countdown.start(event.reason, event.retryInMs);
        break;
      case 'stop':
        this.#end = { reason: event.reason, explanation: event.explanation };
        break;
      default:
        unreachable(event);
    }
  }

  #addText(text: string): void {
    if (text === '') {
      return;
    }
    const { conversation, itemId, createId } = this.#context;
    const last = this.#content.at(-1);
    this.#content =
      last?.type === 'text'
        ? [...this.#content.slice(0, -1), { type: 'text', text: last.text + text }]
        : [...this.#content, { type: 'text', text }];
    if (this.#textPartId === undefined) {
      this.#textPartId = createId();
      conversation.addPart(itemId, { kind: 'text', id: this.#textPartId, text });
    } else {
      conversation.appendText(itemId, this.#textPartId, text);
    }
  }

  #addToolUse(given: ToolUse): void {
    this.#textPartId = undefined;
    // Some models give no ids, or all calls of an answer the same one. By its id a call finds its result.
    const isNoId = given.id === '' || this.#content.some((block) => block.type === 'toolUse' && block.id === given.id);
    const use = isNoId ? { ...given, id: this.#context.createId() } : given;
    this.#content = [...this.#content, { type: 'toolUse', id: use.id, name: use.name, input: use.input }];
    const tool = this.#offered.find((each) => each.name === use.name);
    this.runs.push({ run: new ToolRun(use, tool, this.#context), isKnown: tool !== undefined });
  }

  #addThought(text: string): void {
    if (text === '') {
      return;
    }
    const { conversation, itemId, createId, clock } = this.#context;
    if (this.#thought === undefined) {
      this.#textPartId = undefined;
      this.#thought = { partId: createId(), since: clock.now() };
      conversation.addPart(itemId, { kind: 'thinking', id: this.#thought.partId, text });
    } else {
      conversation.appendText(itemId, this.#thought.partId, text);
    }
  }

  #endThought(): void {
    if (this.#thought === undefined) {
      return;
    }
    const { partId, since } = this.#thought;
    const elapsedMs = this.#context.clock.now() - since;
    this.#thought = undefined;
    this.#context.conversation.updateAssistant(this.#context.itemId, (item) => ({
      ...item,
      parts: item.parts.map((part) => (part.id === partId && part.kind === 'thinking' ? { ...part, elapsedMs } : part)),
    }));
  }

  #addUsage(now: RequestUsage): void {
    this.#usage = now;
    const usage = addUsage(this.#before.usage, this.#usage);
    this.#context.conversation.updateAssistant(this.#context.itemId, (item) => ({ ...item, usage }));
  }

  /** Adds the cost of this request to the answer, also when it was stopped: the provider charges for it all the same. */
  #addCost(): void {
    const { conversation, itemId, model } = this.#context;
    if (model === undefined || (this.#usage === undefined && this.#end === undefined)) {
      return;
    }
    const messages = conversation.turns.find((turn) => turn.assistantItemId === itemId)?.messages ?? [];
    const cost = addCost(this.#before.cost, this.#usage, { model, messages });
    conversation.updateAssistant(itemId, (item) => ({ ...item, cost }));
  }
}

export interface WaitingPlace {
  readonly conversation: Conversation;
  readonly itemId: string;
  readonly clock: Clock;
  readonly createId: () => string;
}

/** Shows a line in the answer that counts down the seconds while the provider asked to wait. */
class WaitingCountdown {
  readonly #place: WaitingPlace;
  #partId: string | undefined;
  #timer: Disposable | undefined;

  constructor(place: WaitingPlace) {
    this.#place = place;
  }

  start(reason: WaitReason, retryInMs: number): void {
    this.stop();
    const { conversation, itemId, clock, createId } = this.#place;
    const part: WaitingPart = { kind: 'waiting', id: createId(), reason, seconds: Math.ceil(retryInMs / 1000) };
    this.#partId = part.id;
    conversation.addPart(itemId, part);
    this.#tick(part, clock.now() + retryInMs);
  }

  stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#partId !== undefined) {
      this.#place.conversation.removePart(this.#place.itemId, this.#partId);
      this.#partId = undefined;
    }
  }

  #tick(part: WaitingPart, until: number): void {
    if (part.seconds <= 1) {
      return;
    }
    const { conversation, itemId, clock } = this.#place;
    // The remaining seconds come from the clock, because a timer of a busy editor may be late.
    this.#timer = clock.schedule(Math.max(1, until - clock.now() - (part.seconds - 1) * 1000), () => {
      const next = { ...part, seconds: Math.max(1, Math.ceil((until - clock.now()) / 1000)) };
      conversation.updateAssistant(itemId, (item) => ({ ...item, parts: item.parts.map((each) => (each.id === next.id ? next : each)) }));
      this.#tick(next, until);
    });
  }
}
