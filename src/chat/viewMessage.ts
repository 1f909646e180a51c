import type { ChatState } from '../contract/chatState.ts';
import type { ChatViewMessage } from './chatSession.ts';
import type { ConversationChange } from './conversation.ts';

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
