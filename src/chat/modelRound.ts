import { unreachable } from '../base/errors.ts';
import type { AssistantItem } from '../contract/chatState.ts';
import type { ModelEvent, ModelMessage, ModelTool, StopReason } from './modelProvider.ts';
import { ContentRun, type ContentRunContext } from './content/contentRun.ts';
import { abortError, untilAborted } from '../base/abort.ts';
import { ToolRun, type ToolRunContext, type ToolUse } from './toolRun.ts';
import { chatError } from './chatSentences.ts';

type AssistantContent = Extract<ModelMessage, { role: 'assistant' }>['content'];
export interface RoundEnd {
  readonly reason: StopReason;
  readonly explanation: string | undefined;
}
export interface PlannedRun {
  readonly run: ToolRun;
  readonly isKnown: boolean;
}

export interface RoundContext extends ToolRunContext {
  readonly content: ContentRunContext['content'];
}

/** One answer of the model as it streams in: parts for the view, content for the history, and the calls it asks for. */
export class ModelRound {
  readonly runs: PlannedRun[] = [];
  readonly contents: ContentRun[] = [];
  readonly #context: RoundContext;
  readonly #offered: readonly ModelTool[];
  readonly #usageBefore: NonNullable<AssistantItem['usage']> | undefined;
  #content: AssistantContent = [];
  #textPartId: string | undefined;
  #noticeId: string | undefined;
  #end: RoundEnd | undefined;

  constructor(context: RoundContext, offered: readonly ModelTool[]) {
    this.#context = context;
    this.#offered = offered;
    this.#usageBefore = context.conversation.assistant(context.itemId).usage;
  }

  /** Everything that came, also of an answer that broke off. */
  get content(): AssistantContent {
    return this.#content;
  }

  /** Reads to the end; leaves at once when the signal fires, whatever the provider does. */
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
      this.#removeNotice();
    }
    if (this.#end === undefined) {
      throw chatError('model.stream', {}, { detail: 'The answer ended without saying why.' });
    }
    return this.#end;
  }

  #apply(event: ModelEvent): void {
    if (event.kind !== 'waiting' && event.kind !== 'usage') {
      this.#removeNotice();
    }
    switch (event.kind) {
      case 'text':
        this.#addText(event.text);
        break;
      case 'toolUse':
        this.#addToolUse(event);
        break;
      case 'content':
        this.#textPartId = undefined;
        this.contents.push(new ContentRun(event.wish, this.#context));
        break;
      case 'opaque':
        this.#content = [...this.#content, event.block];
        break;
      case 'usage':
        this.#addUsage(event.inputTokens, event.outputTokens);
        break;
      case 'waiting':
        this.#showWaiting(event.reason, event.retryInMs);
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

  #addToolUse(use: ToolUse): void {
    this.#textPartId = undefined;
    this.#content = [...this.#content, { type: 'toolUse', id: use.id, name: use.name, input: use.input }];
    const tool = this.#offered.find((each) => each.name === use.name);
    this.runs.push({ run: new ToolRun(use, tool, this.#context), isKnown: tool !== undefined });
  }

  #addUsage(inputTokens: number, outputTokens: number): void {
    const usage = {
      inputTokens: (this.#usageBefore?.inputTokens ?? 0) + inputTokens,
      outputTokens: (this.#usageBefore?.outputTokens ?? 0) + outputTokens,
    };
    this.#context.conversation.updateAssistant(this.#context.itemId, (item) => ({ ...item, usage }));
  }

  #showWaiting(reason: 'rateLimited' | 'overloaded', retryInMs: number): void {
    this.#removeNotice();
    const { conversation, itemId, createId, sentences } = this.#context;
    this.#noticeId = createId();
    const code = reason === 'rateLimited' ? 'chat.waitingRateLimited' : 'chat.waitingOverloaded';
    conversation.addPart(itemId, { kind: 'notice', id: this.#noticeId, text: sentences(code, { seconds: Math.ceil(retryInMs / 1000) }) });
  }

  #removeNotice(): void {
    if (this.#noticeId !== undefined) {
      this.#context.conversation.removePart(this.#context.itemId, this.#noticeId);
      this.#noticeId = undefined;
    }
  }
}
