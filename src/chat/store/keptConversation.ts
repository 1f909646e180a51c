import { Sequencer } from '../../base/sequencer.ts';
import { isAppError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Hold } from '../../base/sharedStorage.ts';
import { chatError } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { SavedConversation } from '../conversation/conversationFile.ts';
import { deltaText, maxDeltaLength } from './storedText.ts';
import type { ConversationShelf, StoredConversation } from './conversationShelf.ts';

/** How long, in ms, a change may wait to be written; a window that is killed loses no more than that. */
const saveEveryMs = 400;
/** How long, in ms, to wait after a failure to write before the next attempt. */
const retryMs = 5_000;

/** A claim of this window on a conversation, for as long as it answers. */
export interface ConversationClaim {
  /** Gives the claim back; resolves when everything is stored and other windows may answer. */
  release(): Promise<void>;
}

export interface KeptConversationOptions {
  readonly conversation: Conversation;
  readonly shelf: ConversationShelf;
  readonly clock: Clock;
  /** The file that the conversation was read from. */
  readonly file: Pick<StoredConversation, 'revision' | 'streamed'> | undefined;
  readonly onDidSave: (written: SavedConversation) => void;
  readonly onDidFail: (error: unknown) => void;
  /** Called when what could not be written is written at last. */
  readonly onDidRecover: () => void;
}

interface Written {
  readonly revision: number;
  /** The conversation as it was when that revision was written; objects that are still the same have not changed. */
  readonly whole: SavedConversation;
  /** Whether the file has all of it, and not only what there was room for. */
  readonly isWhole: boolean;
  /** The changes that were written since, beside the whole file. */
  readonly streamed: string | undefined;
}

/** Writes one conversation to its file: the whole when a turn begins and ends, and the changes in between soon after they happen. */
export class KeptConversation implements Disposable {
  readonly conversation: Conversation;
  readonly #options: KeptConversationOptions;
  readonly #lifetime = new DisposableStore();
  #written: Written | undefined;
  #last: SavedConversation | undefined;
  #hold: Hold | undefined;
  #needsWhole = true;
  #timer: Disposable | undefined;
  readonly #writing = new Sequencer();
  #isClosed = false;
  #isUnwritten = false;

  constructor(options: KeptConversationOptions) {
    this.conversation = options.conversation;
    this.#options = options;
    const whole = this.conversation.toJSON();
    this.#written =
      options.file === undefined ? undefined : { revision: options.file.revision, streamed: options.file.streamed, whole, isWhole: false };
    this.#last = options.file === undefined ? undefined : whole;
    this.#lifetime.add(this.conversation.onDidTouch(() => this.#saveSoon()));
  }

  /** The revision of the file, as far as this window knows. */
  get revision(): number | undefined {
    return this.#written?.revision;
  }

  get streamed(): string | undefined {
    return this.#written?.streamed;
  }

  /** Whether the conversation here is newer than the file, or is about to be. */
  get isAhead(): boolean {
    return this.#timer !== undefined || this.#hold !== undefined;
  }

  /** Whether the last attempt to write failed. It is repeated until it succeeds, also without a change. */
  get isUnwritten(): boolean {
    return this.#isUnwritten;
  }

