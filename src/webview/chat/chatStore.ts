import { Emitter } from '../../base/events.ts';
import type { ChatState } from '../../contract/chatState.ts';
import { applyMessage, type ChatMessage } from './chatReducer.ts';

export interface ChatView {
  /** Undefined until the host has answered `ready`. */
  readonly state: ChatState | undefined;
  readonly draft: string;
}

type BodyOf<K extends ChatMessage['name']> = Extract<ChatMessage, { readonly name: K }>['body'];

/** The page's copy of the host's state, and the text being written, which is the page's own. */
export class ChatStore {
  readonly #changed = new Emitter<ChatView>();
  readonly #focusAsked = new Emitter<void>();
  readonly #suggestions = new Emitter<BodyOf<'context/suggestions'>>();
  readonly #completions = new Emitter<BodyOf<'context/completions'>>();
  #view: ChatView;

  constructor(draft: string) {
    this.#view = { state: undefined, draft };
  }

  readonly onChange = this.#changed.event;
  readonly onFocusAsked = this.#focusAsked.event;
  readonly onSuggestions = this.#suggestions.event;
  readonly onCompletions = this.#completions.event;

  get view(): ChatView {
    return this.#view;
  }

  receive(message: ChatMessage): void {
    const state = applyMessage(this.#view.state, message);
    const draft = message.name === 'chat/draft' ? withDraft(this.#view.draft, message.body.text) : this.#view.draft;
    this.#set({ state, draft });
    if (message.name === 'chat/draft' || message.name === 'chat/focus') {
      this.#focusAsked.fire();
    } else if (message.name === 'context/suggestions') {
      this.#suggestions.fire(message.body);
    } else if (message.name === 'context/completions') {
      this.#completions.fire(message.body);
    }
  }

  setDraft(draft: string): void {
    this.#set({ ...this.#view, draft });
  }

  #set(view: ChatView): void {
    if (view.state !== this.#view.state || view.draft !== this.#view.draft) {
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
