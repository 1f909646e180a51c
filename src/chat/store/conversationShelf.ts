// store/: conversations as they are kept: the form of a file (storedText.ts), what is written while an answer streams
// (conversationDelta.ts), how much is kept (storeLimits.ts), the files of one workspace (this file), and the one that is shown,
// written as it grows (keptConversation.ts, conversationKeeper.ts). Files come in through a port (base/sharedFolder.ts).
import type { Clock } from '../../base/clock.ts';
import { isAppError } from '../../base/errors.ts';
import type { FolderFile, Hold, SharedFolder } from '../../base/sharedStorage.ts';
import { chatError } from '../conversation/chatSentences.ts';
import { readSavedConversation, type SavedConversation } from '../conversation/conversationFile.ts';
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

/** Beside the conversation itself a file holds its searched text, in at most four bytes for a character. */
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
  /** Newest first. */
  readonly entries: readonly KeptEntry[];
  /** Names of files that cannot be read; they stay as they are. */
  readonly unreadable: readonly string[];
}

/** A conversation as its file has it. */
export interface StoredConversation {
  readonly saved: SavedConversation;
  readonly revision: number;
  /** What was streamed after that revision, as it was read. */
  readonly streamed: string | undefined;
  readonly changedAt: number;
}

/** What is kept outside of these files and belongs to one conversation of one workspace: long results, texts of edited files. */
export interface KeptBeside {
  /** Never rejects. */
  remove(folder: string, conversationId: string): Promise<void>;
  /** All that one conversation has, for another too. Never rejects. */
  copy(folder: string, conversationId: string, copyId: string): Promise<void>;
}

type Known = { readonly file: FolderFile; readonly header: StoredHeader | 'newer' };

/** The files of one workspace. What another window changes is seen by reading again; nothing is taken from memory but headers. */
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

  /** Undefined when it is not there; what cannot be read is put aside, and said so by the error. */
  async load(id: string): Promise<StoredConversation | undefined> {
    const text = await this.files.read(this.path(id, 'json'), maxFileBytes);
    if (text === undefined) {
      return undefined;
    }
    const header = decodeHeader(text.slice(0, headerBytes));
    if (header !== undefined && header.version > currentVersion) {
      throw chatError('chat.savedConversationNewer');
    }
    const revision = header?.revision ?? 0;
    const streamed = await this.readStreamed(id);
    try {
      const { value } = decodeStored(text);
      const saved = readOr(withDelta(value, streamed, revision), value);
      return { saved: { ...saved, id }, revision, streamed, changedAt: header?.changedAt ?? this.#clock.wallTime() };
    } catch (error) {
      // A disk that is busy, or a fault of ours, says nothing about the file.
      if (!isAppError(error)) {
        throw error;
      }
      await this.files.move(this.path(id, 'json'), `${this.path(id, 'json')}.unreadable`);
      throw chatError('chat.savedConversationUnreadable', { file: `${id}.json.unreadable` });
    }
  }

  /** Undefined when it is not there. */
  async revisionOf(id: string): Promise<number | undefined> {
    const start = await this.files.readStart(this.path(id, 'json'), headerBytes);
    return start === undefined ? undefined : (decodeHeader(start)?.revision ?? 0);
  }

  /** Writes the whole conversation, as much as there is room for, and gives back what was written. Only whoever holds it may. */
  async write(saved: SavedConversation, revision: number, changedAt = this.#clock.wallTime()): Promise<SavedConversation> {
    await measure(saved);
    const kept = fitted(saved, this.#limits.maxConversationBytes);
    await this.files.write(this.path(saved.id, 'json'), await encodeStored(kept, revision, changedAt));
    await this.files.remove(this.path(saved.id, 'live'));
    return kept;
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

  /** Undefined when it is not readable, and then it has been put aside. */
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

/** What was streamed last may be what cannot be read; then the rest still counts. */
function readOr(value: unknown, otherwise: unknown): SavedConversation {
  try {
    return readSavedConversation(value);
  } catch (error) {
    if (!isAppError(error)) {
      throw error;
    }
    return readSavedConversation(otherwise);
  }
}

function idOf(name: string): string | undefined {
  return /^([\w-]{1,100})\.json$/.exec(name)?.[1];
}

/** As much is read for one search. */
const maxReadBytes = 64_000_000;

/** Those whose title or text has these words in it, all of them. Ends early when nobody wants to know any more. */
export async function searchShelf(
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
