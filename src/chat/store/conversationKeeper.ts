import { Sequencer } from '../../base/sequencer.ts';
import { isAppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { ConversationHeading, ConversationList } from '../../contract/chat/conversations.ts';
import { chatError } from '../conversation/chatSentences.ts';
import { Conversation } from '../conversation/conversation.ts';
import { readSavedInSlices, type SavedConversation } from '../conversation/conversationFile.ts';
import { type ConversationShelf, listShelf, type StoredConversation } from './conversationShelf.ts';
import { KeptConversation, type ConversationClaim } from './keptConversation.ts';
import { clear, LastDeleted, prune } from './shelfRemoval.ts';
import type { StoreLimits } from './storeLimits.ts';
import { titleOf } from './storedText.ts';

/** How long, in ms, changes are gathered before those who listen are told of them. */
const tellAfterMs = 150;
/** How often, in ms, to look whether another window still answers: one that was killed changes no file to tell it. */
const lookAgainMs = 2_000;

/** What the person is told about the stored conversations. */
export type StoreNotice =
  | { readonly kind: 'removedOldest'; readonly count: number }
  | { readonly kind: 'shortened' }
  | { readonly kind: 'notStored'; readonly error: unknown };

export interface ConversationKeeperOptions {
  readonly shelf: ConversationShelf;
  readonly limits: StoreLimits;
  readonly clock: Clock;
  /** Remembers which conversation this window showed last. */
  readonly last: { get(): string | undefined; set(id: string): void };
  /** What the other chats of this window show and answer. */
  readonly elsewhere?: { shown(): readonly string[]; isAnswering(id: string): boolean };
  readonly tell: (notice: StoreNotice) => void;
  readonly log: Log;
}

/** What the keeper needs of the chat session whose conversations it stores. */
export interface KeptSession {
  readonly conversation: Conversation;
  readonly isRunning: boolean;
  /** Fired when the session shows another conversation. */
  readonly onDidOpen: Event<Conversation>;
  /** Fired when an answer has begun and when it has ended. */
  readonly onDidSettle: Event<Conversation>;
  open(conversation: Conversation): Promise<void>;
  newConversation(): Promise<void>;
  refreshStatus(): void;
}

/** Stores the conversations of one chat session, opens stored ones, and follows what other windows do with the shown one. */
export class ConversationKeeper implements Disposable {
  readonly #options: ConversationKeeperOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());
  /** Fired when the list of conversations may have changed. */
  readonly onDidChange = this.#changed.event;
  /** What is known of the files of conversations that were read and are not shown yet. */
  readonly #read = new WeakMap<Conversation, Pick<StoredConversation, 'revision' | 'streamed'>>();
  readonly #told = new Set<StoreNotice['kind']>();
  #session: KeptSession | undefined;
  #kept: KeptConversation | undefined;
  /** Conversations that are no longer shown and could not be written yet. */
  readonly #unwritten = new Set<KeptConversation>();
  #closing: Promise<void> = Promise.resolve();
  #claiming = 0;
  #isAnsweredElsewhere = false;
  readonly #lastDeleted: LastDeleted;
  #telling: Disposable | undefined;
  #lookingAgain: Disposable | undefined;
  #looking: Promise<void> | undefined;
  #hasMissedSomething = false;
  readonly #pruning = new Sequencer();
  #isClosed = false;

  constructor(options: ConversationKeeperOptions) {
    this.#options = options;
    this.#lastDeleted = new LastDeleted(options.shelf, () => this.#tellSoon());
    this.#lifetime.add(options.shelf.files.onDidChange(() => this.#tellSoon()));
  }

  /** Connects the session; called once, before anything is opened. */
  attach(session: KeptSession): void {
    this.#session = session;
    this.#adopt(session.conversation);
    this.#lifetime.add(session.onDidOpen((conversation) => this.#adopt(conversation)));
    this.#lifetime.add(session.onDidSettle(() => this.#tellSoon()));
  }

  /**
   * Opens the conversation that this window showed last, or else the newest of the workspace, unless the person has begun a new one
   * already.
   */
  async restore(): Promise<void> {
    const { shelf, last, log } = this.#options;
    const begun = this.#session?.conversation;
    try {
      const id = last.get() ?? (await shelf.list()).entries.find(({ isHeldElsewhere }) => !isHeldElsewhere)?.id;
      const stored = id === undefined ? undefined : await shelf.load(id);
      const isElsewhere = stored !== undefined && (await shelf.isHeldElsewhere(stored.saved.id));
      const session = this.#session;
      // A first message may still be claiming the conversation that it goes into.
      const isQuiet = session?.isRunning === false && this.#claiming === 0;
      const isUntouched = isQuiet && session.conversation === begun && begun.items.length === 0;
      if (stored !== undefined && isUntouched) {
        await this.#show(stored, isElsewhere);
      }
    } catch (error) {
      log.error('The last conversation could not be opened.', error);
      this.#options.tell({ kind: 'notStored', error });
    }
  }

  claim(conversation: Conversation): Promise<ConversationClaim> {
    const kept = this.#kept;
    if (kept?.conversation !== conversation) {
      return Promise.reject(chatError('chat.leftConversation'));
    }
    this.#claiming += 1;
    const claiming = this.#closing.then(() => kept.claim()).finally(() => (this.#claiming -= 1));
    return claiming.catch(async (error: unknown) => {
      await this.#look();
      throw error;
    });
  }

  heading(conversation: Conversation): ConversationHeading {
    const kept = this.#kept?.conversation === conversation ? this.#kept : undefined;
    return {
      title: conversation.title,
      isAnsweredElsewhere: this.#isAnsweredElsewhere && kept !== undefined,
      messagesLeftOut: conversation.messagesLeftOut,
      ...(kept?.isUnwritten === true ? { isNotKept: true } : {}),
    };
  }

  async list(search: string, isWanted: () => boolean): Promise<ConversationList> {
    const isAnsweredHere = (id: string): boolean => this.#session?.isRunning === true && this.#kept?.conversation.id === id;
    const isAnswering = (id: string): boolean => isAnsweredHere(id) || this.#options.elsewhere?.isAnswering(id) === true;
    return {
      ...(await listShelf(this.#options.shelf, search, isWanted, isAnswering)),
      ...this.#lastDeleted.listed,
    };
  }

  async open(id: string): Promise<void> {
    if (id !== this.#kept?.conversation.id) {
      await this.#open(await this.#load(id));
    }
  }

  /** Opens a copy of the shown conversation. */
  async openCopy(): Promise<void> {
    const shown = this.#kept?.conversation.toJSON();
    if (shown !== undefined && shown.items.length > 0) {
      // Queued messages are sent once, in the conversation where they were typed.
      const copy = Conversation.fromSaved(await readSavedInSlices({ ...shown, id: crypto.randomUUID(), queue: [] }));
      const { shelf } = this.#options;
      await shelf.beside?.copy(shelf.folder, shown.id, copy.id);
      await this.#session?.open(copy);
      await this.#kept?.save();
    }
  }

  /** A conversation as it is now, from this chat or from its file. */
  async read(id: string): Promise<SavedConversation> {
    const kept = this.#kept?.conversation;
    return kept?.id === id ? kept.toJSON() : (await this.#load(id)).saved;
  }

  async rename(id: string, title: string): Promise<void> {
    if (this.#kept?.conversation.id === id) {
      if (this.#isAnsweredElsewhere) {
        throw chatError('chat.answeredElsewhere');
      }
      this.#kept.conversation.rename(title);
      await this.#kept.save();
      this.#session?.refreshStatus();
      return;
    }
    await this.#options.shelf.rename(id, title);
  }

  /** Shows a new conversation in place of the shown one; resolves when that one is stored and is not written any more. */
  async leave(): Promise<void> {
    await this.#session?.newConversation();
    await this.#closing;
  }

  /** Deletes a conversation. It can be restored until the next one is deleted or this window closes. */
  async delete(id: string): Promise<void> {
    const { shelf } = this.#options;
    const title = titleOf(await this.read(id));
    if (await shelf.isHeldElsewhere(id)) {
      throw chatError('chat.answeredElsewhere');
    }
    const wasShown = this.#kept?.conversation.id === id;
    if (wasShown) {
      await this.leave();
    }
    await this.#lastDeleted.delete({ id, title, wasShown });
  }

  async undoDelete(id: string): Promise<void> {
    const deleted = await this.#lastDeleted.restore(id);
    if (deleted?.wasShown === true && this.#kept?.conversation.items.length === 0) {
      await this.open(id);
    }
  }

  async clear(which: 'workspace' | 'all'): Promise<number> {
    await this.leave();
    this.#lastDeleted.forget();
    return clear(this.#options.shelf, which);
  }

  /** Stores the conversation as it is when the window closes: a running answer counts as interrupted, not as stopped by the person. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#kept?.close();
    await this.#closing;
  }

  dispose(): void {
    this.#isClosed = true;
    this.#telling?.dispose();
    this.#lookingAgain?.dispose();
    this.#kept?.dispose();
    this.#unwritten.forEach((kept) => kept.dispose());
    this.#lifetime.dispose();
  }

  async #load(id: string): Promise<StoredConversation> {
    const stored = await this.#options.shelf.load(id);
    if (stored === undefined) {
      throw chatError('chat.savedConversationGone');
    }
    return stored;
  }

  async #open(stored: StoredConversation): Promise<void> {
    await this.#show(stored, await this.#options.shelf.isHeldElsewhere(stored.saved.id));
  }

  async #show({ saved, revision, streamed }: StoredConversation, isElsewhere: boolean): Promise<void> {
    const conversation = Conversation.fromSaved(saved);
    this.#read.set(conversation, { revision, streamed });
    this.#isAnsweredElsewhere = isElsewhere;
    await this.#session?.open(conversation);
  }

  #adopt(conversation: Conversation): void {
    const before = this.#kept;
    if (before !== undefined) {
      this.#closing = Promise.all([this.#closing, this.#closeLast(before)]).then(() => undefined);
    }
    if (before?.conversation.id !== conversation.id && !this.#read.has(conversation)) {
      this.#isAnsweredElsewhere = false;
    }
    const kept = new KeptConversation({
      conversation,
      shelf: this.#options.shelf,
      clock: this.#options.clock,
      file: this.#read.get(conversation),
      onDidSave: (written) => this.#afterSave(written),
      onDidFail: (error) => this.#failed(error),
      onDidRecover: () => this.#recovered(kept),
    });
    this.#kept = kept;
    // The first, empty conversation is not remembered, because that would forget which one to restore.
    if (before !== undefined) {
      this.#options.last.set(conversation.id);
    }
    this.#lookAgain();
  }

  #afterSave(written: SavedConversation): void {
    this.#options.last.set(written.id);
    if ((written.messagesLeftOut ?? 0) > 0) {
      this.#tellOnce({ kind: 'shortened' });
    }
    void this.#pruning.run(() => this.#prune());
    this.#tellSoon();
  }

  async #prune(): Promise<void> {
    const { shelf, limits, clock, log, elsewhere } = this.#options;
    try {
      const count = await prune(shelf, limits, [this.#kept?.conversation.id ?? '', ...(elsewhere?.shown() ?? [])], clock);
      if (count > 0) {
        this.#options.tell({ kind: 'removedOldest', count });
      }
    } catch (error) {
      log.error('The oldest conversations could not be removed.', error);
    }
  }

  #failed(error: unknown): void {
    this.#options.log.error('The conversation could not be stored.', error);
    if (isAppError(error) && error.code === 'chat.changedElsewhere') {
      void this.#look();
    } else {
      this.#tellOnce({ kind: 'notStored', error });
      this.#session?.refreshStatus();
    }
  }

  #recovered(kept: KeptConversation): void {
    if (this.#unwritten.delete(kept)) {
      kept.dispose();
    }
    this.#told.delete('notStored');
    this.#session?.refreshStatus();
  }

  async #closeLast(kept: KeptConversation): Promise<void> {
    await kept.close();
    if (kept.isUnwritten && !this.#isClosed) {
      this.#unwritten.add(kept);
    }
  }

  #tellOnce(notice: StoreNotice): void {
    if (!this.#told.has(notice.kind)) {
      this.#told.add(notice.kind);
      this.#options.tell(notice);
    }
  }

  #tellSoon(): void {
    if (this.#isClosed) {
      return;
    }
    this.#telling ??= this.#options.clock.schedule(tellAfterMs, () => {
      this.#telling = undefined;
      this.#changed.fire();
      void this.#look();
    });
  }

  #lookAgain(): void {
    if (this.#isAnsweredElsewhere && !this.#isClosed) {
      this.#lookingAgain ??= this.#options.clock.schedule(lookAgainMs, () => {
        this.#lookingAgain = undefined;
        void this.#look();
      });
    }
  }

  /** Shows what another window has made of the shown conversation; called again while it runs, it looks once more afterwards. */
  #look(): Promise<void> {
    if (this.#looking !== undefined) {
      this.#hasMissedSomething = true;
      return this.#looking;
    }
    this.#looking = this.#lookOnce()
      .catch((error: unknown) => this.#options.log.error('What another window did could not be read.', error))
      .finally(() => {
        this.#looking = undefined;
        this.#lookAgain();
        if (this.#hasMissedSomething) {
          this.#hasMissedSomething = false;
          this.#tellSoon();
        }
      });
    return this.#looking;
  }

  #isAhead(): boolean {
    return this.#claiming > 0 || this.#kept?.isAhead === true;
  }

  async #lookOnce(): Promise<void> {
    const kept = this.#kept;
    const { shelf } = this.#options;
    if (kept?.revision === undefined || this.#isAhead() || this.#isClosed) {
      return;
    }
    const { id } = kept.conversation;
    const wasElsewhere = this.#isAnsweredElsewhere;
    const isElsewhere = await shelf.isHeldElsewhere(id);
    const revision = await shelf.revisionOf(id);
    const isBehind =
      revision !== undefined &&
      (revision !== kept.revision || ((isElsewhere || wasElsewhere) && (await shelf.readStreamed(id)) !== kept.streamed));
    const stored = isBehind ? await shelf.load(id) : undefined;
    if (this.#kept !== kept || this.#isAhead()) {
      return;
    }
    if (stored !== undefined) {
      await this.#show(stored, isElsewhere);
    } else if (wasElsewhere !== isElsewhere) {
      this.#isAnsweredElsewhere = isElsewhere;
      this.#session?.refreshStatus();
    }
  }
}
