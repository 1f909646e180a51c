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
import type { KnownModels } from '../models/knownModels.ts';
import type { ProviderAndModel } from '../models/modelProvider.ts';
import type { ClaimConversation } from './messageQueue.ts';
import type { TurnEdits } from './turnEdits.ts';

export interface ChatSettings extends ProviderAndModel {
  readonly maxTokens: number;
  readonly maxRounds: number;
  /** Whether the model may think before it answers: the setting `duplex.chat.thinking`. */
  readonly thinking?: boolean;
}

export interface ChatSessionOptions {
  readonly tools: ChatTools;
  readonly content: ChatContent;
  /** Waits until it can be told which model answers; rejects when the signal fires. Without it, that is known at once. */
  readonly untilModelKnown?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /** Reads the settings; called at the start of every turn. */
  readonly settings: () => ChatSettings;
  /** Gives the rest of the view's state. Call `refreshStatus` when it changes. */
  readonly status: () => Pick<ChatState, 'provider' | 'isFirstRun' | 'tools' | 'suggestions' | 'attached' | 'isInEditor'>;
  /** Hands over what is attached to the message being written, which then has nothing attached any more. */
  readonly takeAttached?: (() => readonly AttachedItem[]) | undefined;
  /**
   * Puts the attachments of a message that is not sent after all back to the message being written. `kept` are those of a message that
   * was queued before a reload.
   */
  readonly giveBackAttached?: ((attached: readonly AttachedItem[], kept: readonly KeptAttachment[]) => void) | undefined;
  readonly conversation?: Conversation;
  /** Whether anybody sees this chat; without it, somebody does. */
  readonly isSeen?: (() => boolean) | undefined;
  /** Claims a conversation before something is added to it, so that no other window does at the same time. Throws when one does. */
  readonly claim?: ClaimConversation;
  /** What the view shows above the conversation. */
  readonly heading?: (conversation: Conversation) => ConversationHeading;
  /** What is known of the providers' models, shared with others who want to know it. */
  readonly knownModels?: KnownModels;
  readonly sentences?: ChatSentences;
  /** Decides what goes into requests. Without it everything does, uncounted. */
  readonly budget?: ChatBudget;
  /** Keeps what answers change in files, to take it back. */
  readonly edits?: TurnEdits;
  readonly clock?: Clock;
  readonly createId?: () => string;
  readonly log?: Log;
}

/** A message to the view, in the form that the contract defines. */
export type ChatViewMessage = Extract<MessageOf<typeof chatToView>, { name: 'chat/state' | 'chat/item' | 'chat/text' | 'chat/status' }>;

/** The message that tells the view of a change of the conversation. */
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
