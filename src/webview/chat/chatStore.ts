import { Emitter } from '../../base/events.ts';
import type { ConversationList } from '../../contract/chat/conversations.ts';
import type { PickableTool } from '../../contract/chat/toolChoice.ts';
import type { QueuedMessage } from '../../contract/chat/acting.ts';
import type { ChatState } from '../../contract/chatState.ts';
import { applyMessage, type ChatMessage } from './chatReducer.ts';

export interface ChatView {
  /** Undefined until the host has answered `ready`. */
  readonly state: ChatState | undefined;
  readonly draft: string;
  /** The conversations that are kept, as far as the page has asked for them. */
  readonly list: ConversationList | undefined;
  /** What the picker shows; undefined until it was asked for. */
  readonly tools?: readonly PickableTool[] | undefined;
}

type BodyOf<K extends ChatMessage['name']> = Extract<ChatMessage, { readonly name: K }>['body'];

/** The page's copy of the host's state, and the text being written, which is the page's own. */
export class ChatStore {
  readonly #changed = new Emitter<ChatView>();
  readonly #focusAsked = new Emitter<void>();
  readonly #suggestions = new Emitter<BodyOf<'context/suggestions'>>();
  readonly #completions = new Emitter<BodyOf<'context/completions'>>();
  readonly #returned = new Emitter<readonly string[]>();
  /** The host may tell of them once more before it knows. */
  readonly #takenBack = new Set<string>();
  #view: ChatView;

  constructor(draft: string) {
    this.#view = { state: undefined, draft, list: undefined };
  }

  readonly onChange = this.#changed.event;
  readonly onFocusAsked = this.#focusAsked.event;
  readonly onSuggestions = this.#suggestions.event;
  readonly onCompletions = this.#completions.event;
  /** Queued messages, by id, that are in the draft now. */
  readonly onReturned = this.#returned.event;

  get view(): ChatView {
    return this.#view;
  }

  receive(message: ChatMessage): void {
    const state = applyMessage(this.#view.state, message);
    const draft = message.name === 'chat/draft' ? withDraft(this.#view.draft, message.body.text) : this.#view.draft;
    const list = message.name === 'conversations/list' ? message.body : this.#view.list;
    const tools = message.name === 'tools/all' ? message.body.tools : this.#view.tools;
    this.#set({ state, draft, list, tools });
    // Nothing sends them any more: the answer was stopped or failed, or the window closed before it was done.
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

  /** Puts queued messages before what is being written. */
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

  #set(view: ChatView): void {
    const before = this.#view;
    if (view.state !== before.state || view.draft !== before.draft || view.list !== before.list || view.tools !== before.tools) {
      this.#view = view;
      this.#changed.fire(view);
    }
  }
}

/** No word of the person's is lost: what is proposed comes below it. */
function withDraft(draft: string, proposed: string): string {
  return draft.trim() === '' ? proposed : proposed === '' || draft.endsWith(proposed) ? draft : `${draft.trimEnd()}\n${proposed}`;
}

export function storedDraft(stored: unknown): string {
  return typeof stored === 'object' && stored !== null && 'draft' in stored && typeof stored.draft === 'string' ? stored.draft : '';
}

export function storedConversation(stored: unknown): string | undefined {
  const has = typeof stored === 'object' && stored !== null && 'conversationId' in stored;
  return has && typeof stored.conversationId === 'string' ? stored.conversationId : undefined;
}
