import { Emitter } from '../../base/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { ContextSource } from '../../contract/chat/contextBudget.ts';
import { estimateTokens } from '../../contract/chat/modelPrices.ts';
import type { AttachedBlock, ModelMessage, ModelProvider, ModelTool } from '../models/modelProvider.ts';
import { toolTokens } from './toolOffer.ts';

/** The parts of a request that take room in the model's context. */
export interface RequestParts {
  readonly system: string;
  readonly tools: readonly ModelTool[];
  readonly messages: readonly ModelMessage[];
}

type Block = ModelMessage['content'][number];
interface MessageTokens {
  readonly attachments: number;
  readonly results: number;
  readonly conversation: number;
}

/** Estimates the tokens of a request by where they come from, without empty sources. */
export function contextSources({ system, tools, messages }: RequestParts): ContextSource[] {
  const ofMessages = messages.map(messageTokens);
  const sum = (kind: keyof MessageTokens): number => ofMessages.reduce((total, each) => total + each[kind], 0);
  const sources: ContextSource[] = [
    { kind: 'instructions', tokens: estimateTokens([system]) },
    ...toolSources(tools),
    { kind: 'attachments', tokens: sum('attachments') },
    { kind: 'results', tokens: sum('results') },
    { kind: 'conversation', tokens: sum('conversation') },
  ];
  return sources.filter(({ tokens }) => tokens > 0);
}

export function totalTokens(sources: readonly ContextSource[]): number {
  return sources.reduce((sum, { tokens }) => sum + tokens, 0);
}

function toolSources(tools: readonly ModelTool[]): ContextSource[] {
  const servers = new Map<string, number>();
  for (const tool of tools) {
    servers.set(tool.server, (servers.get(tool.server) ?? 0) + toolTokens(tool));
  }
  return [...servers].map(([server, tokens]) => ({ kind: 'tools', server, tokens }));
}

function messageTokens(message: ModelMessage): MessageTokens {
  const tokens = { attachments: 0, results: 0, conversation: 0 };
  message.content.forEach((block) => {
    tokens[kindOf(block)] += blockTokens(block);
  });
  return tokens;
}

function kindOf({ type }: Block): keyof MessageTokens {
  return type === 'toolResult' ? 'results' : type === 'text' || type === 'toolUse' || type === 'opaque' ? 'conversation' : 'attachments';
}

/** The estimate of each block. Blocks are replaced and never changed, so each is estimated once. */
const counted = new WeakMap<Block, number>();

function blockTokens(block: Block): number {
  const before = counted.get(block);
  if (before !== undefined) {
    return before;
  }
  const tokens = estimateBlock(block);
  counted.set(block, tokens);
  return tokens;
}

function estimateBlock(block: Block): number {
  switch (block.type) {
    case 'text':
    case 'image':
    case 'document':
      return estimateParts([block]);
    case 'toolUse':
      return estimateTokens([block.name, JSON.stringify(block.input)]);
    case 'opaque':
      return estimateTokens([JSON.stringify(block.value)]);
    case 'toolResult':
    case 'attached':
      return estimateParts(block.content);
  }
}

/** A page of a document costs its text and a picture of it; how many pages a file has is guessed from its length. */
const pageTokens = 3_000;
const base64OfAPage = 70_000;

/** An estimate of what the model reads of a result or an attachment. */
export function estimateParts(parts: AttachedBlock['content']): number {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const images = parts.filter(({ type }) => type === 'image').length;
  const pages = parts.map((part) => (part.type === 'document' ? Math.max(1, Math.ceil(part.data.length / base64OfAPage)) : 0));
  return estimateTokens(texts, images) + pages.reduce((sum, count) => sum + count * pageTokens, 0);
}

/** A ratio outside of these limits means that the provider counted something else than was sent. */
const [minRatio, maxRatio] = [0.4, 2.5];

/** What is known of each model: the size of its context, and how its provider counts tokens. */
export class ContextLimits implements Disposable {
  readonly #limits = new WeakMap<ModelProvider, Map<string, number | undefined>>();
  readonly #asked = new WeakMap<ModelProvider, Set<string>>();
  readonly #ratios = new Map<string, number>();
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;

  limitOf(provider: ModelProvider, model: string | undefined): number | undefined {
    return model === undefined ? undefined : this.#limits.get(provider)?.get(model);
  }

  /**
   * Asks the provider, once for each model and without waiting, for the size of its context. A model that the provider does not
   * describe has no known limit.
   */
  ask(provider: ModelProvider, model: string, signal: AbortSignal): void {
    const asked = this.#asked.get(provider) ?? new Set<string>();
    this.#asked.set(provider, asked);
    if (!provider.isAi || asked.has(model)) {
      return;
    }
    asked.add(model);
    provider
      .listModels(signal)
      .then((models) => {
        this.#limits.set(provider, new Map(models.map(({ id, contextTokens }) => [id, contextTokens])));
        this.#changed.fire();
      })
      .catch(() => asked.delete(model)); // stopped or out of reach, so it is asked again next time
  }

  /** How many tokens the provider counts for each estimated token. */
  ratioOf(model: string | undefined): number | undefined {
    return model === undefined ? undefined : this.#ratios.get(model);
  }

  learn(model: string, estimated: number, countedTokens: number): void {
    const ratio = countedTokens / estimated;
    if (estimated > 0 && ratio >= minRatio && ratio <= maxRatio) {
      this.#ratios.set(model, ratio);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
