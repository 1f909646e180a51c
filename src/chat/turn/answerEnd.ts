import type { AppError } from '../../base/errors.ts';
import { without } from '../../base/without.ts';
import type { AssistantItem, ChatPart } from '../../contract/chat/chatState.ts';
import { type ChatSentences, toChatError } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { settlePart } from '../conversation/conversationFile.ts';
import { cutTurn, type Turn } from '../conversation/history.ts';
import type { ModelMessage } from '../models/modelProvider.ts';

/** Leaves an answer as its turn ended: nothing of it is under way. */
export function finishAnswer(conversation: Conversation, itemId: string, end: TurnEnd, sentences: ChatSentences): void {
  const error = 'error' in end ? { error: toChatError(end.error, sentences) } : {};
  const state = end.kind === 'paused' || end.kind === 'moved' ? 'stopped' : end.kind === 'refused' ? 'failed' : end.kind;
  if (end.kind === 'refused') {
    conversation.updateTurn(itemId, (turn) => ({ ...turn, isWithheld: true }));
  }
  conversation.updateAssistant(itemId, (item) => ({ ...item, ...error, state, parts: item.parts.map(settlePart) }));
}

export type TurnEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  /** The person wants it in a new conversation. */
  | { readonly kind: 'moved' }
  /** Paused where it can go on. */
  | { readonly kind: 'paused'; readonly error: AppError }
  | { readonly kind: 'refused'; readonly error: AppError }
  | { readonly kind: 'failed'; readonly error: AppError };

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

const maxNamedCalls = 20;
const maxNameLength = 100;

/**
 * So that an answer that was cut off with its window can go on: the model is told what it had written since its last complete
 * round, and which calls it had begun, for nobody knows any more what they returned. Nothing that was shown is lost.
 */
export function prepareToResume(turn: Turn, item: AssistantItem): Turn {
  const since = item.parts.slice(turn.safe.parts);
  const text = since.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  const calls = since.flatMap(describeCall).slice(0, maxNamedCalls);
  if (text.trim() === '' && calls.length === 0) {
    return { ...turn, messages: turn.messages.slice(0, turn.safe.messages) };
  }
  const said: readonly ModelMessage[] = text.trim() === '' ? [] : [{ role: 'assistant', content: [{ type: 'text', text }] }];
  const lines = [
    'The editor was closed in the middle of your answer. Continue exactly where you stopped.',
    ...(calls.length === 0 ? [] : ['Tool calls of this answer whose results were lost; look before you make one of them again:', ...calls]),
  ];
  const go: ModelMessage = { role: 'user', content: [{ type: 'text', text: lines.join('\n') }] };
  return {
    ...turn,
    messages: [...turn.messages.slice(0, turn.safe.messages), ...said, go],
  };
}

function describeCall(part: ChatPart): readonly string[] {
  if (part.kind !== 'toolCall') {
    return [];
  }
  const ends = { done: 'it had finished', failed: 'it had failed', denied: 'it was not allowed', cancelled: 'it may have run' };
  const end = part.state === 'waiting' || part.state === 'running' ? ends.cancelled : ends[part.state];
  return [`- ${quoted(part.tool)} of the server ${quoted(part.server)}: ${end}`];
}

/** Others chose these names. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, maxNameLength));
}
