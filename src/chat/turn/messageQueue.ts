import type { QueuedMessage } from '../../contract/chat/messageActions.ts';
import type { KeptAttachment } from '../../contract/chat/attachments.ts';
import { chatError } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { AttachedItem } from '../conversation/messageAttachments.ts';
import type { TurnEnd } from './answerEnd.ts';

/** More than anybody types while an answer is written. */
const maxQueued = 20;

/** What is said, and exactly what goes with it. */
interface NextMessage {
  readonly text: string;
  readonly attached: readonly AttachedItem[];
}

/** What is to be said after a turn without the person saying more: in a new conversation, if they want that. */
export interface TurnSequel {
  readonly next: NextMessage | undefined;
  readonly place: 'here' | 'elsewhere';
}

/** Keeps what is said while an answer runs, with what is attached now: what is attached later belongs to a later message. */
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

/** What is said next without the person: only after an answer that came to its end. */
export function takeNext(conversation: Conversation, end: TurnEnd, signal: AbortSignal): NextMessage | undefined {
  const [next, ...rest] = conversation.queue;
  if (end.kind !== 'done' || signal.aborted || next === undefined) {
    return undefined;
  }
  conversation.queue = rest;
  return { text: next.text, attached: conversation.attachments.take(next.id) };
}

/** The person has them back, or does not want them; with what was attached to them, here or before a reload. */
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
 * Lets nobody else add to a conversation meanwhile. What follows by itself, as a queued message does, or what comes as another ends,
 * needs no second claim: the last of them gives it back.
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

  async #hold(conversation: Conversation, claim: ClaimConversation): Promise<Held> {
    if (this.#isWaiting) {
      throw chatError('chat.busy');
    }
    this.#isWaiting = true;
    try {
      // Two claims of one window would be in each other's way.
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
