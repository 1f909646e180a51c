import type { AppError } from '../../base/errors.ts';
import { without } from '../../base/without.ts';
import type { AssistantItem, ChatPart } from '../../contract/chat/chatState.ts';
import { type ChatSentences, toChatError } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { settlePart } from '../conversation/conversationFile.ts';
import { cutTurn, type Turn } from '../conversation/history.ts';
import type { ModelMessage } from '../models/modelProvider.ts';

/** How a turn of the conversation ended. */
export type TurnEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'stopped' }
  /** The person wants their message in a new conversation instead. */
  | { readonly kind: 'moved' }
  /** The answer is paused at a point where it can be continued. */
  | { readonly kind: 'paused'; readonly error: AppError }
  | { readonly kind: 'refused'; readonly error: AppError }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Writes into the answer how its turn ended, and settles every part of it that was still running. */
export function finishAnswer(conversation: Conversation, itemId: string, end: TurnEnd, sentences: ChatSentences): void {
  const error = 'error' in end ? { error: toChatError(end.error, sentences) } : {};
  const state = end.kind === 'paused' || end.kind === 'moved' ? 'stopped' : end.kind === 'refused' ? 'failed' : end.kind;
  if (end.kind === 'refused') {
    conversation.updateTurn(itemId, (turn) => ({ ...turn, isWithheld: true }));
  }
  conversation.updateAssistant(itemId, (item) => ({ ...item, ...error, state, parts: item.parts.map(settlePart) }));
}

/** Whether this answer can be continued; an answer in any other state is finished. */
export function canGoOn({ parts, state, error }: AssistantItem): boolean {
  return parts.length === 0 || state === 'failed' || state === 'interrupted' || error?.action === 'continue';
}

/**
 * Opens an answer again: a paused or interrupted one where it stopped, a failed one after its last complete round of tool calls, any
 * other from its beginning.
 */
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
  // Changes of files have happened, so their list stays, whatever else of the answer goes.
  const parts = item.parts.filter((part, index) => index < keep.parts || part.kind === 'edits');
  reopen(conversation, item.id, parts);
}

function reopen(conversation: Conversation, itemId: string, parts: AssistantItem['parts']): void {
  conversation.updateAssistant(itemId, (item) => without({ ...item, state: 'streaming', parts }, 'error'));
}

/** A request has to end with a message of the person. */
function prepareToContinue(turn: Turn): Turn {
  const isAnswerLast = turn.messages.at(-1)?.role === 'assistant';
  const go: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Continue exactly where you stopped.' }] };
  return isAnswerLast ? { ...turn, messages: [...turn.messages, go] } : turn;
}

/** The most tool calls of an interrupted answer of which the model is told when it goes on. */
const maxNamedCalls = 20;
/** The most characters of a tool's or a server's name that the model is told with them. */
const maxNameLength = 100;

/**
 * Prepares an answer that was cut off when its window closed to be continued. The model is told what it had written since its last
 * complete round, and which tool calls it had begun, because their results are lost. Nothing that was shown is removed.
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

/** Quotes a name that somebody else chose, so that it cannot pass for an instruction. */
function quoted(name: string): string {
  return JSON.stringify(name.slice(0, maxNameLength));
}
