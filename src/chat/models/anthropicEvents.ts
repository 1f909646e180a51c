import type { Anthropic } from '@anthropic-ai/sdk';
import { isJsonObject, type JsonObject, parsedObject } from '../../base/json.ts';
import type { ModelEvent, RequestUsage, AnswerStopReason } from './modelProvider.ts';
import { modelError } from './modelErrors.ts';

type WireEvent = Anthropic.RawMessageStreamEvent;
type ToolUseEvent = Extract<ModelEvent, { kind: 'toolUse' }>;

interface OpenBlock {
  readonly start: Anthropic.ContentBlock;
  json: string;
  thinking: string;
  signature: string;
}

/** Converts Anthropic's stream into our events. Throws `model.stream` when it ends without its last event. */
export async function* toModelEvents(events: AsyncIterable<WireEvent>, model: string): AsyncGenerator<ModelEvent> {
  const reader = new StreamReader(model);
  for await (const event of events) {
    yield* reader.read(event);
  }
  if (!reader.isComplete) {
    throw modelError('model.stream');
  }
}

class StreamReader {
  isComplete = false;
  readonly #model: string;
  readonly #open = new Map<number, OpenBlock>();
  #input: Omit<RequestUsage, 'outputTokens'> = { inputTokens: 0 };
  #stop: Extract<ModelEvent, { kind: 'stop' }> = { kind: 'stop', reason: 'end' };

  constructor(model: string) {
    this.#model = model;
  }

  *read(event: WireEvent): Generator<ModelEvent> {
    switch (event.type) {
      case 'message_start':
        this.#input = inputUsage(event.message.usage);
        yield { kind: 'usage', ...this.#input, outputTokens: event.message.usage.output_tokens };
        break;
      case 'content_block_start':
        yield* this.#start(event.index, event.content_block);
        break;
      case 'content_block_delta':
        yield* this.#delta(event.index, event.delta);
        break;
      case 'content_block_stop':
        yield* this.#close(event.index);
        break;
      case 'message_delta':
        yield* this.#finish(event);
        break;
      case 'message_stop':
        this.isComplete = true;
        yield this.#stop;
        break;
      // There is no default: unknown kinds of events are ignored.
    }
  }

  *#start(index: number, block: Anthropic.ContentBlock): Generator<ModelEvent> {
    this.#open.set(index, { start: block, json: '', thinking: '', signature: '' });
    if (block.type === 'text' && block.text !== '') {
      yield { kind: 'text', text: block.text };
    } else if (block.type === 'thinking' && block.thinking !== '') {
      yield { kind: 'thinking', text: block.thinking };
    }
  }

  *#delta(index: number, delta: Anthropic.RawContentBlockDelta): Generator<ModelEvent> {
    const block = this.#open.get(index);
    if (delta.type === 'text_delta') {
      yield { kind: 'text', text: delta.text };
    } else if (block !== undefined && delta.type === 'input_json_delta') {
      block.json += delta.partial_json;
    } else if (block !== undefined && delta.type === 'thinking_delta') {
      block.thinking += delta.thinking;
      yield { kind: 'thinking', text: delta.thinking };
    } else if (block !== undefined && delta.type === 'signature_delta') {
      block.signature += delta.signature;
    }
  }

  *#close(index: number): Generator<ModelEvent> {
    const block = this.#open.get(index);
    this.#open.delete(index);
    if (block?.start.type === 'tool_use') {
      yield toToolUse(block.start.id, block.start.name, block.json, block.start.input);
    } else if (block?.start.type === 'thinking') {
      const thinking = block.start.thinking + block.thinking;
      const signature = block.start.signature + block.signature;
      yield this.#opaque({ type: 'thinking', thinking, signature });
    } else if (block?.start.type === 'redacted_thinking') {
      yield this.#opaque({ type: 'redacted_thinking', data: block.start.data });
    }
  }

  #opaque(value: JsonObject): ModelEvent {
    return { kind: 'opaque', block: { type: 'opaque', provider: 'anthropic', model: this.#model, value } };
  }

  *#finish(event: Anthropic.RawMessageDeltaEvent): Generator<ModelEvent> {
    const explanation = event.delta.stop_details?.explanation ?? undefined;
    this.#stop = { kind: 'stop', reason: toStopReason(event.delta.stop_reason), ...(explanation === undefined ? {} : { explanation }) };
    // The counts are cumulative, and lack the input when it did not change.
    const input = inputUsage(event.usage);
    yield { kind: 'usage', ...(input.inputTokens > 0 ? input : this.#input), outputTokens: event.usage.output_tokens };
  }
}

function inputUsage(usage: Partial<Anthropic.MessageDeltaUsage>): Omit<RequestUsage, 'outputTokens'> {
  const written = usage.cache_creation_input_tokens ?? 0;
  const read = usage.cache_read_input_tokens ?? 0;
  return {
    inputTokens: (usage.input_tokens ?? 0) + written + read,
    ...(read === 0 ? {} : { cacheReadTokens: read }),
    ...(written === 0 ? {} : { cacheWrittenTokens: written }),
  };
}

function toToolUse(id: string, name: string, json: string, initial: unknown): ToolUseEvent {
  if (json.trim() === '') {
    return { kind: 'toolUse', id, name, input: isJsonObject(initial) ? initial : {} };
  }
  const input = parsedObject(json);
  return input === undefined ? { kind: 'toolUse', id, name, input: {}, malformedInput: json } : { kind: 'toolUse', id, name, input };
}

function toStopReason(reason: Anthropic.StopReason | null): AnswerStopReason {
  switch (reason) {
    case 'tool_use':
      return 'toolUse';
    case 'max_tokens':
      return 'maxTokens';
    case 'model_context_window_exceeded':
      return 'contextFull';
    case 'refusal':
      return 'refusal';
    case 'stop_sequence':
      return 'stopSequence';
    case 'end_turn':
    case 'pause_turn':
    case null:
      return 'end';
    default:
      // A reason of a later version of the API: the answer is there, so it counts as finished.
      return 'end';
  }
}
