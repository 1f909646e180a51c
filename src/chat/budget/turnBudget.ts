import type { Ask } from '../../consent/consentGate.ts';
import type { ContentDestination } from '../../contract/sentContent.ts';
import type { ChatToolCall, ChatToolOutcome, ChatTools } from '../chatTools.ts';
import type { ProjectInstructions } from '../content/projectInstructions.ts';
import type { ModelEvent, ModelRequest } from '../modelProvider.ts';
import type { BudgetedTurn } from './chatBudget.ts';
import { canCompact, compactConversation } from './compactor.ts';
import type { ContextLimits } from './contextLimits.ts';
import { contextSources, totalTokens, type RequestParts } from './contextUse.ts';
import { resultShare, type KeptResults } from './keptResults.ts';
import type { OfferedTools } from './offeredTools.ts';

export interface TurnBudgetOptions extends BudgetedTurn {
  readonly limits: ContextLimits;
  readonly results: KeptResults;
  readonly toolsOf: (model: string | undefined) => OfferedTools;
  readonly onRound: () => void;
  /** It was sent, and answered to its end. */
  readonly onAnswered: (request: ModelRequest) => void;
  readonly project?: ProjectInstructions | undefined;
}

/** So full, a conversation is summed up before the next request. */
const fullShare = 0.85;
/** Where less than this is the conversation's, a summary would win nothing. */
const minCompactedShare = 0.3;

/** The room of one answer: its tools, how much of a result the model gets, and a summary when it gets tight. */
export class TurnBudget {
  readonly #options: TurnBudgetOptions;
  #model: string | undefined;
  #mayCompact = true;

  constructor(options: TurnBudgetOptions) {
    this.#options = options;
  }

  /** Looked up anew each time: what is offered may change from round to round. */
  get tools(): ChatTools {
    const now = (): OfferedTools => this.#options.toolsOf(this.#model);
    return {
      list: () => now().list(),
      instructions: () => now().instructions(),
      surroundings: () => now().surroundings(),
      prepare: (preparation) => now().prepare(preparation),
      call: (call: ChatToolCall): Promise<ChatToolOutcome> => now().call(call),
    };
  }

  /** Bytes of one result that the model gets at once. */
  get maxResultBytes(): number {
    return resultShare(this.#limit());
  }

  keep(text: string): Promise<string | undefined> {
    return this.#options.results.keep(this.#options.conversation.id, text);
  }

  /** Once, before the first request: which of the project's instructions go to whoever answers. */
  async instruct(to: ContentDestination, ask: Ask): Promise<void> {
    const { project, conversation, content, signal } = this.#options;
    await project?.prepare({ conversation, content, to, ask, signal });
  }

  /** Before a request is made. `request`: what it would be made of now. */
  async beforeRound(model: string, request: () => RequestParts): Promise<void> {
    const { provider, limits, signal, maxTokens, conversation, onRound } = this.#options;
    this.#model = model;
    limits.ask(provider, model, signal);
    const limit = this.#limit();
    if (limit !== undefined && this.#mayCompact && isTight(this.#tokens(request()), limit, maxTokens, limits.ratioOf(model) ?? 1)) {
      const target = this.#target();
      if (target !== undefined && canCompact(conversation.turns)) {
        this.#mayCompact = await compactConversation({ ...this.#options, ...target, model, contextTokens: limit, by: 'itself' });
      }
    }
    onRound();
  }

  /** Learns how the provider counts, and what it has got. */
  async *watch(request: ModelRequest, events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
    const { all } = this.#tokens(request);
    for await (const event of events) {
      if (event.kind === 'usage' && event.inputTokens > 0) {
        this.#options.limits.learn(request.model, all, event.inputTokens);
      }
      if (event.kind === 'stop') {
        this.#options.onAnswered(request);
      }
      yield event;
    }
  }

  #limit(): number | undefined {
    return this.#options.limits.limitOf(this.#options.provider, this.#model);
  }

  #tokens(request: RequestParts): Tokens {
    const sources = contextSources(request);
    return {
      all: totalTokens(sources),
      conversation: totalTokens(sources.filter(({ kind }) => kind !== 'tools' && kind !== 'instructions')),
    };
  }

  /** Before the first request of an answer what came before it, later also what it has done itself. */
  #target(): { readonly itemId: string; readonly isWithinTurn: boolean } | undefined {
    const { conversation, itemId } = this.#options;
    const index = conversation.turns.findIndex(({ assistantItemId }) => assistantItemId === itemId);
    const turn = conversation.turns[index];
    if (turn !== undefined && turn.messages.length > 1) {
      return { itemId, isWithinTurn: true };
    }
    const before = conversation.turns.slice(0, Math.max(0, index)).findLast(({ isWithheld }) => !isWithheld);
    return before === undefined ? undefined : { itemId: before.assistantItemId, isWithinTurn: false };
  }
}

interface Tokens {
  readonly all: number;
  readonly conversation: number;
}

function isTight({ all, conversation }: Tokens, limit: number, maxTokens: number, ratio: number): boolean {
  const most = Math.max(limit / 2, Math.min(limit * fullShare, limit - maxTokens));
  return all * ratio > most && conversation * ratio > limit * minCompactedShare;
}
