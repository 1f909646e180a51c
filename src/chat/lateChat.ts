// chat/: the conversation with a model, from the top: the chats of a window (places/), one turn of a conversation (turn/), what goes
// into its requests (budget/, content/, context/), the conversation and its files (conversation/, store/), and the models behind one
// interface (models/). sampling/ lends a model to servers. This file loads all of it when it is first wanted.
import { atMost } from '../base/abort.ts';
import { Emitter } from '../base/events.ts';
import { Late } from '../base/late.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Question } from '../contract/questions/questions.ts';
import type { ChatPlaces } from './places/chatPlaces.ts';

/** The chats of a window with all that belongs to them. */
export interface WholeChat extends Disposable {
  readonly places: Pick<ChatPlaces, 'questions' | 'stop'>;
  /** Whether there is a key decides who answers. */
  loadKey(): Promise<void>;
}

const usualKeyMs = 2_000;

export interface LateChatOptions<Chat extends WholeChat> {
  readonly keyMs?: number;
  readonly open: (lifetime: DisposableStore) => Promise<Chat>;
  readonly report: (error: unknown) => void;
}

/** The chats of this window, there when somebody looks at one, uses a command, or a server asks for their model. */
export class LateChat<Chat extends WholeChat> implements Disposable {
  readonly #lifetime = new DisposableStore();
  readonly #asked = this.#lifetime.add(new Emitter<void>());
  readonly #report: LateChatOptions<Chat>['report'];
  readonly #chat: Late<Chat>;
  readonly #keyMs: number;
  /** What waits for the person in them. */
  readonly questions = { list: (): readonly Question[] => this.loaded?.places.questions.list() ?? [], onDidChange: this.#asked.event };

  constructor({ open, report, keyMs = usualKeyMs }: LateChatOptions<Chat>) {
    this.#report = report;
    this.#keyMs = keyMs;
    this.#chat = new Late(() => this.#open(open));
  }

  get loaded(): Chat | undefined {
    return this.#chat.made;
  }

  load(): Promise<Chat> {
    return this.#chat.get();
  }

  /** Where nobody has looked yet, that is done when somebody does. */
  async loadKey(): Promise<void> {
    await this.loaded?.loadKey();
  }

  async stop(): Promise<void> {
    await this.loaded?.places.stop();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #open(open: LateChatOptions<Chat>['open']): Promise<Chat> {
    const chat = this.#lifetime.add(await open(this.#lifetime));
    this.#lifetime.add(chat.places.questions.onDidChange(() => this.#asked.fire()));
    // Before anybody sees who answers; but a keyring that waits for its password holds up nothing: who answers is seen again then.
    await atMost(chat.loadKey().catch(this.#report), this.#keyMs);
    return chat;
  }
}
