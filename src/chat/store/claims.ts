import { chatError } from '../chatSentences.ts';
import type { Conversation } from '../conversation.ts';

export type ClaimConversation = (conversation: Conversation) => Promise<{ release(): Promise<void> }>;

/** Lets nobody else add to a conversation meanwhile. What follows by itself, as a queued message does, needs no second claim. */
export class Claims {
  readonly #claim: ClaimConversation | undefined;
  #held: Conversation | undefined;
  #isWaiting = false;

  constructor(claim: ClaimConversation | undefined) {
    this.#claim = claim;
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  async during(conversation: Conversation, work: () => Promise<void>): Promise<void> {
    if (this.#claim === undefined || this.#held === conversation) {
      return work();
    }
    if (this.#isWaiting) {
      throw chatError('chat.busy');
    }
    this.#isWaiting = true;
    const claim = await this.#claim(conversation).finally(() => (this.#isWaiting = false));
    const before = this.#held;
    this.#held = conversation;
    try {
      await work();
    } finally {
      this.#held = before;
      await claim.release();
    }
  }
}
