import type { JsonObject } from '../../base/json.ts';
import { without } from '../../base/without.ts';
import { type Attachment, type AttachmentKind, type KeptAttachment, maxAttachments } from '../../contract/chat/attachments.ts';
import type { AssistantItem, UserItem } from '../../contract/chat/chatState.ts';
import type { ContentSource } from '../../contract/questions/sentContent.ts';
import type { ContentWish } from '../models/contentOffers.ts';
import type { AttachedBlock, ImageBlock } from '../models/modelProvider.ts';
import { unsentBlock } from './attachedBlock.ts';
import type { ConversationLine } from './branches.ts';
import { chatError } from './chatSentences.ts';
import type { Turn } from './history.ts';

/**
 * Something of the editor that the person attached. They chose it themselves, so they are asked only when it is withheld from clients
 * or holds secrets.
 */
export interface AttachmentWish {
  readonly kind: 'attachment';
  readonly what: AttachmentKind;
  readonly name: string;
  /** The call whose result this is: a server said it, and the model may pass it on to another. */
  readonly saidIn?: SaidIn | undefined;
  /** Reads its content. Rejects with an AppError, or with an AbortError when the signal fired. */
  readonly read: (signal: AbortSignal) => Promise<AttachmentReading>;
}

export interface SaidIn {
  readonly serverId: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

export interface AttachmentReading {
  readonly content: readonly GivenContent[];
  readonly isWithheld: boolean;
}

/** A part of a server's answer. Addresses in it are never followed: only what the server itself sent is content. */
export type GivenContent = { readonly role?: 'user' | 'assistant' | undefined; readonly name: string } & (
  | { readonly kind: 'text'; readonly text: string }
  /** Base64. */
  | { readonly kind: 'blob'; readonly mimeType: string; readonly data: string }
  | { readonly kind: 'link'; readonly uri: string }
);

/** An attachment of a message: the chip that shows it, and how its content is read. */
export interface AttachedItem {
  readonly chip: Attachment;
  readonly wish: ContentWish | AttachmentWish;
  /** How it is found again after a reload, while its message is not sent yet. */
  readonly kept?: KeptAttachment | undefined;
}

export interface SettledAttachment {
  readonly block: AttachedBlock;
  readonly bytes: number;
}

interface BegunTurn {
  readonly user: UserItem;
  readonly assistant: AssistantItem;
  readonly turn: Turn;
}

/**
 * Begins a turn with a message of the person and the empty answer to it. A place for each attachment comes before the text; until it is
 * read, and if it never is, that place tells the model that it is missing.
 */
export function beginTurn(text: string, createId: () => string, attached: readonly AttachedItem[]): BegunTurn {
  const attachments = attached.map(({ chip }) => chip);
  const user: UserItem = { kind: 'user', id: createId(), text, ...(attachments.length === 0 ? {} : { attachments }) };
  const assistant: AssistantItem = { kind: 'assistant', id: createId(), state: 'streaming', parts: [] };
  return {
    user,
    assistant,
    turn: {
      userItemId: user.id,
      assistantItemId: assistant.id,
      messages: [{ role: 'user', content: [...attached.map(missing), { type: 'text', text }] }],
      safe: { messages: 1, parts: 0 },
      isWithheld: false,
      audience: [],
    },
  };
}

/** Puts each attachment into its place in the turn, and writes into its chip what became of it. */
export function settleTurn(
  turn: Turn,
  user: UserItem,
  settled: readonly SettledAttachment[],
): { readonly turn: Turn; readonly user: UserItem } {
  const [first, ...rest] = turn.messages;
  if (first?.role !== 'user') {
    return { turn, user };
  }
  const content = [...settled.map(({ block }) => block), ...first.content.slice(settled.length)];
  const chips = user.attachments?.map((chip, index): Attachment => {
    const now = settled[index];
    return now === undefined ? chip : settledChip(chip, now);
  });
  return {
    turn: { ...turn, messages: [{ role: 'user', content }, ...rest] },
    user: chips === undefined ? user : { ...user, attachments: chips },
  };
}

function settledChip(chip: Attachment, { block, bytes }: SettledAttachment): Attachment {
  const outcome = block.outcome === 'deniedBefore' ? 'denied' : block.outcome;
  return { ...without(chip, 'changed', 'problem'), outcome, ...(outcome === 'sent' ? { bytes } : {}) };
}

function missing({ wish }: AttachedItem): AttachedBlock {
  return unsentBlock(wish.kind === 'attachment' ? '' : wish.server, emptySource(wish), 'cancelled');
}

/** The source of an attachment with empty names, until it is known whether a name holds a secret. */
export function emptySource(wish: ContentWish | AttachmentWish): ContentSource {
  switch (wish.kind) {
    case 'resource':
      return { kind: 'resource', name: '', uri: '' };
    case 'prompt':
      return { kind: 'prompt', name: '', description: '', arguments: [] };
    case 'attachment':
      return { kind: 'attachment', what: wish.what, name: '', isWithheld: false };
  }
}

/** For how many of the latest answers the attachments are kept, to be sent again in another conversation. */
const maxSettled = 10;

/**
 * What is attached to the messages of a conversation. It is not stored, because it may hold content that the person was not asked
 * about.
 */
export class TurnAttachments {
  /** Attachments that are not read yet, by the id of the answer or of the queued message. */
  readonly #waiting = new Map<string, readonly AttachedItem[]>();
  /** Attachments that were read, by the id of the answer. */
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

  /** Gives another answer to the same message the same attachments. */
  share(id: string, other: string): void {
    this.put(other, this.waitingFor(id));
    this.#settle(other, this.#settled.get(id) ?? []);
  }

  /** All attachments of a message, to be read again. One that is gone fails then, visibly. */
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

/** An image as it was sent with a message; undefined when it is no image, was not sent, or is no longer kept. */
export function sentPicture(conversation: Pick<ConversationLine, 'items' | 'turns'>, itemId: string, id: string): ImageBlock | undefined {
  const item = conversation.items.find((each) => each.id === itemId);
  const attachments: readonly Attachment[] = item?.kind === 'user' ? (item.attachments ?? []) : [];
  const index = attachments.slice(0, maxAttachments).findIndex((each) => each.id === id);
  const first = conversation.turns.find(({ userItemId }) => userItemId === itemId)?.messages[0];
  // Attachments come first in a message, in the order of the chips.
  const block = index < 0 || first?.role !== 'user' ? undefined : first.content[index];
  return block?.type === 'attached' ? block.content.find((part) => part.type === 'image') : undefined;
}
