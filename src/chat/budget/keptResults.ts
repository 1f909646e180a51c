// budget/: what of all there is goes into one request: how much room there is (contextUse.ts), which tools are offered
// (toolOffer.ts), which of a long result (this file), and what stands for a long conversation (compaction.ts).
import { charactersPerToken } from '../../contract/chat/modelPrices.ts';
import type { ToolResultBlock } from '../models/modelProvider.ts';

/** Results that are too long for one request, kept whole beside their conversation and removed with it. */
export interface KeptResults {
  /** Undefined when it cannot be kept: the model then gets what fits, and nobody is told of more. */
  keep(conversationId: string, text: string): Promise<string | undefined>;
  /** So many bytes from there; undefined when there is no such result. */
  slice(conversationId: string, id: string, from: number, bytes: number): Promise<Uint8Array | undefined>;
  /** Undefined when there is no such result. */
  whole(conversationId: string, id: string): Promise<string | undefined>;
  /** Nobody needs this one any more. Never rejects. */
  forget(conversationId: string, id: string): Promise<void>;
}

/** More than this of one result is not sent to the model at once. */
export const maxModelBytes = 100_000;
/** Of a model with little room, one result fills no more than a sixth of the context. */
const resultsInContext = 6;
const minModelBytes = 4_000;
/** The end of a long output says how it went; the beginning says what it is. */
const headShare = 3 / 4;

/** How many bytes of one result a model gets at once. */
export function resultShare(contextTokens: number | undefined): number {
  const share = contextTokens === undefined ? maxModelBytes : Math.floor((contextTokens * charactersPerToken) / resultsInContext);
  return Math.max(minModelBytes, Math.min(maxModelBytes, share));
}

/** Beginning and end of a text within so many bytes, and where its rest can be read. These words are for the model. */
export function headAndTail(text: string, maxBytes: number, id: string): string {
  const bytes = Buffer.from(text);
  const head = backToCharacter(bytes, Math.floor(maxBytes * headShare));
  const tail = forthToCharacter(bytes, bytes.length - (maxBytes - head));
  const note = `[Cut by the chat: the first ${head} and the last ${bytes.length - tail} of ${bytes.length} bytes are here. The whole result is kept as "${id}". If you need more of it, read on with read_result, for example {"result": "${id}", "from": ${head}}.]`;
  return `${bytes.toString('utf8', 0, head)}\n${note}\n${bytes.toString('utf8', tail)}`;
}

/** Of the slice of a file: only whole characters, and where they begin and end in it. */
export function wholeCharacters(bytes: Uint8Array): { readonly text: string; readonly from: number; readonly to: number } {
  const from = forthToCharacter(bytes, 0);
  const to = endOfCharacters(bytes);
  return { text: Buffer.from(bytes.subarray(from, Math.max(from, to))).toString('utf8'), from, to: Math.max(from, to) };
}

/** Which results the history knows: nobody reads another one. */
export function keptIn(blocks: readonly ToolResultBlock[], id: string): ToolResultBlock | undefined {
  return blocks.find(({ kept }) => kept?.id === id);
}

/** Later bytes of a character begin with 10. */
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

/** Before a last character that is not all there. */
function endOfCharacters(bytes: Uint8Array): number {
  let start = bytes.length - 1;
  while (start > 0 && start > bytes.length - 4 && isInside(bytes, start)) {
    start -= 1;
  }
  const first = bytes[start] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return start >= 0 && start + length > bytes.length ? start : bytes.length;
}
