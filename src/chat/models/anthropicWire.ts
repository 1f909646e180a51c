import type { Anthropic } from '@anthropic-ai/sdk';
import { toolForAnthropic } from './anthropicTools.ts';
import { maxModelName, modelLabel } from './knownModels.ts';
import { type TakenImages, takenImages } from './modelImages.ts';
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
    messages: markLast(new MessageWriter(request).write()),
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
    ...toolForAnthropic(tool).wire,
    ...(index === tools.length - 1 ? { cache_control: cacheHere } : {}),
  }));
}

type UserBlock = Extract<ModelMessage, { role: 'user' }>['content'][number];

/** Writes the messages of one request. */
class MessageWriter {
  readonly #request: ModelRequest;
  readonly #images: TakenImages;
  readonly #tools: ReadonlyMap<string, ModelTool>;
  readonly #ids = new CallIds();

  constructor(request: ModelRequest) {
    this.#request = request;
    this.#images = takenImages(request.messages);
    this.#tools = new Map(request.tools.map((tool) => [tool.name, tool]));
  }

  write(): Anthropic.MessageParam[] {
    return this.#request.messages.map((message) => {
      if (message.role === 'user') {
        return { role: 'user', content: message.content.flatMap((block) => this.#userBlocks(block)) };
      }
      this.#ids.beginAnswer();
      return { role: 'assistant', content: message.content.flatMap((block) => this.#answerBlocks(block)) };
    });
  }

  #answerBlocks(block: Extract<ModelMessage, { role: 'assistant' }>['content'][number]): Anthropic.ContentBlockParam[] {
    switch (block.type) {
      case 'text':
        return [{ type: 'text', text: block.text }];
      case 'toolUse': {
        const tool = this.#tools.get(block.name);
        const input = tool === undefined ? block.input : toolForAnthropic(tool).argumentsFor(block.input);
        return [{ type: 'tool_use', id: this.#ids.ofCall(block.id), name: block.name, input }];
      }
      case 'opaque':
        return isOf(block, this.#request.model) ? [block.value as unknown as Anthropic.ContentBlockParam] : [];
    }
  }

  #userBlocks(block: UserBlock): Anthropic.ContentBlockParam[] {
    switch (block.type) {
      case 'text':
      case 'image':
        return [this.#part(block)];
      case 'document':
        return [this.#document(block)];
      case 'toolResult':
        return [this.#result(block)];
      case 'attached':
        return block.content.map((part) => (part.type === 'document' ? this.#document(part) : this.#part(part)));
    }
  }

  /** The result of a call. Anthropic takes nothing but text in one that failed, and no failure without a word. */
  #result({ toolUseId, isError, content }: ToolResultBlock): Anthropic.ToolResultBlockParam {
    const parts = content.map((part) =>
      part.type === 'image' && isError ? leftOut(part.mimeType, 'which only the person can see') : this.#part(part),
    );
    const isSilent = isError && parts.length === 0;
    return {
      type: 'tool_result',
      tool_use_id: this.#ids.ofResult(toolUseId),
      is_error: isError,
      content: isSilent ? [{ type: 'text', text: 'The call failed without a word.' }] : parts,
    };
  }

  #part(part: TextBlock | ImageBlock): Anthropic.TextBlockParam | Anthropic.ImageBlockParam {
    if (part.type === 'text') {
      return { type: 'text', text: part.text };
    }
    const type = this.#images.typeOf(part);
    if (type === undefined) {
      return leftOut(part.mimeType, 'which this model cannot take');
    }
    return this.#images.hasRoomFor(part)
      ? { type: 'image', source: { type: 'base64', media_type: type, data: part.data } }
      : leftOut(type, 'because later ones take up the room');
  }

  #document(block: DocumentBlock): Anthropic.DocumentBlockParam | Anthropic.TextBlockParam {
    const { mimeType, data, name } = block;
    return this.#images.hasRoomFor(block)
      ? { type: 'document', source: { type: 'base64', media_type: mimeType, data }, title: name.slice(0, 200) }
      : { type: 'text', text: `[Left out: the document ${name.slice(0, 200)}, because later ones take up the room]` };
  }
}

function leftOut(mimeType: string, why: string): Anthropic.TextBlockParam {
  return { type: 'text', text: `[Left out: an image (${mimeType.slice(0, 100)}), ${why}]` };
}

/**
 * The ids of tool calls as Anthropic takes them: of letters, digits, `_` and `-`, and each of one call alone. Other providers make
 * other ids, and some the same one in every answer, or for every call of an answer.
 */
class CallIds {
  readonly #given = new Set<string>();
  /** The ids that the calls with an id were given in the last answer, in order, as far as their results are still to come. */
  readonly #open = new Map<string, readonly string[]>();

  beginAnswer(): void {
    this.#open.clear();
  }

  /** The id of a call; every call of the conversation asks once, in order. */
  ofCall(id: string): string {
    const plain = id.replaceAll(/[^A-Za-z0-9_-]/g, (character) => `-${character.charCodeAt(0).toString(16)}-`);
    const wanted = plain === '' ? 'call' : plain;
    let given = wanted;
    for (let count = 2; this.#given.has(given); count += 1) {
      given = `${wanted}-${count}`;
    }
    this.#given.add(given);
    this.#open.set(id, [...(this.#open.get(id) ?? []), given]);
    return given;
  }

  /** The id in a result, which belongs to the first call with that id that has none yet. */
  ofResult(id: string): string {
    const [given = this.ofCall(id), ...later] = this.#open.get(id) ?? [];
    this.#open.set(id, later);
    return given;
  }
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
