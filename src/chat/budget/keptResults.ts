// budget/: decides what goes into one request of limited size: how full the context is (contextUse.ts), which tools are offered
// (toolOffer.ts, offeredTools.ts), how much of a long result is sent (this file), and the summary that replaces a long conversation
// (compaction.ts).
import { charactersPerToken } from '../../contract/chat/modelPrices.ts';
import type { ToolResultBlock } from '../models/modelProvider.ts';

/** A store for results that are too long for one request. They are kept whole beside their conversation and removed with it. */
export interface KeptResults {
  /** Stores a result and gives its id. Undefined when it cannot be stored: the model then gets only what fits. */
  keep(conversationId: string, text: string): Promise<string | undefined>;
  /** A part of a result, as bytes; undefined when there is no such result. */
  slice(conversationId: string, id: string, from: number, bytes: number): Promise<Uint8Array | undefined>;
  /** The whole text of a result; undefined when there is no such result. */
  whole(conversationId: string, id: string): Promise<string | undefined>;
  /** Removes a result that is not needed any more. Never rejects. */
  forget(conversationId: string, id: string): Promise<void>;
}

/** The most bytes of one result that are sent to the model at once. */
export const maxModelBytes = 100_000;
/** One result fills no more than a sixth of the context of a small model. */
const resultsInContext = 6;
const minModelBytes = 4_000;
/** How much of a cut result is its beginning, which says what it is; the rest is its end, which says how it went. */
const headShare = 3 / 4;

/** How many bytes of one result a model with a context of this size gets at once. */
export function resultShare(contextTokens: number | undefined): number {
  const share = contextTokens === undefined ? maxModelBytes : Math.floor((contextTokens * charactersPerToken) / resultsInContext);
  return Math.max(minModelBytes, Math.min(maxModelBytes, share));
}

/** The beginning and the end of a text within so many bytes, with a note for the model on how to read the rest. */
export function headAndTail(text: string, maxBytes: number, id: string): string {
  const bytes = Buffer.from(text);
  const head = backToCharacter(bytes, Math.floor(maxBytes * headShare));
  const tail = forthToCharacter(bytes, bytes.length - (maxBytes - head));
  const note = `[Cut by the chat: the first ${head} and the last ${bytes.length - tail} of ${bytes.length} bytes are here. The whole result is kept as "${id}". If you need more of it, read on with read_result, for example {"result": "${id}", "from": ${head}}.]`;
  return `${bytes.toString('utf8', 0, head)}\n${note}\n${bytes.toString('utf8', tail)}`;
}

/** The whole characters in a slice of UTF-8 bytes, and where they begin and end in it. */
export function wholeCharacters(bytes: Uint8Array): { readonly text: string; readonly from: number; readonly to: number } {
  const from = forthToCharacter(bytes, 0);
  const to = endOfCharacters(bytes);
  return { text: Buffer.from(bytes.subarray(from, Math.max(from, to))).toString('utf8'), from, to: Math.max(from, to) };
}

/** Finds a stored result by its id among the results of a conversation: no other result may be read. */
export function keptIn(blocks: readonly ToolResultBlock[], id: string): ToolResultBlock | undefined {
  return blocks.find(({ kept }) => kept?.id === id);
}

/** Whether this byte continues a character: such bytes begin with the bits 10. */
function isInside(bytes: Uint8Array, at: number): boolean {
  return at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80;
}

function backToCharacter(bytes: Uint8Array, at: number): number {
  let to = Math.min(at, bytes.length);
  while (to > 0 && isInside(bytes, to)) {
    to -= 1;
  }
  return to;
}

function forthToCharacter(bytes: Uint8Array, at: number): number {
  let to = Math.max(0, at);
  while (isInside(bytes, to)) {
    to += 1;
  }
  return to;
}

/** Where the last complete character ends. */
function endOfCharacters(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > 0 && start > bytes.length - 4 && isInside(bytes, start)) {
    start -= 1;
  }
  const first = bytes[start] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start >= 0 && start + length > bytes.length ? start : bytes.length;
}
