import { type Clock, systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { ContextBudget, Pickable, ToolChange, ToolChoice } from '../../contract/chat/contextBudget.ts';
import type { ChatState } from '../../contract/chat/chatState.ts';
import type { ContentDestination } from '../../contract/questions/sentContent.ts';
import type { ChatToolCall, ChatToolOutcome, ChatTools } from '../content/hostPorts.ts';
import type { ProjectInstructions } from '../content/projectInstructions.ts';
import { ReadAllowance } from '../content/readQuestion.ts';
import { type ModelSurroundings, systemPrompt } from '../content/systemPrompt.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { toModelMessages } from '../conversation/history.ts';
import type { ModelEvent, ModelProvider, ModelRequest } from '../models/modelProvider.ts';
import { canCompact, compactConversation } from './compaction.ts';
import { ContextLimits, contextSources, type RequestParts, totalTokens } from './contextUse.ts';
import { CountedContext } from './countedContext.ts';
import { type KeptResults, resultShare } from './keptResults.ts';
import { FoundTools, BudgetedTools } from './offeredTools.ts';
import type { WorkspaceSkills } from '../content/workspaceSkills.ts';
import { hasKeptResults, type OwnTool, type ReadingPlace, readResultTool, resourceTools } from './ownTools.ts';
import { LoadedSkills, type SkillToolOptions, skillTools } from './skillTools.ts';
import { changeChoice, offerSummary, pickableTools, readToolChoice, type ToolChoiceStore, toolRoom } from './toolOffer.ts';

export interface ChatBudgetOptions {
  readonly tools: ChatTools;
  readonly results: KeptResults;
  readonly choice: ToolChoiceStore;
  readonly surroundings?: () => ModelSurroundings;
  /** The project's own instructions, as far as the person has allowed them. */
  readonly project?: ProjectInstructions;
  /** Whether any running server has resources. */
  readonly hasResources?: () => boolean;
  /** The skills of running servers and of the workspace. */
  readonly skills?: Omit<SkillToolOptions, 'loaded'> & { readonly workspace: WorkspaceSkills };
  readonly clock?: Clock;
}

/** The provider and model that would answer now. */
export interface Answering {
  readonly provider: ModelProvider;
  /** The model; undefined while it is not known which of the provider's models is its first. */
  readonly model: string | undefined;
}

interface BudgetedTurn extends Omit<ReadingPlace, 'reads'>, Pick<ModelRequest, 'maxTokens' | 'destination'> {
  readonly provider: ModelProvider;
}

/** Decides which tools, results and instructions go into the requests of a chat, and tells the view how full the model's context is. */
export class ChatBudget implements Disposable {
  readonly results: KeptResults;
  readonly limits: ContextLimits;
  readonly #options: ChatBudgetOptions;
  readonly #lifetime = new DisposableStore();
  /** The ids of the waiting servers that the next message of a conversation needs. */
  readonly #named = new WeakMap<Conversation, ReadonlySet<string>>();
  readonly #found = new FoundTools();
  readonly #loaded = new LoadedSkills();
  readonly #counts: CountedContext;
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  /** Fired when the view should be told the new state of the context. */
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

  /** The budget for one turn of a conversation. */
  turn(turn: BudgetedTurn): TurnBudget {
    // From now on the conversation has its own choice of tools, which a choice elsewhere does not change.
    if (turn.conversation.toolChoice === undefined) {
      turn.conversation.chooseTools(this.#choice(turn.conversation));
    }
    const reading: ReadingPlace = { ...turn, reads: new ReadAllowance() };
    return new TurnBudget({
      ...turn,
      limits: this.limits,
      results: this.results,
      toolsOf: (model) => this.#toolsOf(turn.conversation, { provider: turn.provider, model }, reading),
      onRound: () => this.#changed.fire(),
      onAnswered: (request) => this.#counts.noteSent(turn.conversation.id, turn.provider, request),
      project: this.#options.project,
      workspaceSkills: this.#options.skills?.workspace,
    });
  }

  /** How full the context is. A provider is asked to count only when `isSeen` says that somebody sees it. */
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
    // The provider's own count for exactly this request, if it is known.
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

  /** Looks, before anything is sent, which files of the project have instructions. */
  async lookForInstructions(): Promise<void> {
    await this.#options.project?.look();
  }

  /** The instructions of the person, which go with every request, and those of the project, which may or may not. */
  instructions(): NonNullable<ChatState['instructions']> {
    const { instructions = [] } = this.#options.surroundings?.() ?? {};
    const personal = instructions.flatMap(({ kind, text }) => (kind === 'personal' ? [{ kind, length: text.length }] : []));
    return [...personal, ...(this.#options.project?.shown() ?? [])];
  }

  pickable(conversation: Conversation, answering: Answering): Pickable {
    const { tools } = this.#options;
    const isNamed = (serverId: string): boolean => this.#named.get(conversation)?.has(serverId) === true;
    return {
      tools: pickableTools(tools.list(), this.#choice(conversation), this.#toolsOf(conversation, answering).offer()),
      waiting: (tools.waiting?.() ?? []).map((server) => ({ ...server, isNamed: isNamed(server.serverId) })),
    };
  }

  /** Changes which tools are offered, in this conversation and in those that begin later. */
  async choose(conversation: Conversation, change: ToolChange): Promise<void> {
    const choice = changeChoice(this.#choice(conversation), change);
    this.#name(conversation, change);
    conversation.chooseTools(choice);
    await this.#options.choice.write(choice);
    this.#changed.fire();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** Notes that the next message needs a server which waits for permission, or does not any more. */
  #name(conversation: Conversation, { serverId, tool, to }: ToolChange): void {
    const others = [...(this.#named.get(conversation) ?? [])].filter((id) => id !== serverId);
    if (tool === undefined) {
      this.#named.set(conversation, new Set(to === 'pinned' ? [...others, serverId] : others));
    }
  }

  /** A server is named for one message, as it is by a word in it. */
  #takeNamed(conversation: Conversation): readonly string[] {
    const named = [...(this.#named.get(conversation) ?? [])];
    this.#named.delete(conversation);
    return named;
  }

  #choice({ toolChoice }: Conversation): ToolChoice {
    return toolChoice ?? readToolChoice(this.#options.choice.read());
  }

  #skillTools(conversation: Conversation, reading: ReadingPlace | undefined): readonly OwnTool[] {
    const { skills } = this.#options;
    return skills === undefined
      ? []
      : skillTools([...skills.servers.list(), ...skills.workspace.given(conversation)], { ...skills, loaded: this.#loaded }, reading);
  }

  #toolsOf(conversation: Conversation, { provider, model }: Answering, reading?: ReadingPlace): BudgetedTools {
    const { tools, surroundings, project, hasResources } = this.#options;
    const limit = this.limits.limitOf(provider, model);
    return new BudgetedTools({
      tools,
      conversation,
      isAi: provider.isAi,
      choice: () => this.#choice(conversation),
      room: () => toolRoom(limit),
      found: this.#found,
      takeNamed: () => this.#takeNamed(conversation),
      own: () => [
        ...(hasResources?.() === true ? resourceTools(reading) : []),
        ...this.#skillTools(conversation, reading),
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
  readonly toolsOf: (model: string | undefined) => BudgetedTools;
  readonly onRound: () => void;
  /** Called when a request was answered to its end. */
  readonly onAnswered: (request: ModelRequest) => void;
  readonly project?: ProjectInstructions | undefined;
  readonly workspaceSkills?: WorkspaceSkills | undefined;
}

/** A conversation that fills more than this part of the context is summed up before the next request. */
const fullShare = 0.85;
/** When the conversation takes less than this part of the context, a summary would not help. */
const minCompactedShare = 0.3;

/** The budget of one turn: which tools it has, how much of a result the model gets, and a summary when the context gets full. */
export class TurnBudget {
  readonly #options: TurnBudgetOptions;
  #model: string | undefined;
  #mayCompact = true;

  constructor(options: TurnBudgetOptions) {
    this.#options = options;
  }

  /** The tools of this turn. They are looked up anew for each call, because the offer may change from round to round. */
  get tools(): ChatTools {
    const now = (): BudgetedTools => this.#options.toolsOf(this.#model);
    return {
      list: () => now().list(),
      instructions: () => now().instructions(),
      surroundings: () => now().surroundings(),
      prepare: (preparation) => now().prepare(preparation),
      call: (call: ChatToolCall): Promise<ChatToolOutcome> => now().call(call),
    };
  }

  /** The most bytes of one result that the model gets at once. */
  get maxResultBytes(): number {
    return resultShare(this.#limit());
  }

  keep(text: string): Promise<string | undefined> {
    return this.#options.results.keep(this.#options.conversation.id, text);
  }

  /** Asks, once before the first request, which of the project's instructions and skills the model may know of. */
  async instruct(to: ContentDestination, ask: Ask): Promise<void> {
    const { project, workspaceSkills, conversation, content, signal } = this.#options;
    await project?.prepare({ conversation, content, to, ask, signal });
    await workspaceSkills?.prepare({ conversation, content, to, ask, signal });
  }

  /** Called before each request; makes a summary when the context is nearly full. `request` tells what the request would consist of now. */
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

  /** Passes the events on, and learns from them how the provider counts tokens and which request it has had. */
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

  /** What a summary would cover: before the first request of a turn all earlier turns, later also what this turn has done. */
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
