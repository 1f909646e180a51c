import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { ContextBudget } from '../../contract/chat/contextBudget.ts';
import type { PickableTool, ToolChange, ToolChoice } from '../../contract/chat/toolChoice.ts';
import type { ChatState } from '../../contract/chatState.ts';
import type { ChatTools } from '../chatTools.ts';
import type { ProjectInstructions } from '../content/projectInstructions.ts';
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
import { resourceTools, type ReadingPlace } from './resourceTools.ts';
import { hasKeptResults, readResultTool } from './readResultTool.ts';
import { offerSummary, pickableTools, toolRoom } from './toolOffer.ts';
import { TurnBudget } from './turnBudget.ts';

export interface ChatBudgetOptions {
  readonly tools: ChatTools;
  readonly results: KeptResults;
  readonly choice: ToolChoiceStore;
  readonly surroundings?: () => Surroundings;
  /** What the project wants, once the person has let it in. */
  readonly project?: ProjectInstructions;
  /** Whether servers that run have any. */
  readonly hasResources?: () => boolean;
}

/** Who would answer now. */
export interface Answering {
  readonly provider: ModelProvider;
  /** Undefined while nobody knows what the provider's first is. */
  readonly model: string | undefined;
}

export interface BudgetedTurn extends ReadingPlace, Pick<ModelRequest, 'maxTokens' | 'destination'> {
  readonly provider: ModelProvider;
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
    if (options.project !== undefined) {
      this.#lifetime.add(options.project.onDidChange(() => this.#changed.fire()));
    }
  }

  /** For one answer. */
  turn(turn: BudgetedTurn): TurnBudget {
    return new TurnBudget({
      ...turn,
      limits: this.limits,
      results: this.results,
      toolsOf: (model) => this.#toolsOf(turn.conversation, { provider: turn.provider, model }, turn),
      onRound: () => this.#changed.fire(),
      project: this.#options.project,
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

  /** What of the person's own goes with every request, and what of the project's does or does not. */
  instructions(): NonNullable<ChatState['instructions']> {
    const { instructions = [] } = this.#options.surroundings?.() ?? {};
    const personal = instructions.flatMap(({ kind, text }) => (kind === 'personal' ? [{ kind, length: text.length }] : []));
    return [...personal, ...(this.#options.project?.shown() ?? [])];
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

  #toolsOf(conversation: Conversation, { provider, model }: Answering, reading?: ReadingPlace): OfferedTools {
    const { tools, surroundings, project, hasResources } = this.#options;
    const limit = this.limits.limitOf(provider, model);
    return new OfferedTools({
      tools,
      conversation,
      isAi: provider.isAi,
      choice: () => this.#choice(),
      room: () => toolRoom(limit),
      found: this.#found,
      own: () => [
        ...(hasResources?.() === true ? resourceTools(reading) : []),
        ...(hasKeptResults(conversation) ? [readResultTool(this.results, conversation, resultShare(limit))] : []),
      ],
      surroundings: () => {
        const around = surroundings?.() ?? {};
        return { ...around, instructions: [...(around.instructions ?? []), ...(project?.given() ?? [])] };
      },
    });
  }
}
