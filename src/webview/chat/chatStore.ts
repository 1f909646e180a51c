import { Emitter } from '../../base/events.ts';
import type { QueuedMessage } from '../../contract/chat/messageActions.ts';
import type { ConversationList } from '../../contract/chat/conversations.ts';
import type { Pickable } from '../../contract/chat/contextBudget.ts';
import type { chatToView } from '../../contract/chat/chatMessages.ts';
import type { AssistantItem, ChatItem, ChatPart, ChatState, UserItem } from '../../contract/chat/chatState.ts';
import type { MessageOf } from '../../contract/pages/messageLink.ts';
import type { Question } from '../../contract/questions/questions.ts';
import { shortened } from '../shared/plainText.tsx';

export interface ChatShown {
  /** The state of the chat; undefined until the host has answered `ready`. */
  readonly state: ChatState | undefined;
  readonly draft: string;
  /** The earlier message that the person is changing, with its words so far. */
  readonly edited?: EditedWords | undefined;
  /** The stored conversations; undefined until the page asked for them. */
  readonly list: ConversationList | undefined;
  /** What the tool picker shows; undefined until the page asked for it. */
  readonly tools?: Pickable | undefined;
}

export interface EditedWords {
  readonly itemId: string;
  readonly text: string;
}

type BodyOf<K extends ChatMessage['name']> = Extract<ChatMessage, { readonly name: K }>['body'];

/** Holds the page's copy of the host's state, and the text being written, which is the page's own. */
export class ChatStore {
  readonly #changed = new Emitter<ChatShown>();
  readonly #focusAsked = new Emitter<void>();
  readonly #suggestions = new Emitter<BodyOf<'context/suggestions'>>();
  readonly #completions = new Emitter<BodyOf<'context/completions'>>();
  readonly #returned = new Emitter<readonly string[]>();
  /** Queued messages, by id, that were put back into the draft: the host may send them once more before it knows. */
  readonly #takenBack = new Set<string>();
  #view: ChatShown;

  constructor(draft: string, edited?: EditedWords) {
    this.#view = { state: undefined, draft, edited, list: undefined };
  }

  readonly onChange = this.#changed.event;
  readonly onFocusAsked = this.#focusAsked.event;
  readonly onSuggestions = this.#suggestions.event;
  readonly onCompletions = this.#completions.event;
  /** Fires with the ids of queued messages that are in the draft now. */
  readonly onReturned = this.#returned.event;

  get view(): ChatShown {
    return this.#view;
  }

