// store/: conversations in files: the form of a file and of what is written while an answer streams (storedText.ts), how much is kept
// (storeLimits.ts), the files of one workspace (this file) and their removal (shelfRemoval.ts), and the shown conversation, written as
// it grows (keptConversation.ts, conversationKeeper.ts). Files come in through a port (base/sharedFolder.ts).
import type { Clock } from '../../base/clock.ts';
import { isAppError } from '../../base/errors.ts';
import type { FolderFile, Hold, SharedFolder } from '../../base/sharedStorage.ts';
import type { ConversationList } from '../../contract/chat/conversations.ts';
import { chatError } from '../conversation/chatSentences.ts';
import { readSavedInSlices, type SavedConversation } from '../conversation/conversationFile.ts';
import { fitted, measure, type StoreLimits } from './storeLimits.ts';
import {
  currentVersion,
  decodeHeader,
  decodeSearchedText,
  decodeStored,
  encodeStored,
  headerBytes,
  type StoredHeader,
  titleOf,
  withDelta,
} from './storedText.ts';

/** The largest file that is read. Beside the conversation it holds the text for searches, with up to four bytes per character. */
const maxFileBytes = 16_000_000;

interface KeptEntry {
  readonly id: string;
  readonly title: string;
  readonly changedAt: number;
  readonly messages: number;
  readonly textBytes: number;
  readonly bytes: number;
  readonly isHeldElsewhere: boolean;
}

export interface Shelf {
  /** The conversations, newest first. */
  readonly entries: readonly KeptEntry[];
  /** The names of files that cannot be read; they are left as they are. */
  readonly unreadable: readonly string[];
}

/** A conversation as it was read from its file. */
export interface StoredConversation {
  readonly saved: SavedConversation;
  readonly revision: number;
  /** The text of the file with what was streamed after that revision. */
  readonly streamed: string | undefined;
  readonly changedAt: number;
}

/** The store for what belongs to one conversation but is not in its file: long results and the texts of edited files. */
export interface KeptBeside {
  /** Removes everything of one conversation. Never rejects. */
  remove(folder: string, conversationId: string): Promise<void>;
  /** Copies everything of one conversation for another. Never rejects. */
  copy(folder: string, conversationId: string, copyId: string): Promise<void>;
}

type Known = { readonly file: FolderFile; readonly header: StoredHeader | 'newer' };

/**
 * The stored conversations of one workspace. Files are read anew each time, because other windows change them; only headers are
 * remembered.
 */
export class ConversationShelf {
  readonly files: SharedFolder;
  readonly folder: string;
  readonly beside: KeptBeside | undefined;
  readonly #limits: StoreLimits;
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();

  constructor(files: SharedFolder, folder: string, limits: StoreLimits, clock: Clock, beside?: KeptBeside) {
    this.files = files;
    this.folder = folder;
    this.beside = beside;
    this.#limits = limits;
    this.#clock = clock;
  }

  async list(): Promise<Shelf> {
    const files = await this.files.list(this.folder);
    const names = new Set(files.map(({ name }) => name));
    const entries: KeptEntry[] = [];
    const unreadable = files.filter(({ name }) => name.endsWith('.unreadable')).map(({ name }) => name);
    for (const file of files) {
      const id = idOf(file.name);
      const header = id === undefined ? undefined : await this.#header(id, file);
      if (id === undefined || header === undefined) {
        unreadable.push(...(id === undefined ? [] : [`${file.name}.unreadable`]));
      } else if (header === 'newer') {
        unreadable.push(file.name);
      } else {
        const isHeldElsewhere = names.has(`${id}.answering`) && (await this.isHeldElsewhere(id));
        const { title, changedAt, messages, textBytes } = header;
        entries.push({ id, title, changedAt, messages, textBytes, bytes: file.bytes, isHeldElsewhere });
      }
    }
    this.#forgetAllBut(names);
    return { entries: entries.sort((one, other) => other.changedAt - one.changedAt), unreadable: [...new Set(unreadable)] };
  }

