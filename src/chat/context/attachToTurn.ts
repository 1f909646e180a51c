import type { Attachment, KeptAttachment } from '../../contract/chat/attachments.ts';
import type { AssistantItem, UserItem } from '../../contract/chatState.ts';
import type { ContentDestination } from '../../contract/sentContent.ts';
import type { AttachmentWish, ContentWish } from '../content/chatContent.ts';
import { ContentRun, emptySource, type ContentRunContext } from '../content/contentRun.ts';
import { unsentBlock } from '../content/attachedBlock.ts';
import type { Turn } from '../history.ts';
import type { AttachedBlock } from '../modelProvider.ts';
import { without } from '../without.ts';

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

/** Reads all that is attached, side by side, and asks where there is something to ask. Rejects when it was stopped meanwhile. */
export async function attachToTurn(context: Omit<ContentRunContext, 'to'>, to: ContentDestination): Promise<void> {
  const { conversation, itemId, signal } = context;
  const attached = conversation.attachedTo(itemId);
  if (attached.length === 0) {
    return;
  }
  const runs = attached.map(({ wish }) => new ContentRun(wish, { ...context, to }));
  const blocks = await Promise.all(runs.map((run) => run.run()));
  signal.throwIfAborted(); // and another try begins anew
  conversation.settleAttached(
    itemId,
    blocks.map((block, index) => ({ block, bytes: runs[index]?.sentBytes ?? 0 })),
  );
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
