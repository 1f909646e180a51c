import type { Attachment } from '../../contract/chat/attachments.ts';
import { chatError } from '../chatSentences.ts';
import type { AttachedItem } from './attachToTurn.ts';

/** So many answers, the latest, can have what was attached to their messages said elsewhere. */
const maxSettled = 10;

/** What was attached to the messages of a conversation. Not stored: it may hold what nobody was asked about. */
export class TurnAttachments {
  /** Not read yet: by the answer it is for, or by the queued message. */
  readonly #waiting = new Map<string, readonly AttachedItem[]>();
  /** Read, by the answer. */
  readonly #settled = new Map<string, readonly AttachedItem[]>();

  waitingFor(id: string): readonly AttachedItem[] {
    return this.#waiting.get(id) ?? [];
  }

  put(id: string, attached: readonly AttachedItem[]): void {
    if (attached.length > 0) {
      this.#waiting.set(id, attached);
    }
  }

  take(id: string): readonly AttachedItem[] {
    const attached = this.waitingFor(id);
    this.#waiting.delete(id);
    return attached;
  }

  settle(id: string): void {
    this.#settle(id, this.take(id));
  }

  /** Another answer to the same message. */
  share(id: string, other: string): void {
    this.put(other, this.waitingFor(id));
    this.#settle(other, this.#settled.get(id) ?? []);
  }

  /** All that went with a message, to be read anew; what is not here any more fails then, for everybody to see. */
  again(id: string, chips: readonly Attachment[]): readonly AttachedItem[] {
    return this.#waiting.get(id) ?? this.#settled.get(id) ?? chips.map(gone);
  }

  #settle(id: string, attached: readonly AttachedItem[]): void {
    if (attached.length > 0) {
      this.#settled.set(id, attached);
      [...this.#settled.keys()].slice(0, -maxSettled).forEach((oldest) => this.#settled.delete(oldest));
    }
  }
}

function gone(chip: Attachment): AttachedItem {
  const { kind: what, name } = chip;
  return { chip, wish: { kind: 'attachment', what, name, read: () => Promise.reject(chatError('chat.attachMissing', { name })) } };
}
