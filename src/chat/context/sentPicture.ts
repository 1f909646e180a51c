import { maxAttachments, type Attachment } from '../../contract/chat/attachments.ts';
import type { Conversation } from '../conversation.ts';
import type { ImageBlock } from '../modelProvider.ts';

/** An image as it was sent with a message; undefined when it was none, was not sent, or is not kept any more. */
export function sentPicture(conversation: Conversation, itemId: string, id: string): ImageBlock | undefined {
  const item = conversation.items.find((each) => each.id === itemId);
  const attachments: readonly Attachment[] = item?.kind === 'user' ? (item.attachments ?? []) : [];
  const index = attachments.slice(0, maxAttachments).findIndex((each) => each.id === id);
  const first = conversation.turns.find(({ userItemId }) => userItemId === itemId)?.messages[0];
  // What is attached comes first in a message, in the order of the chips.
  const block = index < 0 || first?.role !== 'user' ? undefined : first.content[index];
  return block?.type === 'attached' ? block.content.find((part) => part.type === 'image') : undefined;
}
