import { Emitter } from '../../base/events.ts';
import type { ConversationList } from '../../contract/chat/conversations.ts';
import type { ChatState } from '../../contract/chatState.ts';
import { applyMessage, type ChatMessage } from './chatReducer.ts';

export interface ChatView {
  /** Undefined until the host has answered `ready`. */
  readonly state: ChatState | undefined;
  readonly draft: string;
  /** The conversations that are kept, as far as the page has asked for them. */
  readonly list: ConversationList | undefined;
}

/** The page's copy of the host's state, and the text being written, which is the page's own. */
export class ChatStore {
  readonly #changed = new Emitter<ChatView>();
  readonly #focusAsked = new Emitter<void>();
  #view: ChatView;

  constructor(draft: string) {
    this.#view = { state: undefined, draft, list: undefined };
  }

  readonly onChange = this.#changed.event;
  readonly onFocusAsked = this.#focusAsked.event;

  get view(): ChatView {
    return this.#view;
  }

  receive(message: ChatMessage): void {
    const state = applyMessage(this.#view.state, message);
    const draft = message.name === 'chat/draft' ? message.body.text : this.#view.draft;
    const list = message.name === 'conversations/list' ? message.body : this.#view.list;
    this.#set({ state, draft, list });
    if (message.name === 'chat/draft' || message.name === 'chat/focus') {
      this.#focusAsked.fire();
    }
  }

  setDraft(draft: string): void {
    this.#set({ ...this.#view, draft });
  }

  #set(view: ChatView): void {
    if (view.state !== this.#view.state || view.draft !== this.#view.draft || view.list !== this.#view.list) {
      this.#view = view;
      this.#changed.fire(view);
    }
  }
}

export function storedDraft(stored: unknown): string {
  return typeof stored === 'object' && stored !== null && 'draft' in stored && typeof stored.draft === 'string' ? stored.draft : '';
}
