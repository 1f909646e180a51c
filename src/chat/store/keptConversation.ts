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

/** A window that is killed loses no more than this and the time of one writing. */
const saveEveryMs = 400;

/** For as long as an answer is written. */
export interface Claim {
  /** Resolves when everything is stored and others may answer. */
  release(): Promise<void>;
}

export interface KeptConversationOptions {
  readonly conversation: Conversation;
  readonly shelf: ConversationShelf;
  readonly clock: Clock;
  /** The file it was read from. */
  readonly file: Pick<StoredConversation, 'revision' | 'streamed'> | undefined;
  readonly onDidSave: (written: SavedConversation) => void;
  readonly onDidFail: (error: unknown) => void;
}

interface Written {
  readonly revision: number;
  /** As the conversation was when that was written: what is still the same object has not changed. */
  readonly whole: SavedConversation;
  /** The file has all of that, and not only as much as there is room for. */
  readonly isWhole: boolean;
  /** What was written beside it since. */
  readonly streamed: string | undefined;
}

/** One conversation and its file: written whole when a turn begins and ends, and what streams in between, soon after it came. */
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

  constructor(options: KeptConversationOptions) {
    this.conversation = options.conversation;
    this.#options = options;
    const whole = this.conversation.toJSON();
    this.#written =
      options.file === undefined ? undefined : { revision: options.file.revision, streamed: options.file.streamed, whole, isWhole: false };
    this.#last = options.file === undefined ? undefined : whole;
    this.#lifetime.add(this.conversation.onDidTouch(() => this.#saveSoon()));
  }

  /** Of the file, as far as this window knows. */
  get revision(): number | undefined {
    return this.#written?.revision;
  }

  get streamed(): string | undefined {
    return this.#written?.streamed;
  }

  /** What is here is newer than the file, or is about to be. */
  get isAhead(): boolean {
    return this.#timer !== undefined || this.#hold !== undefined;
  }

  /** Throws while another window answers, and when another window has answered meanwhile. */
  async claim(): Promise<Claim> {
    await this.#writing.idle();
    try {
      this.#hold = await this.#holdCurrent();
    } catch (error) {
      if (isAppError(error) && error.code.startsWith('chat.')) {
        throw error;
      }
      // Without a place to keep it, it can still be answered.
      this.#options.onDidFail(error);
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
    return this.#writing.run(() => this.#write()).catch((error: unknown) => this.#options.onDidFail(error));
  }

  /** The last writing; from then on nothing is written any more. */
  async close(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    const written = this.flush();
    this.#lifetime.dispose();
    await written;
    this.#isClosed = true;
    await this.#hold?.release().catch((error: unknown) => this.#options.onDidFail(error));
    this.#hold = undefined;
  }

  dispose(): void {
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
      this.#timer ??= this.#options.clock.schedule(saveEveryMs, () => void this.flush());
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
      return; // deleted meanwhile; it comes back only when somebody answers in it
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
    // Outside of an answer there is nothing that streams.
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
    const revision = await shelf.revisionOf(this.conversation.id);
    if (this.#written !== undefined && revision !== undefined && revision !== this.#written.revision) {
      await hold.release();
      throw chatError('chat.changedElsewhere');
    }
    return hold;
  }
}
