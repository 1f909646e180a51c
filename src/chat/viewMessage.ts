import type { chatToView } from '../contract/chatMessages.ts';
import type { ChatState } from '../contract/chatState.ts';
import type { MessageOf } from '../contract/messageLink.ts';
import type { ConversationChange } from './conversation.ts';

/** What a view is sent, in the contract's own words: forward it as it is. */
export type ChatViewMessage = Extract<MessageOf<typeof chatToView>, { name: 'chat/state' | 'chat/item' | 'chat/text' | 'chat/status' }>;

/** What a view is sent about a change. */
export function toViewMessage(
  conversationId: string,
  change: ConversationChange,
  now: { readonly state: () => ChatState; readonly status: () => Omit<ChatState, 'items'> },
): ChatViewMessage {
  switch (change.kind) {
    case 'item':
      return { name: 'chat/item', body: { conversationId, item: change.item } };
    case 'text':
      return { name: 'chat/text', body: { conversationId, itemId: change.itemId, partId: change.partId, text: change.text } };
    case 'items':
      return { name: 'chat/state', body: now.state() };
    case 'queue':
      return { name: 'chat/status', body: now.status() };
  }
}
