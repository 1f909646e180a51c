import type { chatToView } from '../../contract/chatMessages.ts';
import type { AssistantItem, ChatItem, ChatPart, ChatState, UserItem } from '../../contract/chatState.ts';
import type { MessageOf } from '../../contract/messageLink.ts';
import type { Question } from '../../contract/questions.ts';

export type ChatMessage = MessageOf<typeof chatToView>;

/** The view's copy of the host's state after one message. Objects that did not change stay the same objects. */
export function applyMessage(state: ChatState | undefined, message: ChatMessage): ChatState | undefined {
  switch (message.name) {
    case 'chat/state':
      return message.body;
    case 'chat/status':
      return state === undefined
        ? undefined
        : { ...message.body, items: message.body.conversationId === state.conversationId ? state.items : [] };
    case 'chat/item':
      return state?.conversationId === message.body.conversationId ? { ...state, items: withItem(state.items, message.body.item) } : state;
    case 'chat/text':
      return state?.conversationId === message.body.conversationId ? appendText(state, message.body) : state;
    case 'conversations/list':
    case 'chat/focus':
    case 'chat/draft':
    case 'context/suggestions':
    case 'context/completions':
    case 'context/picture':
    case 'tools/all':
      return state;
  }
}

function withItem(items: readonly ChatItem[], item: ChatItem): ChatItem[] {
  const index = items.findIndex(({ id }) => id === item.id);
  return index === -1 ? [...items, item] : items.with(index, item);
}

function appendText(state: ChatState, { itemId, partId, text }: Extract<ChatMessage, { name: 'chat/text' }>['body']): ChatState {
  const item = state.items.find((candidate): candidate is AssistantItem => candidate.id === itemId && candidate.kind === 'assistant');
  if (item?.parts.some((part) => part.id === partId && 'text' in part) !== true) {
    return state;
  }
  const parts = item.parts.map((part) => (part.id === partId && 'text' in part ? { ...part, text: part.text + text } : part));
  return { ...state, items: withItem(state.items, { ...item, parts }) };
}

export function questionOf(part: ChatPart): Question | undefined {
  return part.kind === 'toolCall' || part.kind === 'question' || part.kind === 'content' ? part.question : undefined;
}

export function openQuestions(items: readonly ChatItem[]): readonly Question[] {
  return items.flatMap((item) => (item.kind === 'assistant' ? item.parts.flatMap((part) => questionOf(part) ?? []) : []));
}

export function lastUserItem(items: readonly ChatItem[]): UserItem | undefined {
  return items.findLast((item) => item.kind === 'user');
}

/** What the conversation is about, for the header: what the person called it, or its first line. */
export function conversationTitle({ heading, items }: Pick<ChatState, 'heading' | 'items'>): string {
  if (heading !== undefined && heading.title !== '') {
    return heading.title;
  }
  const first = items.find((item) => item.kind === 'user');
  return (first?.text.trim().split('\n', 1)[0] ?? '') || (first?.attachments?.[0]?.name ?? '');
}
