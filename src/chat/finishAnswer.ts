import type { TurnEnd } from './agentLoop.ts';
import { toChatError, type ChatSentences } from './chatSentences.ts';
import type { Conversation } from './conversation.ts';
import { settlePart } from './conversationFile.ts';

/** Leaves an answer as its turn ended: nothing of it is under way. */
export function finishAnswer(conversation: Conversation, itemId: string, end: TurnEnd, sentences: ChatSentences): void {
  const error = 'error' in end ? { error: toChatError(end.error, sentences) } : {};
  const state = end.kind === 'paused' || end.kind === 'moved' ? 'stopped' : end.kind === 'refused' ? 'failed' : end.kind;
  if (end.kind === 'refused') {
    conversation.updateTurn(itemId, (turn) => ({ ...turn, isWithheld: true }));
  }
  conversation.updateAssistant(itemId, (item) => ({ ...item, ...error, state, parts: item.parts.map(settlePart) }));
}
