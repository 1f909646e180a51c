import { systemClock, type Clock } from '../../base/clock.ts';
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
import { CountedContext } from './countedContext.ts';
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
  readonly clock?: Clock;
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
  readonly #counts: CountedContext;
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  /** The status of the chat is another. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ChatBudgetOptions) {
    this.#options = options;
    this.results = options.results;
    this.limits = this.#lifetime.add(new ContextLimits());
    this.#counts = this.#lifetime.add(new CountedContext(options.clock ?? systemClock));
    this.#lifetime.add(this.#counts.onDidChange(() => this.#changed.fire()));
    this.#lifetime.add(this.limits.onDidChange(() => this.#changed.fire()));
    if (options.project !== undefined) {
      this.#lifetime.add(options.project.onDidChange(() => this.#changed.fire()));
    }
  }

  /** For one answer. */
  turn(turn: BudgetedTurn): TurnBudget {
    // From now on it is its own: what is chosen in another changes nothing here.
    if (turn.conversation.toolChoice === undefined) {
      turn.conversation.chooseTools(this.#choice(turn.conversation));
    }
    return new TurnBudget({
      ...turn,
      limits: this.limits,
      results: this.results,
      toolsOf: (model) => this.#toolsOf(turn.conversation, { provider: turn.provider, model }, turn),
      onRound: () => this.#changed.fire(),
      onAnswered: (request) => this.#counts.noteSent(turn.conversation.id, turn.provider, request),
      project: this.#options.project,
    });
  }

  /** `isSeen`: whether anybody looks at it; else no provider is asked. */
  context(conversation: Conversation, answering: Answering, isSeen: () => boolean): ContextBudget {
    const tools = this.#toolsOf(conversation, answering);
    const listed = tools.list();
    const request: RequestParts = {
      system: systemPrompt(listed, tools.instructions(), tools.surroundings()),
      tools: listed,
      messages: toModelMessages(conversation.turns),
    };
    const estimated = contextSources(request);
    const { provider, model } = answering;
    // By the provider itself, for exactly this.
    const counted = model === undefined ? undefined : this.#counts.tokens({ conversation, provider, model, offer: request, isSeen });
    const ratio = counted === undefined ? (this.limits.ratioOf(model) ?? 1) : counted / Math.max(1, totalTokens(estimated));
    const sources = estimated.map((source) => ({ ...source, tokens: Math.round(source.tokens * ratio) }));
    const limit = this.limits.limitOf(provider, model);
    return {
      used: counted ?? totalTokens(sources),
      ...(limit === undefined ? {} : { limit }),
      isCounted: counted !== undefined,
      sources,
      tools: offerSummary(tools.offer()),
      canCompact: canCompact(conversation.turns),
    };
  }

  /** Before anything is said: which files of the project would want to go along. */
  async lookForInstructions(): Promise<void> {
    await this.#options.project?.look();
  }

  /** What of the person's own goes with every request, and what of the project's does or does not. */
  instructions(): NonNullable<ChatState['instructions']> {
    const { instructions = [] } = this.#options.surroundings?.() ?? {};
    const personal = instructions.flatMap(({ kind, text }) => (kind === 'personal' ? [{ kind, length: text.length }] : []));
    return [...personal, ...(this.#options.project?.shown() ?? [])];
  }

  pickable(conversation: Conversation, answering: Answering): PickableTool[] {
    return pickableTools(this.#options.tools.list(), this.#choice(conversation), this.#toolsOf(conversation, answering).offer());
  }

  /** For this conversation, and for those that begin later. */
  async choose(conversation: Conversation, change: ToolChange): Promise<void> {
    const choice = changeChoice(this.#choice(conversation), change);
    conversation.chooseTools(choice);
    await this.#options.choice.write(choice);
    this.#changed.fire();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #choice({ toolChoice }: Conversation): ToolChoice {
    return toolChoice ?? readToolChoice(this.#options.choice.read());
  }

  #toolsOf(conversation: Conversation, { provider, model }: Answering, reading?: ReadingPlace): OfferedTools {
    const { tools, surroundings, project, hasResources } = this.#options;
    const limit = this.limits.limitOf(provider, model);
    return new OfferedTools({
      tools,
      conversation,
      isAi: provider.isAi,
      choice: () => this.#choice(conversation),
      room: () => toolRoom(limit),
      found: this.#found,
      own: () => [
        ...(hasResources?.() === true ? resourceTools(reading) : []),
        ...(hasKeptResults(conversation) ? [readResultTool(this.results, conversation, resultShare(limit))] : []),
      ],
      surroundings: () => {
        const around = surroundings?.() ?? {};
        return { ...around, instructions: [...(around.instructions ?? []), ...(project?.given(conversation) ?? [])] };
      },
    });
  }
}
