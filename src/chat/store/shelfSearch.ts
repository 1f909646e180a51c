import type { ConversationShelf, KeptEntry } from './conversationShelf.ts';
import { decodeSearchedText, headerBytes } from './storedText.ts';

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
