import { isPlainBase64 } from '../base/plainBase64.ts';
import { revealInContent, revealInvisible } from '../base/visibleText.ts';
import type { KeptResult } from '../contract/chat/contextBudget.ts';
import type { ToolResultItem } from '../contract/chatState.ts';
import type { ChatSentences } from './chatSentences.ts';
import type { ChatToolOutcome } from './chatTools.ts';
import { headAndTail, maxModelBytes } from './budget/keptResults.ts';
import type { ToolResultBlock } from './modelProvider.ts';

/** More than this of one result is not sent to the view. */
export const maxShownBytes = 1_000_000;

const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const maxImageBytes = 5_000_000;

type ModelContent = ToolResultBlock['content'][number];

/** What the model is told about a call. Always a result, so that the history stays valid; these words are for the model. */
export function toResultBlock(toolUseId: string, outcome: ChatToolOutcome, maxBytes = maxModelBytes, kept?: KeptResult): ToolResultBlock {
  const base = { type: 'toolResult', toolUseId } as const;
  switch (outcome.kind) {
    case 'result':
      return {
        ...base,
        isError: outcome.isError,
        outcome: outcome.isError ? 'failed' : 'done',
        ...(kept === undefined
          ? { content: toModelContent(outcome.items, maxBytes) }
          : { content: toPreview(outcome.items, maxBytes, kept.id), kept }),
      };
    case 'denied':
      return {
        ...base,
        isError: true,
        outcome: outcome.byStoredAnswer ? 'deniedBefore' : 'denied',
        content: [text(declined(outcome.byStoredAnswer))],
      };
    case 'cancelled':
      return { ...base, isError: true, outcome: 'cancelled', content: [text('This call was cancelled before it finished.')] };
    case 'failed':
      return {
        ...base,
        isError: true,
        outcome: 'failed',
        content: [text(`The call failed: ${cutToBytes(outcome.message, maxBytes).text}`)],
      };
  }
}

function declined(byStoredAnswer: boolean): string {
  return byStoredAnswer
    ? 'Refused by an answer that the person stored earlier (“Always deny”); they were not asked now. Nothing ran. They can take it back with the command “Duplex: Manage Permissions”. Do not try it again unless they say that they did.'
    : 'The person declined this call. Nothing ran. Do not try it again unless they ask for it.';
}

function toModelContent(items: readonly ToolResultItem[], maxBytes: number): readonly ModelContent[] {
  const content: ModelContent[] = [];
  let left = maxBytes;
  for (const item of withoutRepeats(items)) {
    const block = toBlock(item);
    if (block.type === 'image') {
      content.push(block);
      continue;
    }
    const part = cutToBytes(block.text, Math.max(0, left));
    left -= part.totalBytes;
    content.push(
      text(
        part.isCut
          ? `${part.text}\n[Cut by the chat: ${part.shownBytes} of ${part.totalBytes} bytes are shown. Ask for less, or for a part.]`
          : part.text,
      ),
    );
  }
  return content.length > 0 ? content : [text('The tool returned nothing.')];
}

/** All that a model would read of a result, as one text. */
export function wholeText(items: readonly ToolResultItem[]): string {
  return withoutRepeats(items)
    .map(toBlock)
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n');
}

function toPreview(items: readonly ToolResultItem[], maxBytes: number, keptId: string): readonly ModelContent[] {
  const images = items.map(toBlock).filter((block) => block.type === 'image');
  return [text(headAndTail(wholeText(items), maxBytes, keptId)), ...images];
}

/** Servers repeat structured content as text, for hosts that know only text: the model needs it once. */
function withoutRepeats(items: readonly ToolResultItem[]): readonly ToolResultItem[] {
  const texts = items.flatMap((item) => (item.kind === 'text' ? [compactJson(item.text)] : []));
  return items.filter((item) => item.kind !== 'structured' || !texts.includes(compactJson(item.json)));
}

function compactJson(value: string): string {
  try {
    return JSON.stringify(JSON.parse(value));
  } catch {
    return value.trim();
  }
}

