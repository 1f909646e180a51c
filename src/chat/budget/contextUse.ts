import type { ContextSource } from '../../contract/chat/contextBudget.ts';
import type { ModelMessage, ModelTool } from '../modelProvider.ts';
import { toolTokens } from './toolOffer.ts';
import { estimateDocument, estimateTokens, imageTokens } from './tokenEstimate.ts';

/** What a request is made of. */
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

/** Estimated, by where it comes from; what is empty is left out. */
export function contextSources({ system, tools, messages }: RequestParts): ContextSource[] {
  const ofMessages = messages.map(messageTokens);
  const sum = (kind: keyof MessageTokens): number => ofMessages.reduce((total, each) => total + each[kind], 0);
  const sources: ContextSource[] = [
    { kind: 'instructions', tokens: estimateTokens(system) },
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

/** Blocks are replaced, never changed: each is counted once. */
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
      return estimateTokens(block.text);
    case 'image':
      return imageTokens;
    case 'document':
      return estimateDocument(block.data);
    case 'toolUse':
      return estimateTokens(block.name) + estimateTokens(JSON.stringify(block.input));
    case 'opaque':
      return estimateTokens(JSON.stringify(block.value));
    case 'toolResult':
    case 'attached':
      return block.content.reduce((sum, part) => sum + estimateBlock(part), 0);
  }
}
