import { chatError } from '../chatSentences.ts';
import type { Conversation } from '../conversation.ts';

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
