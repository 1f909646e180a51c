import { hasCode } from '../../base/errors.ts';
import type { QueuedMessage } from '../../contract/chat/messageActions.ts';
import type { KeptAttachment } from '../../contract/chat/attachments.ts';
import { chatError } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { AttachedItem } from '../conversation/messageAttachments.ts';
import type { TurnEnd } from './answerEnd.ts';

/** The most messages that can wait for an answer to end. */
const maxQueued = 20;

/** A message that is sent next, with exactly what is attached to it. */
interface NextMessage {
  readonly text: string;
  readonly attached: readonly AttachedItem[];
}

/** What is sent by itself after a turn has ended, and whether it is sent here or in a new conversation. */
export interface TurnSequel {
  readonly next: NextMessage | undefined;
  readonly place: 'here' | 'elsewhere';
}

/**
 * Keeps a message that the person sends while an answer runs, with what is attached at this moment: what is attached later belongs to a
 * later message.
 */
export function enqueue(conversation: Conversation, id: string, text: string, take: () => readonly AttachedItem[]): void {
  demandWords(text);
  const { queue } = conversation;
  if (queue.length >= maxQueued) {
    throw chatError('chat.queueFull', { max: maxQueued });
  }
  const attached = take();
  const kept = attached.flatMap((each) => (each.kept === undefined ? [] : [each.kept]));
  conversation.attachments.put(id, attached);
  conversation.queue = [...queue, { id, text, ...(kept.length > 0 && { attached: kept }) }];
}

/** Takes the next waiting message, but only after an answer that was completed. */
export function takeNext(conversation: Conversation, end: TurnEnd, signal: AbortSignal): NextMessage | undefined {
  const [next, ...rest] = conversation.queue;
  if (end.kind !== 'done' || signal.aborted || next === undefined) {
    return undefined;
  }
  conversation.queue = rest;
  return { text: next.text, attached: conversation.attachments.take(next.id) };
}

/**
 * Removes waiting messages that the person takes back or does not want, and gives back what was attached to them, in this window or
 * before a reload.
 */
export function unqueue(conversation: Conversation, ids: readonly string[]): { attached: AttachedItem[]; kept: KeptAttachment[] } {
  const removed = conversation.queue.filter(({ id }) => ids.includes(id));
  conversation.queue = conversation.queue.filter(({ id }) => !ids.includes(id));
  const isHere = ({ id }: QueuedMessage): boolean => conversation.attachments.waitingFor(id).length > 0;
  const kept = removed.filter((message) => !isHere(message)).flatMap(({ attached }) => attached ?? []);
  return { kept, attached: ids.flatMap((id) => conversation.attachments.take(id)) };
}

export function demandWords(text: string): void {
  if (text.trim() === '') {
    throw chatError('chat.emptyMessage');
  }
}

export type ClaimConversation = (conversation: Conversation) => Promise<{ release(): Promise<void> }>;

interface Held {
  readonly conversation: Conversation;
  readonly release: () => Promise<void>;
  users: number;
}

/**
 * Keeps other windows from adding to a conversation while this one does. Work that begins while a claim is held, such as a queued
 * message, shares that claim; it is given back when the last of them ends.
 */
export class Claims {
  readonly #claim: ClaimConversation | undefined;
  readonly #held = new Map<Conversation, Held>();
  #releasing: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(claim: ClaimConversation | undefined) {
    this.#claim = claim;
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  async during(conversation: Conversation, work: () => Promise<void>): Promise<void> {
    if (this.#claim === undefined) {
      return work();
    }
    const joined = this.#held.get(conversation);
    if (joined !== undefined) {
      joined.users += 1;
    }
    const held = joined ?? (await this.#hold(conversation, this.#claim));
    try {
      await work();
    } finally {
      held.users -= 1;
      if (held.users === 0) {
        await this.#release(held);
      }
    }
  }

  /**
   * Does work in the conversation that is shown. It fails when another one was opened before the claim was there, unless nothing stands in
   * either of them: then it makes no difference to the person which one they meant.
   */
  async duringShown(shown: () => Conversation, work: () => Promise<void>): Promise<void> {
    const conversation = shown();
    try {
      await this.during(conversation, async () => {
        if (shown() !== conversation) {
          throw chatError('chat.leftConversation');
        }
        await work();
      });
    } catch (error) {
      const isLeft = hasCode(error, 'chat.leftConversation') && shown() !== conversation;
      if (!isLeft || !isBlank(conversation) || !isBlank(shown())) {
        throw error;
      }
      await this.duringShown(shown, work);
    }
  }

  async #hold(conversation: Conversation, claim: ClaimConversation): Promise<Held> {
    if (this.#isWaiting) {
      throw chatError('chat.busy');
    }
    this.#isWaiting = true;
    try {
      // A new claim has to wait until the old one of this window is given back.
      await this.#releasing;
      const claimed = await claim(conversation);
      const held: Held = { conversation, release: () => claimed.release(), users: 1 };
      this.#held.set(conversation, held);
      return held;
    } finally {
      this.#isWaiting = false;
    }
  }

  async #release({ conversation, release }: Held): Promise<void> {
    this.#held.delete(conversation);
    const released = release();
    this.#releasing = released.catch(() => undefined);
    await released;
  }
}

function isBlank({ items, queue }: Conversation): boolean {
  return items.length + queue.length === 0;
}