  /** Claims the conversation. Throws while another window answers in it, and when one has changed it meanwhile. */
  async claim(): Promise<ConversationClaim> {
    try {
      // A write that falls due meanwhile waits: it would take this claim for one of another window.
      await this.#writing.run(async () => (this.#hold = await this.#holdCurrent()));
    } catch (error) {
      if (isAppError(error) && error.code.startsWith('chat.')) {
        throw error;
      }
      // A conversation that cannot be stored can still be answered.
      this.#failed(error);
      return { release: () => Promise.resolve() };
    }
    this.#needsWhole = true;
    return { release: () => this.#release() };
  }

  /** Writes the whole conversation now. */
  save(): Promise<void> {
    this.#needsWhole = true;
    return this.flush();
  }

  /** Writes what waits to be written. */
  flush(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    return this.#writing
      .run(() => this.#write())
      .then(
        () => this.#recovered(),
        (error: unknown) => this.#failed(error),
      );
  }

  /** Writes for the last time. What cannot be written then is tried again until it can, or until this is disposed. */
  async close(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    const written = this.flush();
    this.#lifetime.dispose();
    await written;
    this.#isClosed = !this.#isUnwritten;
    await this.#hold?.release().catch((error: unknown) => this.#options.onDidFail(error));
    this.#hold = undefined;
  }

  dispose(): void {
    this.#isClosed = true;
    this.#timer?.dispose();
    this.#lifetime.dispose();
  }

  async #release(): Promise<void> {
    await this.save();
    const hold = this.#hold;
    this.#hold = undefined;
    await hold?.release().catch((error: unknown) => this.#options.onDidFail(error));
  }

  #saveSoon(): void {
    if (!this.#isClosed) {
      // What begins a turn is what the person typed: it is written at once, so that not even a window that is killed loses it.
      const waitMs = this.#hold !== undefined && this.#needsWhole ? 0 : saveEveryMs;
      this.#timer ??= this.#options.clock.schedule(waitMs, () => void this.flush());
    }
  }

  #failed(error: unknown): void {
    // What another window does with the conversation is no failure to write, and trying again would not help.
    if (!isAppError(error) && !this.#isClosed) {
      this.#isUnwritten = true;
      this.#timer ??= this.#options.clock.schedule(retryMs, () => void this.flush());
    }
    this.#options.onDidFail(error);
  }

  #recovered(): void {
    if (this.#isUnwritten) {
      this.#isUnwritten = false;
      this.#options.onDidRecover();
    }
  }

  async #write(): Promise<void> {
    const saved = this.conversation.toJSON();
    if (this.#isClosed || !this.#hasChanged(saved)) {
      return;
    }
    if (this.#hold !== undefined) {
      await this.#writeHeld(saved, this.#hold);
      return;
    }
    if (this.#written !== undefined && (await this.#options.shelf.revisionOf(saved.id)) === undefined) {
      return; // it was deleted meanwhile, and comes back only when the person goes on with it
    }
    const hold = await this.#holdCurrent();
    try {
      await this.#writeHeld(saved, hold);
    } finally {
      await hold.release();
    }
  }

  async #writeHeld(saved: SavedConversation, hold: Hold): Promise<void> {
    const { shelf, onDidSave } = this.#options;
    if (!(await hold.isStillOurs())) {
      throw chatError('chat.answeredElsewhere');
    }
    const written = this.#written;
    const delta =
      written === undefined || this.#needsWhole ? undefined : deltaText(written.whole, saved, written.revision, written.isWhole);
    const isSmall = delta !== undefined && (written?.isWhole === true ? delta.length < maxDeltaLength : shelf.fits(delta));
    if (written !== undefined && delta !== undefined && isSmall) {
      await shelf.writeStreamed(saved.id, delta);
      this.#written = { ...written, streamed: delta };
      this.#last = saved;
      return;
    }
    const revision = (this.#written?.revision ?? 0) + 1;
    const kept = await shelf.write(saved, revision);
    this.#written = { revision, whole: saved, isWhole: kept === saved, streamed: undefined };
    this.#last = saved;
    // Outside of an answer nothing streams, so each change writes the whole file.
    this.#needsWhole = this.#hold === undefined;
    onDidSave(kept);
  }

  #hasChanged(saved: SavedConversation): boolean {
    if (saved.items.length === 0 && this.#written === undefined) {
      return false;
    }
    const { items, turns, ...rest } = saved;
    const last = this.#last;
    const isSame = (other: SavedConversation | undefined): boolean => other?.items === items && other.turns === turns;
    const others = new Map(Object.entries(last ?? {}));
    return (
      !isSame(last) ||
      (this.#needsWhole && !isSame(this.#written?.whole)) ||
      Object.entries(rest).some(([name, value]) => others.get(name) !== value)
    );
  }

  async #holdCurrent(): Promise<Hold> {
    const { shelf } = this.#options;
    const hold = await shelf.hold(this.conversation.id);
    if (hold === undefined) {
      throw chatError('chat.answeredElsewhere');
    }
    try {
      const revision = await shelf.revisionOf(this.conversation.id);
      if (this.#written !== undefined && revision !== undefined && revision !== this.#written.revision) {
        throw chatError('chat.changedElsewhere');
      }
      return hold;
    } catch (error) {
      // A hold that nobody has any more would keep this window, too, from answering and writing.
      await hold.release().catch(() => undefined);
      throw error;
    }
  }
}