  /** Reads a conversation; undefined when there is none. A file that cannot be read is renamed, and the error names it. */
  async load(id: string): Promise<StoredConversation | undefined> {
    // In this order: a window that ends writes the whole file and removes what was streamed, which is then in the one or the other.
    const streamed = await this.readStreamed(id);
    const text = await this.files.read(this.path(id, 'json'), maxFileBytes);
    if (text === undefined) {
      return undefined;
    }
    const header = decodeHeader(text.slice(0, headerBytes));
    if (header !== undefined && header.version > currentVersion) {
      throw chatError('chat.savedConversationNewer');
    }
    const revision = header?.revision ?? 0;
    try {
      const value = await decodeStored(text);
      const saved = await readOr(await withDelta(value, streamed, revision), value);
      return { saved: { ...saved, id }, revision, streamed, changedAt: header?.changedAt ?? this.#clock.wallTime() };
    } catch (error) {
      // An error of the disk, or of our own code, does not mean that the file is damaged.
      if (!isAppError(error)) {
        throw error;
      }
      await this.files.move(this.path(id, 'json'), `${this.path(id, 'json')}.unreadable`);
      throw chatError('chat.savedConversationUnreadable', { file: `${id}.json.unreadable` });
    }
  }

  /** The revision of a conversation's file; undefined when there is none. */
  async revisionOf(id: string): Promise<number | undefined> {
    const start = await this.files.readStart(this.path(id, 'json'), headerBytes);
    return start === undefined ? undefined : (decodeHeader(start)?.revision ?? 0);
  }

  /**
   * Writes the whole conversation, or as much as there is room for, and gives back what was written. Only the window that holds the
   * conversation may call it.
   */
  async write(saved: SavedConversation, revision: number, changedAt = this.#clock.wallTime()): Promise<SavedConversation> {
    await measure(saved);
    const kept = fitted(saved, this.#limits.maxConversationBytes);
    await this.files.write(this.path(saved.id, 'json'), await encodeStored(kept, revision, changedAt));
    await this.files.remove(this.path(saved.id, 'live'));
    return kept;
  }

  /** Gives a conversation that no window shows another title. */
  async rename(id: string, title: string): Promise<void> {
    const hold = await this.hold(id);
    if (hold === undefined) {
      throw chatError('chat.answeredElsewhere');
    }
    try {
      const stored = await this.load(id);
      if (stored === undefined) {
        throw chatError('chat.savedConversationGone');
      }
      await this.write({ ...stored.saved, title }, stored.revision + 1, stored.changedAt);
    } finally {
      await hold.release();
    }
  }

  readStreamed(id: string): Promise<string | undefined> {
    return this.files.read(this.path(id, 'live'), maxFileBytes);
  }

  async writeStreamed(id: string, delta: string): Promise<void> {
    await this.files.write(this.path(id, 'live'), delta);
  }

  fits(text: string): boolean {
    return text.length < this.#limits.maxConversationBytes;
  }

  hold(id: string): Promise<Hold | undefined> {
    return this.files.hold(this.path(id, 'answering'));
  }

  isHeldElsewhere(id: string): Promise<boolean> {
    return this.files.isHeldByOther(this.path(id, 'answering'));
  }

  path(id: string, kind: 'json' | 'live' | 'answering' | 'deleted'): string {
    if (!/^[\w-]{1,100}$/.test(id)) {
      throw chatError('chat.savedConversationGone');
    }
    return `${this.folder}/${id}.${kind}`;
  }

  /** Reads the header of a file; undefined when it cannot be read, and then the file was renamed. */
  async #header(id: string, file: FolderFile): Promise<StoredHeader | 'newer' | undefined> {
    const known = this.#known.get(file.name);
    if (known?.file.bytes === file.bytes && known.file.changedAt === file.changedAt) {
      return known.header;
    }
    const start = await this.files.readStart(this.path(id, 'json'), headerBytes);
    const read = start === undefined ? undefined : (decodeHeader(start) ?? (await this.#headerOfOld(id, file)));
    const header = read !== undefined && read.version > currentVersion ? 'newer' : read;
    if (header !== undefined) {
      this.#known.set(file.name, { file, header });
    }
    return header;
  }

  async #headerOfOld(id: string, { changedAt }: FolderFile): Promise<StoredHeader | undefined> {
    try {
      const stored = await this.load(id);
      const messages = stored?.saved.items.length ?? 0;
      const title = stored === undefined ? '' : titleOf(stored.saved);
      return { format: 'duplex-conversation', version: currentVersion, title, changedAt, messages, revision: 0, textBytes: 0 };
    } catch (error) {
      if (!isAppError(error)) {
        throw error;
      }
      return undefined;
    }
  }

  #forgetAllBut(names: ReadonlySet<string>): void {
    [...this.#known.keys()].filter((name) => !names.has(name)).forEach((name) => this.#known.delete(name));
  }
}

/** Reads the conversation with what was streamed last or, if that makes it invalid, without. */
async function readOr(value: unknown, otherwise: unknown): Promise<SavedConversation> {
  try {
    return await readSavedInSlices(value);
  } catch (error) {
    if (!isAppError(error)) {
      throw error;
    }
    return readSavedInSlices(otherwise);
  }
}

function idOf(name: string): string | undefined {
  return /^([\w-]{1,100})\.json$/.exec(name)?.[1];
}

/** The most conversations in a list. */
const maxListed = 200;

/** The conversations of the workspace that fit a search, for the view. `isAnswering` tells which are being answered in this window. */
export async function listShelf(
  shelf: ConversationShelf,
  search: string,
  isWanted: () => boolean,
  isAnswering: (id: string) => boolean,
): Promise<ConversationList> {
  const { entries, unreadable } = await shelf.list();
  const found = await searchShelf(shelf, entries, search, isWanted);
  return {
    search,
    entries: found.slice(0, maxListed).map(({ id, title, changedAt, messages, isHeldElsewhere }) => ({
      id,
      title,
      changedAt,
      messages,
      state: isHeldElsewhere ? 'answeringElsewhere' : isAnswering(id) ? 'answering' : 'kept',
    })),
    isCut: found.length > maxListed,
    unreadable: [...unreadable],
  };
}

/** The most bytes that are read for one search. */
const maxReadBytes = 64_000_000;

/** The conversations that have all these words in their title or text. Ends early when the search is not wanted any more. */
async function searchShelf(
  shelf: ConversationShelf,
  entries: readonly KeptEntry[],
  search: string,
  isWanted: () => boolean,
): Promise<readonly KeptEntry[]> {
  const words = search
    .toLocaleLowerCase()
    .split(/\s/)
    .filter((word) => word !== '');
  if (words.length === 0) {
    return entries;
  }
  const found: KeptEntry[] = [];
  let left = maxReadBytes;
  for (const entry of entries) {
    if (!isWanted()) {
      return [];
    }
    const title = entry.title.toLocaleLowerCase();
    const missing = words.filter((word) => !title.includes(word));
    left -= missing.length === 0 ? 0 : entry.textBytes;
    if (missing.length === 0 || (left > 0 && (await hasWords(shelf, entry, missing)))) {
      found.push(entry);
    }
  }
  return found;
}

async function hasWords(shelf: ConversationShelf, { id, textBytes }: KeptEntry, words: readonly string[]): Promise<boolean> {
  const start = await shelf.files.readStart(shelf.path(id, 'json'), headerBytes + textBytes);
  const text = start === undefined ? '' : decodeSearchedText(start);
  return words.every((word) => text.includes(word));
}
