import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { KeptAttachment } from '../../contract/chat/attachments.ts';
import type { ConversationHeading } from '../../contract/chat/conversations.ts';
import type { chatToView } from '../../contract/chat/chatMessages.ts';
import type { ChatState } from '../../contract/chat/chatState.ts';
import type { MessageOf } from '../../contract/pages/messageLink.ts';
import type { ChatBudget } from '../budget/chatBudget.ts';
import type { ChatContent, ChatTools } from '../content/hostPorts.ts';
import type { ChatSentences } from '../conversation/chatSentences.ts';
import type { Conversation, ConversationChange } from '../conversation/conversation.ts';
import type { AttachedItem } from '../conversation/messageAttachments.ts';
import type { FirstModels } from '../models/knownModels.ts';
import type { ProviderAndModel } from '../models/modelProvider.ts';
import type { ClaimConversation } from './messageQueue.ts';
import type { TurnEdits } from './turnEdits.ts';

export interface ChatSettings extends ProviderAndModel {
  readonly maxTokens: number;
  readonly maxRounds: number;
  /** `duplex.chat.thinking`. */
  readonly thinking?: boolean;
}

export interface ChatSessionOptions {
  readonly tools: ChatTools;
  readonly content: ChatContent;
  /** Read at the start of every turn. */
  readonly settings: () => ChatSettings;
  /** The rest of the view's state. Call `refreshStatus` when it changes. */
  readonly status: () => Pick<ChatState, 'provider' | 'isFirstRun' | 'tools' | 'suggestions' | 'attached' | 'isInEditor'>;
  /** Hands over what is attached to the message being written, which then has nothing attached any more. */
  readonly takeAttached?: (() => readonly AttachedItem[]) | undefined;
  /** Puts back there what went with a message that is not sent after all. `kept`: that went with one before a reload. */
  readonly giveBackAttached?: ((attached: readonly AttachedItem[], kept: readonly KeptAttachment[]) => void) | undefined;
  readonly conversation?: Conversation;
  /** Whether anybody looks at this chat; left out: somebody does. */
  readonly isSeen?: (() => boolean) | undefined;
  /** Before a conversation is added to: nobody else may at the same time. Throws when somebody does. */
  readonly claim?: ClaimConversation;
  /** What is said above the conversation. */
  readonly heading?: (conversation: Conversation) => ConversationHeading;
  /** Shared with others who want to know the provider's models. */
  readonly firstModels?: FirstModels;
  readonly sentences?: ChatSentences;
  /** What goes into requests, and how much room there is. Without it: everything, uncounted. */
  readonly budget?: ChatBudget;
  /** Keeps what answers change in files, and takes it back. */
  readonly edits?: TurnEdits;
  readonly clock?: Clock;
  readonly createId?: () => string;
  readonly log?: Log;
}

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