function toBlock(item: ToolResultItem): ModelContent {
  switch (item.kind) {
    case 'text':
      return text(item.text);
    case 'structured':
      return text(item.json);
    case 'link':
      return text(`[link to a resource: ${item.name}, ${item.uri}]`);
    case 'image':
      return isImageForModels(item)
        ? { type: 'image', mimeType: item.mimeType, data: item.data }
        : text(`[an image (${item.mimeType}, ${base64Bytes(item.data)} bytes) that only the person can see]`);
    case 'audio':
      return text(`[audio (${item.mimeType}, ${base64Bytes(item.data)} bytes) that only the person can hear]`);
  }
}

function text(value: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: value.trim() === '' ? '(empty)' : value };
}

export function resultBytes(items: readonly ToolResultItem[]): number {
  return items.reduce((sum, item) => sum + itemBytes(item), 0);
}

function itemBytes(item: ToolResultItem): number {
  switch (item.kind) {
    case 'text':
      return Buffer.byteLength(item.text);
    case 'structured':
      return Buffer.byteLength(item.json);
    case 'link':
      return Buffer.byteLength(item.uri) + Buffer.byteLength(item.name);
    case 'image':
    case 'audio':
      return base64Bytes(item.data);
  }
}

/** Of a kind and a size that models take, and written as a page draws it: what nobody sees is not sent. */
export function isImageForModels({ mimeType, data }: { readonly mimeType: string; readonly data: string }): boolean {
  return imageTypes.includes(mimeType) && data.length <= maxImageBytes && isPlainBase64(data);
}

const maxDocumentBase64 = 7_400_000;

/** Of a size that models take. What is in it nobody can look through: only what the person attached themselves is sent. */
export function isDocumentForModels({ mimeType, data }: { readonly mimeType: string; readonly data: string }): boolean {
  return mimeType === pdfType && data.length <= maxDocumentBase64 && isPlainBase64(data);
}

export const pdfType = 'application/pdf';

export function base64Bytes(data: string): number {
  let end = data.length;
  while (end > 0 && data[end - 1] === '=') {
    end -= 1;
  }
  return Math.floor((end * 3) / 4);
}

/** What the card shows: nothing hidden in it, and not more than a page can bear. */
export function toShownItems(items: readonly ToolResultItem[], sentences: ChatSentences): ToolResultItem[] {
  return items.flatMap((item): ToolResultItem[] => {
    switch (item.kind) {
      case 'text':
        return shorten(item.text, sentences, (value) => ({ kind: 'text', text: value }));
      case 'structured':
        return shorten(item.json, sentences, (value) => ({ kind: 'structured', json: value }));
      case 'link':
        return [{ kind: 'link', uri: revealInvisible(item.uri), name: revealInvisible(item.name) }];
      case 'image':
      case 'audio':
        return [item];
    }
  });
}

function shorten(value: string, sentences: ChatSentences, wrap: (value: string) => ToolResultItem): ToolResultItem[] {
  const part = cutToBytes(value, maxShownBytes);
  if (!part.isCut) {
    return [wrap(revealInContent(value))];
  }
  // A cut JSON text is no JSON any more, so it is shown as text.
  const note = sentences('chat.resultCut', { shown: part.shownBytes, total: part.totalBytes });
  return [
    { kind: 'text', text: revealInContent(part.text) },
    { kind: 'text', text: note },
  ];
}

interface CutText {
  readonly text: string;
  readonly isCut: boolean;
  readonly shownBytes: number;
  readonly totalBytes: number;
}

/** Its beginning, within so many bytes of UTF-8. */
export function cutToBytes(value: string, maxBytes: number): CutText {
  const totalBytes = Buffer.byteLength(value);
  if (totalBytes <= maxBytes) {
    return { text: value, isCut: false, shownBytes: totalBytes, totalBytes };
  }
  const bytes = Buffer.from(value);
  let end = maxBytes;
  // Not in the middle of a character: its later bytes begin with 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  return { text: bytes.toString('utf8', 0, end), isCut: true, shownBytes: end, totalBytes };
}
