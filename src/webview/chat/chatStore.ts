import { Emitter } from '../../base/events.ts';
import type { PickableTool } from '../../contract/chat/toolChoice.ts';
import type { ChatState } from '../../contract/chatState.ts';
import { applyMessage, type ChatMessage } from './chatReducer.ts';

export interface ChatView {
  /** Undefined until the host has answered `ready`. */
  readonly state: ChatState | undefined;
  readonly draft: string;
  /** What the picker shows; undefined until it was asked for. */
  readonly tools?: readonly PickableTool[] | undefined;
}

/** The page's copy of the host's state, and the text being written, which is the page's own. */
export class ChatStore {
  readonly #changed = new Emitter<ChatView>();
  readonly #focusAsked = new Emitter<void>();
  #view: ChatView;

  constructor(draft: string) {
    this.#view = { state: undefined, draft };
  }

  readonly onChange = this.#changed.event;
  readonly onFocusAsked = this.#focusAsked.event;

  get view(): ChatView {
    return this.#view;
  }

  receive(message: ChatMessage): void {
    const state = applyMessage(this.#view.state, message);
    const draft = message.name === 'chat/draft' ? message.body.text : this.#view.draft;
    const tools = message.name === 'tools/all' ? message.body.tools : this.#view.tools;
    this.#set({ state, draft, tools });
    if (message.name === 'chat/draft' || message.name === 'chat/focus') {
      this.#focusAsked.fire();
    }
  }

  setDraft(draft: string): void {
    this.#set({ ...this.#view, draft });
  }

  #set(view: ChatView): void {
    if (view.state !== this.#view.state || view.draft !== this.#view.draft || view.tools !== this.#view.tools) {
      this.#view = view;
      this.#changed.fire(view);
    }
  }
}

export function storedDraft(stored: unknown): string {
  return typeof stored === 'object' && stored !== null && 'draft' in stored && typeof stored.draft === 'string' ? stored.draft : '';
}
