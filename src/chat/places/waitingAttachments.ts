import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { GoneAttachment, KeptAttachment } from '../../contract/chat/attachments.ts';
import type { ChatPlace, ChatPlaces } from './chatPlaces.ts';
import * as z from 'zod';
import { keptAttachment, maxAttachments } from '../../contract/chat/attachments.ts';

/** Of the sidebar, whichever conversation it shows: what is attached stays with the text being written. */
const sidebarKey = 'sidebar';

export interface WaitingAttachmentsOptions {
  readonly memory: ConstructorParameters<typeof KeptAttachments>[0];
  /** What was attached and cannot be attached again. */
  readonly tellOfGone: (gone: readonly GoneAttachment[]) => void;
  readonly log: Log;
}

type Places = Pick<ChatPlaces, 'sidebar' | 'all' | 'restored' | 'onDidMove' | 'onDidReopen'>;

/** What is attached in each chat of a window, there again after a reload: in the sidebar, and in the tab of each conversation. */
export class WaitingAttachments implements Disposable {
  readonly #options: WaitingAttachmentsOptions;
  readonly #kept: KeptAttachments;
  readonly #lifetime = new DisposableStore();
  #places: Places | undefined;

  constructor(options: WaitingAttachmentsOptions) {
    this.#options = options;
    this.#kept = new KeptAttachments(options.memory);
  }

  /** Once, when there are chats. */
  follow(places: Places): void {
    this.#places = places;
    void places.restored.then(() => this.restore(places.sidebar.context, this.#kept.take(sidebarKey)));
    this.#lifetime.add(places.onDidMove(() => this.#keepAll(places)));
    this.#lifetime.add(places.onDidReopen(({ place, id }) => this.#reopen(place, id)));
  }

  /** To be called as soon as a chat is made; the result ends with it. */
  keepOf({ session, context }: Pick<ChatPlace, 'session' | 'context'>): Disposable {
    const isInSidebar = (): boolean => this.#places?.sidebar.context === context;
    const lifetime = new DisposableStore();
    lifetime.add(context.onDidChange(() => this.#kept.keep(isInSidebar() ? sidebarKey : session.conversation.id, context.kept)));
    lifetime.add(session.onDidOpen(({ id }) => !isInSidebar() && this.restore(context, this.#kept.take(id))));
    return lifetime;
  }

  restore(context: ChatPlace['context'], kept: readonly KeptAttachment[]): void {
    const { tellOfGone, log } = this.#options;
    context.restore(kept).then(tellOfGone, (error: unknown) => log.error('What was attached could not be attached again.', error));
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  /** A conversation in which nothing was said is stored nowhere: its tab has a new one now, and what waited there is for that. */
  #reopen({ session, context }: ChatPlace, id: string): void {
    const kept = this.#kept.take(id);
    if (session.conversation.id !== id) {
      this.#kept.keep(id, []);
    }
    this.restore(context, kept);
  }

  /** Where a chat moves, what is attached there is kept under another name. */
  #keepAll(places: Places): void {
    const { context: inSidebar } = places.sidebar;
    places.all().forEach(({ session, context }) => {
      this.#kept.keep(session.conversation.id, context === inSidebar ? [] : context.kept);
    });
    this.#kept.keep(sidebarKey, inSidebar.kept);
  }
}

/** Of so many chats, the last ones that changed. */
const maxChats = 20;

const keptChats = z.array(z.tuple([z.string(), z.array(keptAttachment).max(maxAttachments)])).max(maxChats);

/** What waits in the chats of a window, over a reload. */
export class KeptAttachments {
  readonly #set: (value: unknown) => void;
  /** Until it is restored: what is attached meanwhile does not take its place. */
  readonly #before: Map<string, readonly KeptAttachment[]>;
  #chats: readonly (readonly [string, readonly KeptAttachment[]])[];

  constructor(memory: { get(): unknown; set(value: unknown): void }) {
    this.#set = (value) => memory.set(value);
    const read = keptChats.safeParse(memory.get());
    this.#chats = read.success ? read.data : [];
    this.#before = new Map(this.#chats);
  }

  /** Once: what waited when the window closed. */
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
