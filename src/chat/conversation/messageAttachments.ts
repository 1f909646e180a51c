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

/** Something of the editor's that the person attached: an act of theirs, so nobody is asked unless it holds what is withheld. */
export interface AttachmentWish {
  readonly kind: 'attachment';
  readonly what: AttachmentKind;
  readonly name: string;
  /** The call that it is the result of: a server said it, and the model may hand it on to another. */
  readonly saidIn?: SaidIn | undefined;
  /** Rejects with an AppError, or with an AbortError when the signal fired. */
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

/** A part of what a server answered. Addresses in it are never followed: only what the server itself sent is content. */
export type GivenContent = { readonly role?: 'user' | 'assistant' | undefined; readonly name: string } & (
  | { readonly kind: 'text'; readonly text: string }
  /** Base64. */
  | { readonly kind: 'blob'; readonly mimeType: string; readonly data: string }
  | { readonly kind: 'link'; readonly uri: string }
);

/** What goes with a message: its chip, and how its content comes into the turn. */
export interface AttachedItem {
  readonly chip: Attachment;
  readonly wish: ContentWish | AttachmentWish;
  /** How it is found again after a reload, while it waits. */
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

/** Before the text, what is attached: until it is read, and where it never is, the model is told that it is missing. */
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

/** Each in the place that was kept for it, and its chip says what became of it. */
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

/** Nothing until it is known what of it is a secret. */
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

/** An image as it was sent with a message; undefined when it was none, was not sent, or is not kept any more. */
export function sentPicture(conversation: Pick<ConversationLine, 'items' | 'turns'>, itemId: string, id: string): ImageBlock | undefined {
  const item = conversation.items.find((each) => each.id === itemId);
  const attachments: readonly Attachment[] = item?.kind === 'user' ? (item.attachments ?? []) : [];
  const index = attachments.slice(0, maxAttachments).findIndex((each) => each.id === id);
  const first = conversation.turns.find(({ userItemId }) => userItemId === itemId)?.messages[0];
  // What is attached comes first in a message, in the order of the chips.
  const block = index < 0 || first?.role !== 'user' ? undefined : first.content[index];
  return block?.type === 'attached' ? block.content.find((part) => part.type === 'image') : undefined;
}
