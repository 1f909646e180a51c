import { type Clock, systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { ContextBudget, PickableTool, ToolChange, ToolChoice } from '../../contract/chat/contextBudget.ts';
import type { ChatState } from '../../contract/chat/chatState.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import type { ChatToolCall, ChatToolOutcome, ChatTools } from '../content/hostPorts.ts';
import type { ProjectInstructions } from '../content/projectInstructions.ts';
import { type Surroundings, systemPrompt } from '../content/systemPrompt.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { toModelMessages } from '../conversation/history.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from '../models/modelProvider.ts';
import { canCompact, compactConversation } from './compaction.ts';
import { ContextLimits, contextSources, type RequestParts, totalTokens } from './contextUse.ts';
import { CountedContext } from './countedContext.ts';
import { type KeptResults, resultShare } from './keptResults.ts';
import { FoundTools, OfferedTools } from './offeredTools.ts';
import { hasKeptResults, type ReadingPlace, readResultTool, resourceTools } from './ownTools.ts';
import { changeChoice, offerSummary, pickableTools, readToolChoice, type ToolChoiceStore, toolRoom } from './toolOffer.ts';

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

interface BudgetedTurn extends ReadingPlace, Pick<ModelRequest, 'maxTokens' | 'destination'> {
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
