import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { ContextBudget } from '../../contract/chat/contextBudget.ts';
import type { PickableTool, ToolChange, ToolChoice } from '../../contract/chat/toolChoice.ts';
import type { ChatSentences } from '../chatSentences.ts';
import type { ChatTools } from '../chatTools.ts';
import type { Conversation } from '../conversation.ts';
import { toModelMessages } from '../history.ts';
import type { ModelProvider, ModelRequest } from '../modelProvider.ts';
import { systemPrompt, type Surroundings } from '../systemPrompt.ts';
import { canCompact } from './compactor.ts';
import { ContextLimits } from './contextLimits.ts';
import { contextSources, totalTokens, type RequestParts } from './contextUse.ts';
import { changeChoice, readToolChoice, type ToolChoiceStore } from './chooseTools.ts';
import { resultShare, type KeptResults } from './keptResults.ts';
import { FoundTools, OfferedTools } from './offeredTools.ts';
import { hasKeptResults, readResultTool } from './readResultTool.ts';
import { offerSummary, pickableTools, toolRoom } from './toolOffer.ts';
import { TurnBudget } from './turnBudget.ts';

export interface ChatBudgetOptions {
  readonly tools: ChatTools;
  readonly results: KeptResults;
  readonly choice: ToolChoiceStore;
  readonly surroundings?: () => Surroundings;
}

/** Who would answer now. */
export interface Answering {
  readonly provider: ModelProvider;
  /** Undefined while nobody knows what the provider's first is. */
  readonly model: string | undefined;
}

export interface BudgetedTurn extends Pick<ModelRequest, 'maxTokens' | 'destination'> {
  readonly conversation: Conversation;
  readonly itemId: string;
  readonly provider: ModelProvider;
  readonly sentences: ChatSentences;
  readonly createId: () => string;
  readonly signal: AbortSignal;
}

/** What of all there is goes into the requests of this chat, and what the person sees of that. */
export class ChatBudget implements Disposable {
  readonly results: KeptResults;
  readonly limits: ContextLimits;
  readonly #options: ChatBudgetOptions;
  readonly #lifetime = new DisposableStore();
  readonly #found = new FoundTools();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  /** The status of the chat is another. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ChatBudgetOptions) {
    this.#options = options;
    this.results = options.results;
    this.limits = this.#lifetime.add(new ContextLimits());
    this.#lifetime.add(this.limits.onDidChange(() => this.#changed.fire()));
  }

  /** For one answer. */
  turn(turn: BudgetedTurn): TurnBudget {
    return new TurnBudget({
      ...turn,
      limits: this.limits,
      results: this.results,
      toolsOf: (model) => this.#toolsOf(turn.conversation, { provider: turn.provider, model }),
      onRound: () => this.#changed.fire(),
    });
  }

  context(conversation: Conversation, answering: Answering): ContextBudget {
    const tools = this.#toolsOf(conversation, answering);
    const listed = tools.list();
    const request: RequestParts = {
      system: systemPrompt(listed, tools.instructions(), tools.surroundings()),
      tools: listed,
      messages: toModelMessages(conversation.turns),
    };
    const ratio = this.limits.ratioOf(answering.model);
    const sources = contextSources(request).map((source) => ({ ...source, tokens: Math.round(source.tokens * (ratio ?? 1)) }));
    const limit = this.limits.limitOf(answering.provider, answering.model);
    return {
      used: totalTokens(sources),
      ...(limit === undefined ? {} : { limit }),
      isCounted: ratio !== undefined,
      sources,
      tools: offerSummary(tools.offer()),
      canCompact: canCompact(conversation.turns),
    };
  }

  pickable(conversation: Conversation, answering: Answering): PickableTool[] {
    return pickableTools(this.#options.tools.list(), this.#choice(), this.#toolsOf(conversation, answering).offer());
  }

  async choose(change: ToolChange): Promise<void> {
    await this.#options.choice.write(changeChoice(this.#choice(), change));
    this.#changed.fire();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #choice(): ToolChoice {
    return readToolChoice(this.#options.choice.read());
  }

  #toolsOf(conversation: Conversation, { provider, model }: Answering): OfferedTools {
    const { tools, surroundings } = this.#options;
    const limit = this.limits.limitOf(provider, model);
    return new OfferedTools({
      tools,
      conversation,
      isAi: provider.isAi,
      choice: () => this.#choice(),
      room: () => toolRoom(limit),
      found: this.#found,
      own: () => (hasKeptResults(conversation) ? [readResultTool(this.results, conversation, resultShare(limit))] : []),
      surroundings: () => surroundings?.() ?? {},
    });
  }
}
