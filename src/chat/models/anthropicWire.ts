import type { Anthropic } from '@anthropic-ai/sdk';
import { maxModelName, modelLabel } from './knownModels.ts';
import type {
  DocumentBlock,
  ImageBlock,
  ModelInfo,
  ModelMessage,
  ModelRequest,
  ModelTool,
  OpaqueBlock,
  TextBlock,
  ToolResultBlock,
} from './modelProvider.ts';

type Params = Anthropic.MessageCreateParamsStreaming;
type ImageType = Anthropic.Base64ImageSource['media_type'];

const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] satisfies readonly ImageType[];
/** The smallest budget for thinking that Anthropic accepts. */
const minThinkingTokens = 1_024;

const cacheHere = { type: 'ephemeral' } as const;

/**
 * The request in Anthropic's format. It has three cache marks, after the tools, after the system prompt and on the last message, so
 * that each round of a turn reads from the cache what the round before wrote.
 */
export function toWire(request: ModelRequest, thinking?: ModelInfo['thinking']): Params {
  return { ...toCountedWire(request, thinking), max_tokens: request.maxTokens, stream: true, ...stopsOf(request) };
}

/** The part of a request that counts as input tokens. */
export function toCountedWire(request: ModelRequest, thinking?: ModelInfo['thinking']): Anthropic.MessageCountTokensParams {
  return {
    model: request.model,
    // Anthropic refuses an empty text.
    ...(request.system.trim() === '' ? {} : { system: [{ type: 'text' as const, text: request.system, cache_control: cacheHere }] }),
    messages: markLast(request.messages.map((message) => toMessage(message, request.model))),
    ...(request.tools.length === 0 ? {} : { tools: toTools(request.tools) }),
    ...(request.toolChoice === undefined ? {} : { tool_choice: { type: toolChoices[request.toolChoice] } }),
    ...thinkingParams(request, thinking),
  };
}

function stopsOf({ stopSequences = [] }: ModelRequest): Pick<Params, 'stop_sequences'> {
  return stopSequences.length === 0 ? {} : { stop_sequences: [...stopSequences] };
}

/**
 * The parameters for thinking. Some models decide themselves how long to think; others get a budget, which is part of the answer's
 * limit.
 */
function thinkingParams(request: ModelRequest, thinking: ModelInfo['thinking']): Pick<Params, 'thinking'> {
  if (request.thinking !== true || thinking === undefined) {
    return {};
  }
  if (thinking === 'adaptive') {
    return { thinking: { type: 'adaptive', display: 'summarized' } };
  }
  const budget = Math.max(minThinkingTokens, Math.floor(request.maxTokens / 2));
  return budget < request.maxTokens && !isLoopWithoutThought(request) ? { thinking: { type: 'enabled', budget_tokens: budget } } : {};
}

/** Whether the tool calls whose results go back now were made without a thought. Anthropic then refuses a thinking budget. */
function isLoopWithoutThought({ messages, model }: ModelRequest): boolean {
  const [before, last] = messages.slice(-2);
  const isLoop = last?.role === 'user' && last.content.some(({ type }) => type === 'toolResult');
  const hasThought = before?.role === 'assistant' && before.content.some((block) => block.type === 'opaque' && isOf(block, model));
  return isLoop && !hasThought;
}

/** Whether a block belongs to this model. It is signed for one model, and another would refuse it. */
function isOf(block: OpaqueBlock, model: string): boolean {
  return block.provider === 'anthropic' && block.model === model;
}

const toolChoices = { auto: 'auto', required: 'any', none: 'none' } as const;

function toTools(tools: readonly ModelTool[]): Anthropic.Tool[] {
  return tools.map((tool, index) => ({
    name: tool.name,
    description: tool.description,
    input_schema: { ...tool.inputSchema, type: 'object' },
    ...(index === tools.length - 1 ? { cache_control: cacheHere } : {}),
  }));
}

