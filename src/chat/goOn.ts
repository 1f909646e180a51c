import type { AssistantItem } from '../contract/chatState.ts';
import type { Conversation } from './conversation.ts';
import { cutTurn, type Turn } from './history.ts';
import type { ModelMessage } from './modelProvider.ts';
import { prepareToResume } from './store/interrupted.ts';
import { without } from './without.ts';

/** Of any other, what is there is finished. */
export function canGoOn({ parts, state, error }: AssistantItem): boolean {
  return parts.length === 0 || state === 'failed' || state === 'interrupted' || error?.action === 'continue';
}

/** Opens an answer again: a paused one where it stopped, one whose window went away where that was, a failed
 * one after its last complete round, any other from its beginning. */
export function goOn(conversation: Conversation, turn: Turn, item: AssistantItem): void {
  if (item.error?.action === 'continue') {
    conversation.updateTurn(item.id, prepareToContinue);
    reopen(conversation, item.id, item.parts);
    return;
  }
  if (item.state === 'interrupted' && !turn.isWithheld) {
    conversation.updateTurn(item.id, (old) => prepareToResume(old, item));
    reopen(conversation, item.id, item.parts);
    return;
  }
  const keep = item.state === 'failed' && !turn.isWithheld ? turn.safe : { messages: 1, parts: 0 };
  conversation.updateTurn(item.id, (old) => ({ ...cutTurn(old, keep), isWithheld: false }));
  // Files that were changed are changed, whatever becomes of the answer.
  const parts = item.parts.filter((part, index) => index < keep.parts || part.kind === 'edits');
  reopen(conversation, item.id, parts);
}

function reopen(conversation: Conversation, itemId: string, parts: AssistantItem['parts']): void {
  conversation.updateAssistant(itemId, (item) => without({ ...item, state: 'streaming', parts }, 'error'));
}

/** The last word must be the person's. */
function prepareToContinue(turn: Turn): Turn {
  const isAnswerLast = turn.messages.at(-1)?.role === 'assistant';
  const go: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Continue exactly where you stopped.' }] };
  return isAnswerLast ? { ...turn, messages: [...turn.messages, go] } : turn;
}
