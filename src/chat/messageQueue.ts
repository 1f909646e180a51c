import type { TurnEnd } from './agentLoop.ts';
import { chatError } from './chatSentences.ts';
import type { Conversation } from './conversation.ts';

/** More than anybody types while an answer is written. */
const maxQueued = 20;

/** Keeps what is said while an answer runs. */
export function enqueue(conversation: Conversation, id: string, text: string): void {
  const { queue } = conversation;
  if (queue.length >= maxQueued) {
    throw chatError('chat.queueFull', { max: maxQueued });
  }
  conversation.queue = [...queue, { id, text }];
}

/** What is said next without the person: only after an answer that came to its end. */
export function takeNext(conversation: Conversation, end: TurnEnd, signal: AbortSignal): string | undefined {
  const [next, ...rest] = conversation.queue;
  if (end.kind !== 'done' || signal.aborted || next === undefined) {
    return undefined;
  }
  conversation.queue = rest;
  return next.text;
}