function toMessage(message: ModelMessage, model: string): Anthropic.MessageParam {
  if (message.role === 'user') {
    return { role: 'user', content: message.content.flatMap(toUserBlocks) };
  }
  const content = message.content.flatMap((block): Anthropic.ContentBlockParam[] => {
    switch (block.type) {
      case 'text':
        return [{ type: 'text', text: block.text }];
      case 'toolUse':
        return [{ type: 'tool_use', id: block.id, name: block.name, input: block.input }];
      case 'opaque':
        return isOf(block, model) ? [block.value as unknown as Anthropic.ContentBlockParam] : [];
    }
  });
  return { role: 'assistant', content };
}

function toUserBlocks(block: Extract<ModelMessage, { role: 'user' }>['content'][number]): Anthropic.ContentBlockParam[] {
  switch (block.type) {
    case 'text':
    case 'image':
      return [toPart(block)];
    case 'document':
      return [toDocument(block)];
    case 'toolResult':
      return [toResult(block)];
    case 'attached':
      return block.content.map((part) => (part.type === 'document' ? toDocument(part) : toPart(part)));
  }
}

function toResult(block: ToolResultBlock): Anthropic.ToolResultBlockParam {
  return {
    type: 'tool_result',
    tool_use_id: block.toolUseId,
    is_error: block.isError,
    content: block.content.map(toPart),
  };
}

function toPart(part: TextBlock | ImageBlock): Anthropic.TextBlockParam | Anthropic.ImageBlockParam {
  if (part.type === 'text') {
    return { type: 'text', text: part.text };
  }
  // An image of another kind would make this request and every later one fail.
  return imageTypes.includes(part.mimeType)
    ? { type: 'image', source: { type: 'base64', media_type: part.mimeType as ImageType, data: part.data } }
    : { type: 'text', text: `[Left out: an image (${part.mimeType.slice(0, 100)}), which this model cannot take]` };
}

function toDocument({ mimeType, data, name }: DocumentBlock): Anthropic.DocumentBlockParam {
  return { type: 'document', source: { type: 'base64', media_type: mimeType, data }, title: name.slice(0, 200) };
}

function markLast(messages: Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  const last = messages.at(-1);
  if (last?.role !== 'user' || typeof last.content === 'string') {
    return messages;
  }
  const content = last.content.map((block, index, all) => (index === all.length - 1 ? { ...block, cache_control: cacheHere } : block));
  return [...messages.slice(0, -1), { role: 'user', content: content as Anthropic.ContentBlockParam[] }];
}

/** What an endpoint says of a model; gateways leave much of it out. */
type ListedModel = { readonly [key in keyof Anthropic.ModelInfo]?: Anthropic.ModelInfo[key] | undefined };

/** What we know of a listed model; undefined when its id is missing or too long, because a cut id would name another model. */
export function toModelInfo(listed: ListedModel | null): ModelInfo | undefined {
  const model = typeof listed === 'object' && listed !== null ? listed : {};
  const { id } = model;
  if (typeof id !== 'string' || id === '' || id.length > maxModelName) {
    return undefined;
  }
  const thinking = thinkingOf(model);
  return {
    id,
    label: modelLabel(typeof model.display_name === 'string' && model.display_name !== '' ? model.display_name : id),
    ...(typeof model.max_input_tokens === 'number' ? { contextTokens: model.max_input_tokens } : {}),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

/** How a model is told to think. When nothing is said, it is the older way, which endpoints other than Anthropic's know. */
export function thinkingOf({ capabilities }: ListedModel): ModelInfo['thinking'] {
  const thinking = memberOf(capabilities, 'thinking');
  const types = memberOf(thinking, 'types');
  const isSaid = (type: string): unknown => memberOf(memberOf(types, type), 'supported');
  if (isSaid('adaptive') === true) {
    return 'adaptive';
  }
  const isRuledOut = isSaid('enabled') === false || memberOf(thinking, 'supported') === false;
  return isRuledOut ? undefined : 'budgeted';
}

/** A member of a value of unknown shape. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
