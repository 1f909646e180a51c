import type { ModelMessage, OpaqueBlock, TextBlock, ToolResultBlock, ToolUseBlock } from '../models/modelProvider.ts';
import { without } from '../../base/without.ts';

/** One turn of the conversation: a message of the person and all that followed for the model, in order: answers, tool calls and results. */
export interface Turn {
  readonly userItemId: string;
  readonly assistantItemId: string;
  readonly messages: readonly ModelMessage[];
  /** How much of this turn is complete. A retry after a failure goes on from here, so that it repeats no tool call. */
  readonly safe: { readonly messages: number; readonly parts: number };
  /**
   * Whether the turn is no longer sent, because the model refused it: otherwise every later message would be refused with it. It stays
   * on the screen.
   */
  readonly isWithheld: boolean;
  /** Every destination that has had this turn, or may by the person's decision. No other gets it without a question. */
  readonly audience: readonly string[];
  /** The summary that the model gets in place of everything before. */
  readonly compaction?: Compaction | undefined;
}

/** A summary that replaces all earlier turns and the first messages of its own turn. */
export interface Compaction {
  readonly id: string;
  readonly summary: string;
  /** How many messages of its own turn the summary covers. */
  readonly messages: number;
  /** Whether it was made while the turn went on: the person's message is still to be answered then, so it is sent with the summary. */
  readonly isWithinTurn: boolean;
}

type UserContent = Extract<ModelMessage, { role: 'user' }>['content'];
type AssistantContent = readonly (TextBlock | ToolUseBlock | OpaqueBlock)[];

/**
 * The messages that providers accept, whatever happened before: the first is the person's, roles alternate, no text is blank, and every
 * tool call is followed by its own result.
 */
export function toModelMessages(turns: readonly Turn[]): readonly ModelMessage[] {
  const history = compacted(turns.filter((turn) => !turn.isWithheld));
  const cleaned = history.map(clean).filter((message) => message.content.length > 0 || message.role === 'user');
  const merged = merge(cleaned);
  const first = merged.findIndex((message) => message.role === 'user');
  return first < 0 ? [] : pairResults(merged.slice(first)).filter((message) => message.content.length > 0);
}

/** All messages, with the last summary in place of those that it covers. */
function compacted(turns: readonly Turn[]): readonly ModelMessage[] {
  const last = turns.findLastIndex((turn) => turn.compaction !== undefined);
  const [turn, compaction] = [turns[last], turns[last]?.compaction];
  if (turn === undefined || compaction === undefined) {
    return turns.flatMap(({ messages }) => messages);
  }
  const [question] = compaction.isWithinTurn ? turn.messages : [];
  const asked = question?.role === 'user' ? question.content : [];
  return [
    { role: 'user', content: [{ type: 'text', text: compaction.summary }, ...asked] },
    ...turn.messages.slice(compaction.messages),
    ...turns.slice(last + 1).flatMap(({ messages }) => messages),
  ];
}

/** The turns without their summaries. */
export function uncompacted(turns: readonly Turn[]): readonly Turn[] {
  return turns.map((turn) => (turn.compaction === undefined ? turn : without(turn, 'compaction')));
}

/** The beginning of a turn, to go on from. A summary that covers more than that is removed. */
export function cutTurn(turn: Turn, keep: Turn['safe']): Turn {
  const cut = { ...turn, messages: turn.messages.slice(0, keep.messages), safe: keep };
  return (turn.compaction?.messages ?? 0) > keep.messages ? without(cut, 'compaction') : cut;
}

function clean(message: ModelMessage): ModelMessage {
  if (message.role === 'user') {
    return { role: 'user', content: message.content.filter((block) => block.type !== 'text' || block.text.trim() !== '') };
  }
  const content = message.content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  // A stopped answer may end with a thought, which providers do not accept at the end.
  const last = content.findLastIndex((block) => block.type !== 'opaque');
  return { role: 'assistant', content: content.slice(0, last + 1) };
}

function merge(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const merged: ModelMessage[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    if (before?.role === 'user' && message.role === 'user') {
      merged[merged.length - 1] = { role: 'user', content: [...before.content, ...message.content] };
    } else if (before?.role === 'assistant' && message.role === 'assistant') {
      merged[merged.length - 1] = { role: 'assistant', content: [...before.content, ...message.content] };
    } else {
      merged.push(message);
    }
  }
  return merged;
}

function pairResults(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const paired: ModelMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') {
      paired.push(message);
      const isLast = index === messages.length - 1;
      if (isLast && toolUses(message.content).length > 0) {
        paired.push({ role: 'user', content: toolUses(message.content).map(missingResult) });
      }
    } else {
      const before = paired.at(-1);
      paired.push({ role: 'user', content: answerAll(before?.role === 'assistant' ? before.content : [], message.content) });
    }
  }
  return paired;
}

/**
 * The content of a user message after tool calls: first one result for each call, then the rest. A result without a call is left out.
 * Several calls with one id, which an older conversation may have, get their results in order.
 */
function answerAll(asked: AssistantContent, content: UserContent): UserContent {
  const results = new Set(content.filter((block) => block.type === 'toolResult'));
  const answered = toolUses(asked).map((use) => {
    const result = [...results].find(({ toolUseId }) => toolUseId === use.id) ?? missingResult(use);
    results.delete(result);
    return result;
  });
  return [...answered, ...content.filter((block) => block.type !== 'toolResult')];
}

function toolUses(content: AssistantContent): readonly ToolUseBlock[] {
  return content.filter((block) => block.type === 'toolUse');
}

function missingResult(use: ToolUseBlock): ToolResultBlock {
  return {
    type: 'toolResult',
    toolUseId: use.id,
    isError: true,
    outcome: 'cancelled',
    content: [{ type: 'text', text: 'This call did not run: the person stopped the answer first.' }],
  };
}
