// places/: the chats of one window, in the sidebar and in tabs (this file), and what is attached in each of them over a reload.
import { Sequencer } from '../../base/sequencer.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Question } from '../../contract/questions/questions.ts';
import type { ChatSession } from '../turn/chatSession.ts';
import type { ChatContext } from '../context/chatContext.ts';
import type { ConversationKeeper, ConversationKeeperOptions } from '../store/conversationKeeper.ts';

/** Where one conversation at a time is shown and answered: the sidebar, or a tab. */
export interface ChatPlace extends Disposable {
  readonly session: ChatSession;
  /** What is attached to the message being written. */
  readonly context: ChatContext;
  readonly keeper: ConversationKeeper;
}

export interface PlacePorts extends Required<Pick<ConversationKeeperOptions, 'last' | 'elsewhere'>> {
  readonly isInEditor: () => boolean;
  /** Whether the person has it before them. */
  readonly isSeen: () => boolean;
}

export interface ReopenedPlace {
  readonly place: ChatPlace;
  readonly id: string;
}

export interface ChatPlacesOptions {
  readonly make: (ports: PlacePorts) => ChatPlace;
  /** Which conversation the sidebar showed last. */
  readonly last: ConversationKeeperOptions['last'];
}

/** The chats of one window. A conversation is in one of them at most: whoever wants it is led there. */
export class ChatPlaces implements Disposable {
  readonly #options: ChatPlacesOptions;
  readonly #lifetime = new DisposableStore();
  readonly #moved = this.#lifetime.add(new Emitter<void>());
  readonly #asked = this.#lifetime.add(new Emitter<void>());
  readonly #reopened = this.#lifetime.add(new Emitter<ReopenedPlace>());
  /** With what ends when a place is gone. */
  readonly #all = new Map<ChatPlace, DisposableStore>();
  readonly #unseen = new Set<ChatPlace>();
  #isSeen: (place: ChatPlace) => boolean = () => false;
  #sidebar: ChatPlace;
  /** Tabs are opened one after the other, so that two of them never show the same conversation. */
  readonly #opening = new Sequencer();