  receive(message: ChatMessage): void {
    const state = applyMessage(this.#view.state, message);
    const draft = draftAfter(this.#view.draft, message);
    const list = message.name === 'conversations/list' ? message.body : this.#view.list;
    const tools = message.name === 'tools/all' ? message.body : this.#view.tools;
    this.#set({ ...this.#view, state, draft, list, tools });
    // Queued messages that nothing will send any more return to the draft: the answer was stopped or failed, or its window closed.
    if (state?.isRunning === false && state.queue !== undefined) {
      this.takeBack(state.queue);
    }
    if (message.name === 'chat/draft' || message.name === 'chat/focus') {
      this.#focusAsked.fire();
    } else if (message.name === 'context/suggestions') {
      this.#suggestions.fire(message.body);
    } else if (message.name === 'context/completions') {
      this.#completions.fire(message.body);
    }
  }

  /** Puts queued messages before the text that is being written. */
  takeBack(messages: readonly QueuedMessage[]): void {
    const fresh = messages.filter(({ id }) => !this.#takenBack.has(id));
    if (fresh.length > 0) {
      fresh.forEach(({ id }) => this.#takenBack.add(id));
      const texts = [...fresh.map(({ text }) => text), this.#view.draft];
      this.setDraft(texts.filter((text) => text.trim() !== '').join('\n\n'));
      this.#returned.fire(fresh.map(({ id }) => id));
    }
  }

  setDraft(draft: string): void {
    this.#set({ ...this.#view, draft });
  }

  setEdited(edited: EditedWords | undefined): void {
    this.#set({ ...this.#view, edited });
  }

  #set(view: ChatShown): void {
    const before = this.#view;
    if ((['state', 'draft', 'edited', 'list', 'tools'] as const).some((part) => view[part] !== before[part])) {
      this.#view = view;
      this.#changed.fire(view);
    }
  }
}

function draftAfter(draft: string, message: ChatMessage): string {
  if (message.name === 'chat/draft') {
    return withDraft(draft, message.body.text);
  }
  return message.name === 'chat/kept' && draft === '' ? message.body.text : draft;
}

/** Adds a proposed text below what the person has written, so that no word is lost. */
function withDraft(draft: string, proposed: string): string {
  return draft.trim() === '' ? proposed : proposed === '' || draft.endsWith(proposed) ? draft : `${draft.trimEnd()}\n${proposed}`;
}

export function storedDraft(stored: unknown): string {
  return typeof stored === 'object' && stored !== null && 'draft' in stored && typeof stored.draft === 'string' ? stored.draft : '';
}

export function storedEdit(stored: unknown): EditedWords | undefined {
  const { edited } = (typeof stored === 'object' && stored !== null ? stored : {}) as { readonly edited?: Partial<EditedWords> | null };
  const { itemId, text } = edited ?? {};
  return typeof itemId === 'string' && typeof text === 'string' ? { itemId, text } : undefined;
}

export function storedConversation(stored: unknown): string | undefined {
  const has = typeof stored === 'object' && stored !== null && 'conversationId' in stored;
  return has && typeof stored.conversationId === 'string' ? stored.conversationId : undefined;
}

type ChatMessage = MessageOf<typeof chatToView>;

/** The page's copy of the host's state after one message. Objects that did not change stay the same objects. */
export function applyMessage(state: ChatState | undefined, message: ChatMessage): ChatState | undefined {
  switch (message.name) {
    case 'chat/state':
      return { ...message.body, items: message.body.items.map(withShortLines) };
    case 'chat/status':
      return state === undefined
        ? undefined
        : { ...message.body, ...(message.body.conversationId === state.conversationId ? contentOf(state) : { items: [] }) };
    case 'chat/item':
      return state?.conversationId === message.body.conversationId
        ? { ...state, items: withItem(state.items, withShortLines(message.body.item)) }
        : state;
    case 'chat/text':
      return state?.conversationId === message.body.conversationId ? appendText(state, message.body) : state;
    case 'conversations/list':
    case 'chat/focus':
    case 'chat/draft':
    case 'chat/kept':
    case 'context/suggestions':
    case 'context/completions':
    case 'context/picture':
    case 'tools/all':
    case 'app/frame':
    case 'app/say':
    case 'app/size':
      return state;
  }
}

/** Cuts what is drawn as one line where a server made it a book; the item stays the same object where there is nothing to cut. */
function withShortLines(item: ChatItem): ChatItem {
  if (item.kind === 'user') {
    return item;
  }
  const parts = item.parts.map((part): ChatPart => {
    if (part.kind === 'toolCall') {
      const { server, tool, error = '', progress } = part;
      return [server, tool, error, progress?.message ?? ''].every((line) => shortened(line) === line)
        ? part
        : {
            ...part,
            server: shortened(server),
            tool: shortened(tool),
            ...(part.error === undefined ? {} : { error: shortened(error) }),
            ...(progress?.message === undefined ? {} : { progress: { ...progress, message: shortened(progress.message) } }),
          };
    }
    const isLong = part.kind === 'content' && [part.server, part.error ?? ''].some((line) => shortened(line) !== line);
    return isLong
      ? { ...part, server: shortened(part.server), ...(part.error === undefined ? {} : { error: shortened(part.error) }) }
      : part;
  });
  return parts.every((part, index) => part === item.parts[index]) ? item : { ...item, parts };
}

/** What a status leaves as it is. */
function contentOf({ items, isPlain }: ChatState): Pick<ChatState, 'items' | 'isPlain'> {
  return isPlain === undefined ? { items } : { items, isPlain };
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

/** The title of the conversation: what the person called it, or its first line. */
export function conversationTitle({ heading, items }: Pick<ChatState, 'heading' | 'items'>): string {
  if (heading !== undefined && heading.title !== '') {
    return heading.title;
  }
  const first = items.find((item) => item.kind === 'user');
  return (first?.text.trim().split('\n', 1)[0] ?? '') || (first?.attachments?.[0]?.name ?? '');
}
