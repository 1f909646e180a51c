import type { ToolChoice } from '../../contract/chat/contextBudget.ts';
import type { ChatToolCall, ChatToolOutcome, ChatTools } from '../content/hostPorts.ts';
import type { ModelSurroundings } from '../content/systemPrompt.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ModelTool } from '../models/modelProvider.ts';
import { badArguments, callOwnTool, ownTool, type OwnTool } from './ownTools.ts';
import { type Offer, offerTools } from './toolOffer.ts';

export interface OfferedToolsOptions {
  readonly tools: ChatTools;
  readonly conversation: Conversation;
  /** Whether the provider is an AI; the offline guide gets every tool and none of the chat's own. */
  readonly isAi: boolean;
  readonly choice: () => ToolChoice;
  /** How many tokens the definitions of tools may take. */
  readonly room: () => number;
  readonly found: FoundTools;
  /** Takes the ids of the servers that the person named for the next message. */
  readonly takeNamed: () => readonly string[];
  /** The chat's own tools that are of use now. */
  readonly own: () => readonly OwnTool[];
  readonly surroundings: () => ModelSurroundings;
}

/** The tools of one conversation as its requests name them: what the person chose, what fits, and the chat's own. */
export class BudgetedTools implements ChatTools {
  readonly #options: OfferedToolsOptions;

  constructor(options: OfferedToolsOptions) {
    this.#options = options;
  }

  offer(): Offer {
    const { tools, choice, found, conversation, room, isAi } = this.#options;
    return offerTools(tools.list(conversation.id), choice(), found.of(conversation.id), room(), isAi);
  }

  list(): readonly ModelTool[] {
    const offer = this.offer();
    return [...this.#own(offer).map(({ tool }) => tool), ...offer.offered];
  }

  instructions(): ReturnType<NonNullable<ChatTools['instructions']>> {
    const { offered, hidden } = this.offer();
    const servers = new Set([...offered, ...hidden].map(({ server }) => server));
    return (this.#options.tools.instructions?.() ?? []).filter(({ server }) => servers.has(server));
  }

  surroundings(): ModelSurroundings {
    const hidden = new Map<string, number>();
    this.offer().hidden.forEach(({ server }) => hidden.set(server, (hidden.get(server) ?? 0) + 1));
    return { ...this.#options.surroundings(), hiddenTools: hidden };
  }

  prepare(preparation: Parameters<ChatTools['prepare']>[0]): Promise<void> {
    const { tools, choice, takeNamed } = this.#options;
    return tools.prepare({ ...preparation, named: takeNamed(), pinned: choice().pinned.map(({ serverId }) => serverId) });
  }

  call(call: ChatToolCall): Promise<ChatToolOutcome> {
    const own = this.#own(this.offer()).find(({ tool }) => tool.name === call.name);
    return own === undefined ? this.#options.tools.call(call) : callOwnTool(own, call);
  }

  #own({ hidden, offered }: Offer): readonly OwnTool[] {
    if (!this.#options.isAi) {
      return [];
    }
    return [...(hidden.length > 0 ? [this.#findTools(hidden, offered)] : []), ...this.#options.own()];
  }

  #findTools(hidden: readonly ModelTool[], offered: readonly ModelTool[]): OwnTool {
    const { found, conversation } = this.#options;
    return ownTool(
      'find_tools',
      `Finds tools that are connected but not listed here: ${hidden.length} of them, because there is no room for all. Say in a few words what the tool should do. What is found can be called afterwards.`,
      { query: { type: 'string', description: 'A few words: what the tool does, or the name of its server.' } },
      ['query'],
      ({ arguments: { query } }) => {
        if (typeof query !== 'string' || query.trim() === '') {
          return Promise.resolve(badArguments('"query" must be a few words.'));
        }
        const tools = findTools([...hidden, ...offered], query);
        found.add(
          conversation.id,
          tools.map(({ name }) => name),
        );
        return Promise.resolve(describeFound(tools, hidden.length + offered.length));
      },
    );
  }
}

/** The most tools found by searches that stay offered in one conversation; the earliest make room. */
const maxFoundTools = 60;
/** The most conversations whose found tools are remembered. */
const maxConversations = 50;

/** The names of tools that the model has found by search, for each conversation; the oldest conversations are forgotten. */
export class FoundTools {
  readonly #names = new Map<string, readonly string[]>();

  of(conversationId: string): readonly string[] {
    return this.#names.get(conversationId) ?? [];
  }

  add(conversationId: string, names: readonly string[]): void {
    const before = this.of(conversationId);
    const all = [...before, ...names.filter((name) => !before.includes(name))].slice(-maxFoundTools);
    this.#names.delete(conversationId);
    this.#names.set(conversationId, all);
    const [oldest] = this.#names.keys();
    if (this.#names.size > maxConversations && oldest !== undefined) {
      this.#names.delete(oldest);
    }
  }
}

/** The most tools that one search finds. */
const maxFound = 15;
/** The most words of a query that are looked for. */
const maxWords = 20;
/** The most characters of a found tool's description that the model is told. */
const maxDescription = 200;

/** The tools whose name, server or description match the most words, best first. */
function findTools(tools: readonly ModelTool[], query: string): readonly ModelTool[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, maxWords);
  const ranked = tools.map((tool, index) => ({ tool, index, points: pointsOf(tool, words) })).filter(({ points }) => points > 0);
  ranked.sort((one, other) => other.points - one.points || one.index - other.index);
  return ranked.slice(0, maxFound).map(({ tool }) => tool);
}

function pointsOf({ tool, server, description }: ModelTool, words: readonly string[]): number {
  const [name, of, said] = [tool.toLowerCase(), server.toLowerCase(), description.toLowerCase()];
  return words.reduce(
    (sum, word) => sum + (name === word ? 8 : name.includes(word) ? 4 : 0) + (of.includes(word) ? 1 : 0) + (said.includes(word) ? 1 : 0),
    0,
  );
}

/** What the model reads of the tools found. Descriptions are the servers' words, so they are quoted, and none can end its quotation. */
function describeFound(found: readonly ModelTool[], others: number): string {
  if (found.length === 0) {
    return `No tool matches these words; ${others} tools were searched. Try other words: what the tool would do, or the name of its server.`;
  }
  const lines = found.map((tool) => `${tool.name}: ${JSON.stringify(firstOf(tool.description))}`);
  return ['These tools are listed from now on and can be called by these names. Their descriptions, quoted:', ...lines].join('\n');
}

function firstOf(description: string): string {
  const flat = description.replace(/\s+/g, ' ').trim();
  return flat.length > maxDescription ? `${flat.slice(0, maxDescription)}…` : flat;
}
