// chat/: the conversation with a model, from the top: the chats of a window (places/), one turn of a conversation (turn/), what goes
// into its requests (budget/, content/, context/), the conversation and its files (conversation/, store/), and the models behind one
// interface (models/). sampling/ lends a model to servers. This file loads all of it when it is first wanted.
import { atMost } from '../base/abort.ts';
import { Late } from '../base/late.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { Question } from '../contract/questions/questions.ts';
import type { ChatPlaces } from './places/chatPlaces.ts';

/** All chats of a window, with everything that has to be loaded for them. */
export interface WholeChat extends Disposable {
  readonly places: Pick<ChatPlaces, 'questions' | 'stop'>;
  /** Looks whether there is an API key: that decides which model answers. */
  loadKey(): Promise<void>;
}

/** How long, in ms, the chat waits for the API key before it is shown without: a keyring may ask for its password. */
const usualKeyMs = 2_000;

export interface LateChatOptions<Chat extends WholeChat> {
  readonly keyMs?: number;
  readonly open: (lifetime: DisposableStore) => Promise<Chat>;
  readonly report: (error: unknown) => void;
}

/** Loads the chats of this window when somebody first looks at one, uses a command of theirs, or a server asks for their model. */
export class LateChat<Chat extends WholeChat> extends Late<Chat> implements Disposable {
  readonly #lifetime: DisposableStore;
  /** The questions that wait for the person in any of these chats. */
  readonly questions = {
    list: (): readonly Question[] => this.made?.places.questions.list() ?? [],
    onDidChange: this.event((chat) => chat.places.questions.onDidChange),
  };

  constructor({ open, report, keyMs = usualKeyMs }: LateChatOptions<Chat>) {
    const lifetime = new DisposableStore();
    super(async () => {
      const chat = lifetime.add(await open(lifetime));
      // The key is read before the chat is shown, so that it shows who answers. A keyring may wait for its password: then the chat
      // is shown without, and updated later.
      await atMost(chat.loadKey().catch(report), keyMs);
      return chat;
    });
    this.#lifetime = lifetime;
  }

  /** Looks for the key anew; chats that are not loaded yet do so when they are. */
  async loadKey(): Promise<void> {
    await this.made?.loadKey();
  }

  async stop(): Promise<void> {
    await this.made?.places.stop();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }
}
