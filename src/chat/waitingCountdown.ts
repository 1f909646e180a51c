import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/lifecycle.ts';
import type { WaitingPart } from '../contract/chat/models.ts';
import type { Conversation } from './conversation.ts';
import type { WaitReason } from './modelProvider.ts';

export interface WaitingPlace {
  readonly conversation: Conversation;
  readonly itemId: string;
  readonly clock: Clock;
  readonly createId: () => string;
}

/** While the provider wants to be waited for: a line in the answer whose seconds go down, for every page that shows it alike. */
export class WaitingCountdown {
  readonly #place: WaitingPlace;
  #partId: string | undefined;
  #timer: Disposable | undefined;

  constructor(place: WaitingPlace) {
    this.#place = place;
  }

  start(reason: WaitReason, retryInMs: number): void {
    this.stop();
    const { conversation, itemId, clock, createId } = this.#place;
    const part: WaitingPart = { kind: 'waiting', id: createId(), reason, seconds: Math.ceil(retryInMs / 1000) };
    this.#partId = part.id;
    conversation.addPart(itemId, part);
    this.#tick(part, clock.now() + retryInMs);
  }

  stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    if (this.#partId !== undefined) {
      this.#place.conversation.removePart(this.#place.itemId, this.#partId);
      this.#partId = undefined;
    }
  }

  #tick(part: WaitingPart, until: number): void {
    if (part.seconds <= 1) {
      return;
    }
    const { conversation, itemId, clock } = this.#place;
    // By the clock and not by counting: a busy editor may be late.
    this.#timer = clock.schedule(Math.max(1, until - clock.now() - (part.seconds - 1) * 1000), () => {
      const next = { ...part, seconds: Math.max(1, Math.ceil((until - clock.now()) / 1000)) };
      conversation.updateAssistant(itemId, (item) => ({ ...item, parts: item.parts.map((each) => (each.id === next.id ? next : each)) }));
      this.#tick(next, until);
    });
  }
}
