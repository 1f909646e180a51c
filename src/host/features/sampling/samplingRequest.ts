import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type {
  AudioContent,
  ChosenModel,
  ImageContent,
  ModelWishes,
  SamplingContent,
  SamplingMessage,
  SamplingRequest,
  SamplingTool,
  TextContent,
} from '../../../contract/chat/samplingModel.ts';
import { invalidParams, rpcError } from '../handlerContext.ts';

/** The most characters of all texts of a sampling request, because all of them are shown. */
const maxTextLength = 200_000;
/** The most pieces of content in a sampling request. */
const maxBlocks = 200;
/** The most tools in a sampling request. */
const maxTools = 100;
/** The most stop sequences in a sampling request. */
const maxStopSequences = 100;
/** The limit on the Base64 of all images and sounds together, because all of them are shown. */
const maxDataLength = 10_000_000;
/** The most characters of the name of a tool in a sampling request. */
const maxNameLength = 128;
/** The most characters of the MIME type of an image or a sound. */
const maxMimeTypeLength = 100;
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

type ContextWish = 'none' | 'thisServer' | 'allServers';

/** The parts of a request that this side looks at, as the protocol has them. */
export interface SamplingParams {
  readonly systemPrompt?: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: unknown }[];
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly modelPreferences?:
    | {
        readonly hints?: readonly { readonly name?: string | undefined }[] | undefined;
        readonly costPriority?: number | undefined;
        readonly speedPriority?: number | undefined;
        readonly intelligencePriority?: number | undefined;
      }
    | undefined;
  readonly includeContext?: ContextWish | undefined;
  readonly metadata?: unknown;
  readonly tools?: readonly unknown[] | undefined;
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' | undefined } | undefined;
}

/** A server's request, read and checked, but with nothing capped yet. */
export interface AskedSampling extends Omit<SamplingRequest, 'model'> {
  readonly wishes: ModelWishes;
  readonly metadata: JsonObject | undefined;
  /** `allServers` gives no more than `thisServer`: the results of one server are not shown to another. */
  readonly wantsContext: boolean;
}

/** Throws the error that the server gets when its request is not valid. */
export function readSampling(params: SamplingParams): AskedSampling {
  const { systemPrompt = '', stopSequences = [], modelPreferences = {}, includeContext = 'none', metadata, toolChoice } = params;
  const given = params.messages.map(({ role, content }): SamplingMessage => ({ role, content: [content].flat().map(readContent) }));
  checkSizes(given, JSON.stringify([systemPrompt, stopSequences, params.tools, metadata, modelPreferences]).length);
  checkToolPairs(given);
  const messages = withOwnIds(given);
  const tools = (params.tools ?? []).map(readTool);
  if (tools.length > maxTools || new Set(tools.map(({ name }) => name)).size < tools.length) {
    throw rpcError(invalidParams, `A sampling request has at most ${maxTools} tools, each with a name of its own.`);
  }
  if (stopSequences.length > maxStopSequences) {
    throw rpcError(invalidParams, `A sampling request has at most ${maxStopSequences} stop sequences.`);
  }
  if (params.maxTokens < 1) {
    throw rpcError(invalidParams, 'maxTokens is at least 1.');
  }
  return {
    systemPrompt,
    messages,
    maxTokens: params.maxTokens,
    temperature: params.temperature,
    stopSequences,
    tools,
    toolChoice: tools.length === 0 ? undefined : toolChoice?.mode,
    wishes: {
      hints: (modelPreferences.hints ?? []).flatMap(({ name = '' }) => (name.trim() === '' ? [] : [name])).slice(0, 20),
      cost: modelPreferences.costPriority,
      speed: modelPreferences.speedPriority,
      intelligence: modelPreferences.intelligencePriority,
    },
    metadata: isJsonObject(metadata) ? metadata : undefined,
    wantsContext: includeContext !== 'none',
  };
}

/** Applies the limits of this side. */
export function capSampling(asked: AskedSampling, { maxTokens }: ChosenModel): Pick<SamplingRequest, 'maxTokens' | 'temperature'> {
  const { temperature } = asked;
  return {
    maxTokens: Math.min(asked.maxTokens, maxTokens),
    ...(temperature === undefined ? {} : { temperature: Math.min(1, Math.max(0, temperature)) }),
  };
}

function readContent(block: unknown): SamplingContent {
  const type = isJsonObject(block) ? block['type'] : undefined;
  if (isJsonObject(block) && type === 'tool_use') {
    const { id, name, input } = block;
    return { type: 'toolUse', id: textOf(id), name: toolName(textOf(name)), input: isJsonObject(input) ? input : {} };
  }
  if (isJsonObject(block) && type === 'tool_result') {
    const { toolUseId, isError, content } = block;
    const parts = Array.isArray(content) ? content.map(readResultContent) : [];
    return { type: 'toolResult', toolUseId: textOf(toolUseId), isError: isError === true, content: parts };
  }
  return readPlainContent(block) ?? notTaken(type);
}

