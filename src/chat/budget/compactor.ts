import { isAbort } from '../../base/errors.ts';
import { untilAborted } from '../../base/abort.ts';
import type { CompactionPart } from '../../contract/chat/contextBudget.ts';
import type { ChatPart } from '../../contract/chatState.ts';
import { chatError, toChatError, type ChatSentences } from '../chatSentences.ts';
import type { Conversation } from '../conversation.ts';
import { toAppError } from '../../base/errors.ts';
import { toModelMessages, type Turn } from '../history.ts';
import type { ModelMessage, ModelProvider, ModelRequest, RequestUsage } from '../modelProvider.ts';
import { addCost, addUsage } from '../turnCost.ts';
import { without } from '../without.ts';
import { framedSummary, plainSummary, summaryRequest } from './compaction.ts';
import { contextSources, totalTokens } from './contextUse.ts';

export interface CompactionOptions extends Pick<ModelRequest, 'model' | 'maxTokens' | 'destination'> {
  readonly conversation: Conversation;
  /** The answer at whose end, or in which, the summary stands for everything before. */
  readonly itemId: string;
  readonly isWithinTurn: boolean;
  readonly provider: ModelProvider;
  readonly contextTokens: number | undefined;
  readonly by: CompactionPart['by'];
  readonly sentences: ChatSentences;
  readonly createId: () => string;
  readonly signal: AbortSignal;
}

/** Makes a summary stand for all up to here. False, and said on the page, when there is none; rejects when it was stopped. */
export async function compactConversation(options: CompactionOptions): Promise<boolean> {
  const { conversation, itemId, isWithinTurn, by, createId, sentences } = options;
  const turns = turnsUpTo(conversation.turns, itemId);
  const messages = toModelMessages(turns);
  const id = createId();
  const before = tokensIn(messages);
  conversation.addPart(itemId, { kind: 'compaction', id, state: 'running', by, summary: '', tokensBefore: before, tokensAfter: before });
  const update = (change: Partial<CompactionPart>): void =>
    conversation.updateAssistant(itemId, (item) => ({
      ...item,
      parts: item.parts.map((part) => (part.id === id && part.kind === 'compaction' ? { ...part, ...change } : part)),
    }));
  try {
    const summary = await summarise(messages, options);
    const compaction = { id, summary: framedSummary(summary), messages: turns.at(-1)?.messages.length ?? 0, isWithinTurn };
    removeMark(conversation, itemId, turns.at(-1)?.compaction?.id); // this one stands for it, too
    conversation.updateTurn(itemId, (turn) => ({ ...turn, compaction, ...(isWithinTurn && { safe: safeNow(conversation, turn) }) }));
    update({ state: 'done', summary, tokensAfter: tokensIn(toModelMessages(turnsUpTo(conversation.turns, itemId))) });
    return true;
  } catch (error) {
    if (options.signal.aborted || isAbort(error)) {
      conversation.removePart(itemId, id);
      throw error;
    }
    const reason = toAppError(error, 'chat.compactionFailed');
    update({ state: 'failed', error: toChatError(reason, sentences).message });
    return false;
  }
}

/** The model gets the whole again. False when there is no such summary. */
export function undoCompaction(conversation: Conversation, id: string): boolean {
  const turn = conversation.turns.find(({ compaction }) => compaction?.id === id);
  if (turn === undefined) {
    return false;
  }
  conversation.updateTurn(turn.assistantItemId, (old) => without(old, 'compaction'));
  removeMark(conversation, turn.assistantItemId, id);
  return true;
}

/** A retry counts the parts that stay: one less, when this was one of them. */
function removeMark(conversation: Conversation, itemId: string, id: string | undefined): void {
  const index = countedParts(conversation, itemId).findIndex((part) => part.id === id);
  if (id !== undefined && index >= 0) {
    conversation.removePart(itemId, id);
    conversation.updateTurn(itemId, (turn) =>
      index < turn.safe.parts ? { ...turn, safe: { ...turn.safe, parts: turn.safe.parts - 1 } } : turn,
    );
  }
}

/** Whether there is an answer, or more than one round of the answer with the last summary, that no summary stands for. */
export function canCompact(turns: readonly Turn[]): boolean {
  const sent = turns.filter(({ isWithheld }) => !isWithheld);
  const last = sent.findLastIndex(({ compaction }) => compaction !== undefined);
  const after = (sent[last]?.messages.length ?? 0) - (sent[last]?.compaction?.messages ?? 0);
  return (last >= 0 && after > 2) || sent.slice(last + 1).some(({ messages }) => messages.length > 1);
}

async function summarise(messages: readonly ModelMessage[], options: CompactionOptions): Promise<string> {
  const { provider, signal } = options;
  if (!provider.isAi) {
    return plainSummary(messages);
  }
  let summary = '';
  let usage: RequestUsage | undefined;
  const events = provider.stream(summaryRequest(messages, options), signal)[Symbol.asyncIterator]();
  for (let next = await untilAborted(events.next(), signal); next.done !== true; next = await untilAborted(events.next(), signal)) {
    summary += next.value.kind === 'text' ? next.value.text : '';
    usage = next.value.kind === 'usage' ? next.value : usage;
  }
  addUse(options, usage);
  if (summary.trim() === '') {
    throw chatError('chat.compactionEmpty');
  }
  return summary.trim();
}

/** A summary costs like any other answer: it is part of what the answer that it stands in has used. */
function addUse({ conversation, itemId, model }: CompactionOptions, usage: RequestUsage | undefined): void {
  if (usage !== undefined) {
    const messages = conversation.turns.find(({ assistantItemId }) => assistantItemId === itemId)?.messages ?? [];
    conversation.updateAssistant(itemId, (item) => ({
      ...item,
      usage: addUsage(item.usage, usage),
      cost: addCost(item.cost, usage, { model, messages }),
    }));
  }
}

/** A retry goes on after the summary, which stays on the page. */
function safeNow(conversation: Conversation, { messages, assistantItemId }: Turn): Turn['safe'] {
  return { messages: messages.length, parts: countedParts(conversation, assistantItemId).length };
}

/** A question that is still open is no part that stays. */
function countedParts(conversation: Conversation, itemId: string): readonly ChatPart[] {
  return conversation.assistant(itemId).parts.filter(({ kind }) => kind !== 'question');
}

function turnsUpTo(turns: readonly Turn[], itemId: string): readonly Turn[] {
  return turns.slice(0, turns.findIndex(({ assistantItemId }) => assistantItemId === itemId) + 1);
}

function tokensIn(messages: readonly ModelMessage[]): number {
  return totalTokens(contextSources({ system: '', tools: [], messages }));
}
