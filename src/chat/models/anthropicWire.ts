import type { Anthropic } from '@anthropic-ai/sdk';
import type { ImageBlock, ModelMessage, ModelRequest, ModelTool, TextBlock, ToolResultBlock } from '../modelProvider.ts';

type Params = Anthropic.MessageCreateParamsStreaming;
type ImageType = Anthropic.Base64ImageSource['media_type'];

const cacheHere = { type: 'ephemeral' } as const;

/**
 * The request in Anthropic's words. Three cache marks: after the tools, after the system prompt, and on the last message,
 * so that each round of a turn reads what the round before wrote.
 */
export function toWire(request: ModelRequest): Params {
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    stream: true,
    // An empty text is refused.
    ...(request.system.trim() === '' ? {} : { system: [{ type: 'text' as const, text: request.system, cache_control: cacheHere }] }),
    messages: markLast(request.messages.map((message) => toMessage(message, request.model))),
    ...(request.tools.length === 0 ? {} : { tools: toTools(request.tools) }),
    ...(request.toolChoice === undefined ? {} : { tool_choice: { type: toolChoices[request.toolChoice] } }),
    ...(request.stopSequences === undefined || request.stopSequences.length === 0 ? {} : { stop_sequences: [...request.stopSequences] }),
  };
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
        // Signed for one model: another would refuse it, and may do without.
        return block.provider === 'anthropic' && block.model === model ? [block.value as unknown as Anthropic.ContentBlockParam] : [];
    }
  });
  return { role: 'assistant', content };
}

function toUserBlocks(block: Extract<ModelMessage, { role: 'user' }>['content'][number]): Anthropic.ContentBlockParam[] {
  switch (block.type) {
    case 'text':
    case 'image':
      return [toPart(block)];
    case 'toolResult':
      return [toResult(block)];
    case 'attached':
      return block.content.map(toPart);
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
  return part.type === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', source: { type: 'base64', media_type: part.mimeType as ImageType, data: part.data } };
}

function markLast(messages: Anthropic.MessageParam[]): Anthropic.MessageParam[] {
  const last = messages.at(-1);
  if (last?.role !== 'user' || typeof last.content === 'string') {
    return messages;
  }
  const content = last.content.map((block, index, all) => (index === all.length - 1 ? { ...block, cache_control: cacheHere } : block));
  return [...messages.slice(0, -1), { role: 'user', content: content as Anthropic.ContentBlockParam[] }];
}