function readPlainContent(block: unknown): TextContent | ImageContent | AudioContent | undefined {
  if (!isJsonObject(block)) {
    return undefined;
  }
  const { type, text, data, mimeType } = block;
  if (type === 'text' && typeof text === 'string') {
    return { type: 'text', text };
  }
  if ((type !== 'image' && type !== 'audio') || typeof data !== 'string' || typeof mimeType !== 'string') {
    return undefined;
  }
  if (mimeType.length > maxMimeTypeLength) {
    throw rpcError(invalidParams, `A MIME type has at most ${maxMimeTypeLength} characters.`);
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data) || (type === 'image' && !imageTypes.includes(mimeType))) {
    throw rpcError(invalidParams, 'This client takes PNG, JPEG, GIF and WebP images and any audio, both in base64.');
  }
  return { type, mimeType, data };
}

/** The result of a tool may also hold a link or a resource: of those the model gets the text. */
function readResultContent(block: unknown): TextContent | ImageContent | AudioContent {
  const plain = readPlainContent(block);
  if (plain !== undefined) {
    return plain;
  }
  const resource = isJsonObject(block) ? block['resource'] : undefined;
  const text = isJsonObject(resource) ? resource['text'] : undefined;
  return { type: 'text', text: typeof text === 'string' ? text : JSON.stringify(block) };
}

function readTool(tool: unknown): SamplingTool {
  const { name, description, inputSchema } = isJsonObject(tool) ? tool : {};
  if (typeof name !== 'string' || name === '' || !isJsonObject(inputSchema)) {
    throw rpcError(invalidParams, 'A tool has a name and an input schema.');
  }
  return { name: toolName(name), description: typeof description === 'string' ? description : '', inputSchema };
}

/** Everything is shown to the person, so everything counts. */
function checkSizes(messages: readonly SamplingMessage[], otherLength: number): void {
  const blocks = everyBlock(messages);
  const texts = blocks.reduce((sum, block) => sum + wordsOf(block).length, otherLength);
  const data = blocks.reduce((sum, block) => sum + ('data' in block ? block.data.length : 0), 0);
  if (messages.some(({ content }) => content.length === 0) || blocks.length === 0 || blocks.length > maxBlocks || texts > maxTextLength) {
    throw rpcError(invalidParams, `A sampling request has 1 to ${maxBlocks} pieces of content and at most ${maxTextLength} characters.`);
  }
  if (data > maxDataLength) {
    throw rpcError(invalidParams, `The images and sounds of a sampling request have at most ${maxDataLength} characters of base64.`);
  }
}

/** All blocks, also those inside tool results. */
export function everyBlock(messages: readonly SamplingMessage[]): readonly SamplingContent[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block): readonly SamplingContent[] => (block.type === 'toolResult' ? [block, ...block.content] : [block])),
  );
}

/** The text of a block, for the person and the model. */
export function wordsOf(block: SamplingContent): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'toolUse':
      return block.name + JSON.stringify(block.input);
    case 'image':
    case 'audio':
      return block.mimeType;
    case 'toolResult':
      return '';
  }
}

/** Every use of a tool must be answered by the next message, which holds nothing but results. */
function checkToolPairs(messages: readonly SamplingMessage[]): void {
  let open: readonly string[] = [];
  for (const { role, content } of messages) {
    const results = content.flatMap((block) => (block.type === 'toolResult' ? [block.toolUseId] : []));
    if (results.length > 0 && (role !== 'user' || results.length < content.length)) {
      throw rpcError(invalidParams, 'Tool results mixed with other content');
    }
    if (open.some((id) => !results.includes(id)) || results.some((id) => !open.includes(id))) {
      throw rpcError(invalidParams, 'Tool result missing in request');
    }
    open = content.flatMap((block) => (block.type === 'toolUse' ? [block.id] : []));
    if (open.length > 0 && role !== 'assistant') {
      throw rpcError(invalidParams, 'Only the assistant uses tools');
    }
  }
  if (open.length > 0) {
    throw rpcError(invalidParams, 'Tool result missing in request');
  }
}

/**
 * Replaces the ids of tool uses, and keeps the pairs. The server's own ids could be long or carry a message, and the person
 * is not shown them.
 */
function withOwnIds(messages: readonly SamplingMessage[]): readonly SamplingMessage[] {
  let last = new Map<string, string>();
  let count = 0;
  return messages.map(({ role, content }) => {
    const now = new Map<string, string>();
    const renamed = content.map((block): SamplingContent => {
      if (block.type === 'toolUse') {
        const id = now.get(block.id) ?? `use_${(count += 1)}`;
        now.set(block.id, id);
        return { ...block, id };
      }
      return block.type === 'toolResult' ? { ...block, toolUseId: last.get(block.toolUseId) ?? '' } : block;
    });
    last = now;
    return { role, content: renamed };
  });
}

function toolName(name: string): string {
  if (name.length > maxNameLength) {
    throw rpcError(invalidParams, `The name of a tool has at most ${maxNameLength} characters.`);
  }
  return name;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function notTaken(type: unknown): never {
  throw rpcError(invalidParams, `This client takes no content of the type “${textOf(type).slice(0, 50)}” in sampling.`);
}
