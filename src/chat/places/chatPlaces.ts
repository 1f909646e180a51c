// places/: the chats of one window, in the sidebar and in tabs (this file), and what is attached in each of them over a reload.
import { Sequencer } from '../../base/sequencer.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Question } from '../../contract/questions/questions.ts';
import type { ChatApps } from '../apps/chatApps.ts';
import type { ChatSession } from '../turn/chatSession.ts';
import type { ChatContext } from '../context/chatContext.ts';
import type { ConversationKeeper, ConversationKeeperOptions } from '../store/conversationKeeper.ts';

/** A chat in the sidebar or in a tab. It shows and answers one conversation at a time. */
export interface ChatPlace extends Disposable {
  readonly session: ChatSession;
  /** The attachments, suggestions and forms around the message being written. */
  readonly context: ChatContext;
  readonly keeper: ConversationKeeper;
  /** The pages of tools that this chat shows. */
  readonly apps: ChatApps;
}

export interface PlacePorts extends Required<Pick<ConversationKeeperOptions, 'last' | 'elsewhere'>> {
  readonly isInEditor: () => boolean;
  /** Whether this chat is visible to the person. */
  readonly isSeen: () => boolean;
}

export interface ReopenedPlace {
  readonly place: ChatPlace;
  readonly id: string;
}

export interface ChatPlacesOptions {
  readonly make: (ports: PlacePorts) => ChatPlace;
  /** Remembers which conversation the sidebar showed last. */
  readonly last: ConversationKeeperOptions['last'];
}

/** All chats of one window. A conversation is shown by at most one of them: whoever opens it again is led to that one. */
export class ChatPlaces implements Disposable {
  readonly #options: ChatPlacesOptions;
  readonly #lifetime = new DisposableStore();
  readonly #moved = this.#lifetime.add(new Emitter<void>());
  readonly #asked = this.#lifetime.add(new Emitter<void>());
  readonly #reopened = this.#lifetime.add(new Emitter<ReopenedPlace>());
  /** All chats, each with what has to be disposed when it is closed. */
  readonly #all = new Map<ChatPlace, DisposableStore>();
  readonly #unseen = new Set<ChatPlace>();
  #isSeen: (place: ChatPlace) => boolean = () => false;
  #sidebar: ChatPlace;
  /** Tabs are opened one after the other, so that two of them never show the same conversation. */
  readonly #opening = new Sequencer();

  /** Fired when the sidebar shows another chat. */
  readonly onDidMove = this.#moved.event;
  /** Fired when a tab is back after a reload, with the conversation of this id or, if that was not stored, with a new one. */
  readonly onDidReopen = this.#reopened.event;
  /** Resolves when the sidebar shows again the conversation it showed last. */
  readonly restored: Promise<void>;
  /** The questions that wait for the person in any chat. */
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

  /** Tells which chats are visible; until this is called none counts as visible. */
  shownBy(isSeen: (place: ChatPlace) => boolean): void {
    this.#isSeen = isSeen;
  }

  /** The chat that shows this conversation. */
  showing(id: string): ChatPlace | undefined {
    return this.all().find(({ session }) => session.conversation.id === id);
  }

  /** Gives the sidebar's chat, with all that runs in it, away to a tab; the sidebar gets a new, empty chat. */
  takeFromSidebar(): ChatPlace {
    const taken = this.#sidebar;
    this.#sidebar = this.#make(undefined);
    this.#options.last.set(this.#sidebar.session.conversation.id);
    this.#moved.fire();
    taken.session.refreshStatus();
    return taken;
  }

  /**
   * Shows this conversation, or a new one, in the sidebar. An answer that runs in the chat it leaves is finished and stored out of
   * sight; what is attached stays with the text being written.
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

  /** Whether this conversation is still being answered in a chat that nobody sees. */
  isUnseen(id: string): boolean {
    const shown = this.showing(id);
    return shown !== undefined && this.#unseen.has(shown);
  }

  /** Gives a tab its chat: the one that already shows this conversation, or a new one that opens it. Without an id the chat is empty. */
  open(id: string | undefined): Promise<ChatPlace> {
    return this.#opening.run(() => this.#open(id));
  }

  /** Lets go of a chat that nobody sees any more. It is closed once what runs in it has ended and is stored. */
  release(place: ChatPlace): void {
    if (place !== this.#sidebar && this.#all.has(place)) {
      this.#unseen.add(place);
      void this.#endIfUnseen(place);
    }
  }

  /** Ends a chat and what runs in it at once; settles when its conversation is stored. The sidebar's goes on with a new conversation. */
  async close(place: ChatPlace): Promise<void> {
    const lifetime = this.#all.get(place);
    if (lifetime === undefined) {
      return;
    }
    if (place === this.#sidebar) {
      await place.keeper.leave();
      return;
    }
    this.#all.delete(place);
    this.#unseen.delete(place);
    await place.session.stop();
    await place.keeper.close();
    place.context.take(); // the text that the attachments belonged to is gone
    lifetime.dispose();
    this.#asked.fire();
  }

  /** Withdraws all open questions and stores every conversation, before the window closes. */
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

  /** Opens the conversation in a new chat before the sidebar leaves the old one, so that a failure changes nothing. */
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
    // A message that goes on in a new conversation is sent there only after the event, so look again a moment later.
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (this.#unseen.has(place) && !place.session.isRunning) {
      await this.close(place);
    }
  }

  #listQuestions(): readonly Question[] {
    return this.all().flatMap(({ session }) => session.questions.list());
  }
}
