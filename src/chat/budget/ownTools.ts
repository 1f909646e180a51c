import { messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ChatToolCall, ChatToolOutcome } from '../chatTools.ts';
import type { ModelTool } from '../modelProvider.ts';

/** Whose they are, as people see it. */
const ownServer = 'Duplex';

/** A tool of the chat itself. Its name holds no `__`, which every name of a server's tool does. */
export interface OwnTool {
  readonly tool: ModelTool;
  /** What the model reads. Throws when it cannot be had; the reason is for the model. */
  run(call: ChatToolCall): Promise<ChatToolOutcome | string>;
}

export function ownTool(
  name: string,
  description: string,
  properties: JsonObject,
  required: readonly string[],
  run: OwnTool['run'],
): OwnTool {
  const inputSchema: JsonObject = { type: 'object', properties, required: [...required], additionalProperties: false };
  return { tool: { name, server: ownServer, tool: name, description, inputSchema, isOwn: true }, run };
}

export async function callOwnTool(own: OwnTool, call: ChatToolCall): Promise<ChatToolOutcome> {
  call.onStart(call.arguments);
  try {
    const said = await own.run(call);
    return typeof said === 'string' ? textOutcome(said) : said;
  } catch (error) {
    call.signal.throwIfAborted();
    const message = messageOf(error);
    return { kind: 'failed', message, sentence: message };
  }
}

export function textOutcome(text: string): ChatToolOutcome {
  return { kind: 'result', isError: false, items: [{ kind: 'text', text }] };
}

/** For the model: it sent something else than was asked for. */
export function badArguments(text: string): ChatToolOutcome {
  return { kind: 'result', isError: true, items: [{ kind: 'text', text }] };
}
