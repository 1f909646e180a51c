import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { GoneAttachment, KeptAttachment } from '../../contract/chat/attachments.ts';
import type { ChatPlace, ChatPlaces } from './chatPlaces.ts';
import * as z from 'zod';
import { keptAttachment, maxAttachments } from '../../contract/chat/attachments.ts';

/** The sidebar has one key, whichever conversation it shows: an attachment stays with the text being written there. */
const sidebarKey = 'sidebar';

export interface WaitingAttachmentsOptions {
  readonly memory: ConstructorParameters<typeof KeptAttachments>[0];
  /** Tells the person which attachments could not be restored. */
  readonly tellOfGone: (gone: readonly GoneAttachment[]) => void;
  readonly log: Log;
}

type Chat = Pick<ChatPlace, 'session' | 'context'>;
type Places = Pick<ChatPlaces, 'sidebar' | 'all' | 'restored' | 'onDidMove' | 'onDidReopen'>;

/** Restores, after a reload of the window, what was attached to the unsent message of each chat: in the sidebar and in each tab. */
export class WaitingAttachments implements Disposable {
  readonly #options: WaitingAttachmentsOptions;
  readonly #kept: KeptAttachments;
  readonly #lifetime = new DisposableStore();
  #places: Places | undefined;

  constructor(options: WaitingAttachmentsOptions) {
    this.#options = options;
    this.#kept = new KeptAttachments(options.memory);
  }

  /** Begins to follow the chats of the window; called once, when they are there. */
  follow(places: Places): void {
    this.#places = places;
    void places.restored.then(() => this.#restoreKept(places.sidebar, sidebarKey));
    this.#lifetime.add(places.onDidMove(() => this.#keepAll(places)));
    this.#lifetime.add(places.onDidReopen(({ place, id }) => this.#reopen(place, id)));
  }

  /** Keeps what is attached in this chat. Call it as soon as the chat is made, and dispose the result with the chat. */
  keepOf(chat: Chat): Disposable {
    const { session, context } = chat;
    const lifetime = new DisposableStore();
    lifetime.add(context.onDidChange(() => this.#keep(chat)));
    lifetime.add(session.onDidOpen(({ id }) => !this.#isInSidebar(chat) && this.#restoreKept(chat, id)));
    return lifetime;
  }

  /** Attaches again what was attached before. What is gone is told, and `onGone` is called before. */
  restore(context: ChatPlace['context'], kept: readonly KeptAttachment[], onGone?: () => void): void {
    const { tellOfGone, log } = this.#options;
    const tell = (gone: readonly GoneAttachment[]): void => {
      if (gone.length > 0) {
        onGone?.();
      }
      tellOfGone(gone);
    };
    context.restore(kept).then(tell, (error: unknown) => log.error('What was attached could not be attached again.', error));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** An empty conversation is not stored, so its tab comes back with a new one: that one gets what was attached to the old one. */
  #reopen(place: ChatPlace, id: string): void {
    this.#restoreKept(place, id);
    if (place.session.conversation.id !== id) {
      this.#kept.keep(id, []);
    }
  }

  /** Restores what is kept under a key. What is gone is kept no longer, so that the person is told of it once and not at every reload. */
  #restoreKept(chat: Chat, key: string): void {
    this.restore(chat.context, this.#kept.take(key), () => this.#keep(chat));
  }

  #keep(chat: Chat): void {
    this.#kept.keep(this.#isInSidebar(chat) ? sidebarKey : chat.session.conversation.id, chat.context.kept);
  }

  #isInSidebar({ context }: Chat): boolean {
    return this.#places?.sidebar.context === context;
  }

  /** When a chat moves between the sidebar and a tab, its attachments are kept under another key. */
  #keepAll(places: Places): void {
    const { context: inSidebar } = places.sidebar;
    places.all().forEach(({ session, context }) => {
      this.#kept.keep(session.conversation.id, context === inSidebar ? [] : context.kept);
    });
    this.#kept.keep(sidebarKey, inSidebar.kept);
  }
}

/** Attachments are kept for the chats that changed last, and for no more than this many. */
const maxChats = 20;

const keptChats = z.array(z.tuple([z.string(), z.array(keptAttachment).max(maxAttachments)])).max(maxChats);

/** The attachments of unsent messages of all chats, in a memory that outlives the window. */
export class KeptAttachments {
  readonly #set: (value: unknown) => void;
  /** What was kept before the reload and is not restored yet; what is attached meanwhile is added to it and does not replace it. */
  readonly #before: Map<string, readonly KeptAttachment[]>;
  #chats: readonly (readonly [string, readonly KeptAttachment[]])[];

  constructor(memory: { get(): unknown; set(value: unknown): void }) {
    this.#set = (value) => memory.set(value);
    const read = keptChats.safeParse(memory.get());
    this.#chats = read.success ? read.data : [];
    this.#before = new Map(this.#chats);
  }

  /** Gives out, once, what was attached in a chat when the window closed. */
  take(chat: string): readonly KeptAttachment[] {
    const kept = this.#before.get(chat) ?? [];
    this.#before.delete(chat);
    return kept;
  }

  keep(chat: string, attached: readonly KeptAttachment[]): void {
    const all = [...(this.#before.get(chat) ?? []), ...attached].slice(0, maxAttachments);
    const known = this.#chats.find(([name]) => name === chat)?.[1] ?? [];
    if (JSON.stringify(known) === JSON.stringify(all)) {
      return;
    }
    const others = this.#chats.filter(([name]) => name !== chat);
    this.#chats = all.length === 0 ? others : [...others, [chat, all] as const].slice(-maxChats);
    this.#set(this.#chats);
  }
}