  /** The sidebar is another chat. */
  readonly onDidMove = this.#moved.event;
  /** A tab is there again, with the conversation of this id or, where that is stored nowhere, with a new one. */
  readonly onDidReopen = this.#reopened.event;
  /** When the conversation is there that the sidebar showed before. */
  readonly restored: Promise<void>;
  /** What waits for the person, wherever. */
  readonly questions = { list: (): readonly Question[] => this.#listQuestions(), onDidChange: this.#asked.event };

  constructor(options: ChatPlacesOptions) {
    this.#options = options;
    this.#sidebar = this.#make(options.last.get());
    this.restored = this.#sidebar.keeper.restore();
    void this.#opening.run(() => this.restored);
  }

  get sidebar(): ChatPlace {
    return this.#sidebar;
  }

  all(): readonly ChatPlace[] {
    return [...this.#all.keys()];
  }

  /** Whoever shows them knows which are visible; until then none is. */
  shownBy(isSeen: (place: ChatPlace) => boolean): void {
    this.#isSeen = isSeen;
  }

  /** The one that shows this conversation. */
  showing(id: string): ChatPlace | undefined {
    return this.all().find(({ session }) => session.conversation.id === id);
  }

  /** The sidebar's chat goes on as it is, for a tab, with all that runs in it; the sidebar begins anew. */
  takeFromSidebar(): ChatPlace {
    const taken = this.#sidebar;
    this.#sidebar = this.#make(undefined);
    this.#options.last.set(this.#sidebar.session.conversation.id);
    this.#moved.fire();
    taken.session.refreshStatus();
    return taken;
  }

  /**
   * The sidebar shows this conversation, or a new one. What runs in the one it leaves comes to its end and is stored; what is
   * attached stays with the text being written.
   */
  async showInSidebar(id: string | undefined): Promise<void> {
    const shown = id === undefined ? undefined : this.showing(id);
    if (shown !== undefined && this.#unseen.delete(shown)) {
      this.#moveSidebar(shown);
    } else if (this.#sidebar.session.isRunning && shown !== this.#sidebar) {
      this.#moveSidebar(await this.#makeWith(id));
    } else {
      await (id === undefined ? this.#sidebar.session.newConversation() : this.#sidebar.keeper.open(id));
    }
  }

  /** It is still answered, and nobody looks at it. */
  isUnseen(id: string): boolean {
    const shown = this.showing(id);
    return shown !== undefined && this.#unseen.has(shown);
  }

  /** For a tab: the chat that shows this conversation, wherever that is now, or a new one; without an id, an empty one. */
  open(id: string | undefined): Promise<ChatPlace> {
    return this.#opening.run(() => this.#open(id));
  }

  /** Nobody looks at it any more: what runs in it comes to its end and is stored first. */
  release(place: ChatPlace): void {
    if (place !== this.#sidebar && this.#all.has(place)) {
      this.#unseen.add(place);
      void this.#endIfUnseen(place);
    }
  }

  /** Ends it now, and what runs in it. Settles when it is stored. */
  async close(place: ChatPlace): Promise<void> {
    const lifetime = this.#all.get(place);
    if (place === this.#sidebar || lifetime === undefined) {
      return;
    }
    this.#all.delete(place);
    this.#unseen.delete(place);
    await place.session.stop();
    await place.keeper.close();
    place.context.take(); // the text that it belonged to is gone
    lifetime.dispose();
    this.#asked.fire();
  }

  /** Nobody answers questions any more, and what is there is stored. */
  async stop(): Promise<void> {
    this.all().forEach(({ session }) => session.questions.dispose());
    await Promise.allSettled(this.all().map(({ keeper }) => keeper.close()));
  }

  dispose(): void {
    this.#all.forEach((lifetime) => lifetime.dispose());
    this.#lifetime.dispose();
  }

  async #open(id: string | undefined): Promise<ChatPlace> {
    const shown = id === undefined ? undefined : this.showing(id);
    if (shown !== undefined) {
      this.#unseen.delete(shown);
      return shown === this.#sidebar ? this.takeFromSidebar() : shown;
    }
    const place = this.#make(id);
    if (id !== undefined) {
      await place.keeper.restore();
      this.#reopened.fire({ place, id });
    }
    return place;
  }

  /** Before the sidebar is left: what cannot be opened changes nothing. */
  async #makeWith(id: string | undefined): Promise<ChatPlace> {
    const place = this.#make(undefined);
    try {
      if (id !== undefined) {
        await place.keeper.open(id);
      }
      return place;
    } catch (error) {
      await this.close(place);
      throw error;
    }
  }

  #moveSidebar(place: ChatPlace): void {
    const left = this.#sidebar;
    place.context.takeOver(left.context);
    this.#sidebar = place;
    this.#options.last.set(place.session.conversation.id);
    this.#moved.fire();
    this.release(left);
  }

  #make(last: string | undefined): ChatPlace {
    let shown = last;
    const others = (): readonly ChatPlace[] => this.all().filter((each) => each !== place);
    const place: ChatPlace = this.#options.make({
      last: {
        get: () => shown,
        set: (id) => {
          shown = id;
          if (place === this.#sidebar) {
            this.#options.last.set(id);
          }
        },
      },
      elsewhere: {
        shown: () => others().map(({ session }) => session.conversation.id),
        isAnswering: (id) => others().some(({ session }) => session.isRunning && session.conversation.id === id),
      },
      isInEditor: () => this.#all.has(place) && place !== this.#sidebar,
      isSeen: () => this.#all.has(place) && this.#isSeen(place),
    });
    const lifetime = new DisposableStore();
    lifetime.add(place);
    lifetime.add(place.session.questions.onDidChange(() => this.#asked.fire()));
    lifetime.add(place.session.onDidSettle(() => void this.#endIfUnseen(place)));
    this.#all.set(place, lifetime);
    return place;
  }

  async #endIfUnseen(place: ChatPlace): Promise<void> {
    // What was queued begins only now.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (this.#unseen.has(place) && !place.session.isRunning) {
      await this.close(place);
    }
  }

  #listQuestions(): readonly Question[] {
    return this.all().flatMap(({ session }) => session.questions.list());
  }
}
