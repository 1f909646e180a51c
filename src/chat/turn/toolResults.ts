import type { JsonObject } from '../../base/json.ts';
import { revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { KeptResult } from '../../contract/chat/contextBudget.ts';
import type { ToolResultItem } from '../../contract/chat/chatState.ts';
import type { ChatSentences } from '../conversation/chatSentences.ts';
import type { ChatToolOutcome } from '../content/hostPorts.ts';
import { headAndTail, maxModelBytes } from '../budget/keptResults.ts';
import type { ToolResultBlock } from '../models/modelProvider.ts';
import { redactSecrets } from '../../secrets/redactSecrets.ts';
import { base64Bytes, cutToBytes } from '../content/forModels.ts';
import { imageForModels } from '../models/modelImages.ts';

/** The most bytes of one result that are sent to the view. */
export const maxShownBytes = 1_000_000;

type ModelContent = ToolResultBlock['content'][number];

/**
 * What the model is told about a tool call, in words for the model. Every call gets a result, because providers refuse a history
 * without.
 */
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

/** The longest changed arguments, in characters, that the model is told; what it must know is that they are not its own. */
const maxToldLength = 4_000;

/**
 * Tells the model with the result that the person changed the arguments: the call in the history still has its own. Secrets that the
 * person put in stay with the tool.
 */
export function toldOfChange(block: ToolResultBlock, changed: JsonObject | undefined): ToolResultBlock {
  if (changed === undefined) {
    return block;
  }
  const sent = JSON.stringify(changed);
  const what = sent.length > maxToldLength ? 'It ran with others, which are too long to repeat.' : `It ran with: ${redactSecrets(sent)}`;
  return { ...block, content: [text(`The person changed the arguments of this call before they allowed it. ${what}`), ...block.content] };
}

function declined(byStoredAnswer: boolean): string {
  return byStoredAnswer
    ? 'Refused by an answer that the person stored earlier (“Always deny”); they were not asked now. Nothing ran. They can take it back with the command “Duplex: Manage Permissions”. Do not try it again unless they say that they did.'
    : 'The person declined this call. Nothing ran. Do not try it again unless they ask for it.';
}

function toModelContent(items: readonly ToolResultItem[], maxBytes: number): readonly ModelContent[] {
  const content: ModelContent[] = [];
  let left = maxBytes;
  for (const item of items) {
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

/** All text that a model would read of a result, as one text. */
export function textOfResult(items: readonly ToolResultItem[]): string {
  return items
    .map(toBlock)
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n');
}

function toPreview(items: readonly ToolResultItem[], maxBytes: number, keptId: string): readonly ModelContent[] {
  const images = items.map(toBlock).filter((block) => block.type === 'image');
  return [text(headAndTail(textOfResult(items), maxBytes, keptId)), ...images];
}

function toBlock(item: ToolResultItem): ModelContent {
  switch (item.kind) {
    case 'text':
      return text(item.text);
    case 'structured':
      return text(item.json);
    case 'link':
      return text(`[link to a resource: ${item.name}, ${item.uri}]`);
    case 'image': {
      const image = imageForModels(item);
      return image === undefined
        ? text(`[an image (${item.mimeType}, ${base64Bytes(item.data)} bytes) that only the person can see]`)
        : { type: 'image', mimeType: image.mimeType, data: item.data };
    }
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

/** What the card shows of a result: invisible characters are written out, and long texts are cut. */
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
  // Cut JSON is not valid JSON any more, so it is shown as text.
  const note = sentences('chat.resultCut', { shown: part.shownBytes, total: part.totalBytes });
  return [
    { kind: 'text', text: revealInContent(part.text) },
    { kind: 'text', text: note },
  ];
}
