import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { JsonScan } from '../../base/jsonText.ts';
import { revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { ToolResultItem } from '../../contract/chat/chatState.ts';
import { readableJson } from '../shared/shownJson.ts';
import type { RawToolResult } from '../connection/serverSession.ts';

/**
 * A result as people see it, with nothing hidden. Data that is given twice (structured, and as text for older hosts) is
 * shown once. `isTextWhole` means that the server's texts are known to say all that its structured content does.
 */
export function toResultItems(result: RawToolResult, isTextWhole = false): ToolResultItem[] {
  const isSaid = isTextWhole && result.content.some(({ type }) => type === 'text');
  const structuredContent = isSaid ? undefined : result.structuredContent;
  if (structuredContent === undefined) {
    return result.content.map(toItem);
  }
  const content = withoutRepeats(result.content, structuredContent);
  return [...content.map(toItem), { kind: 'structured', json: readableJson(structuredContent) }];
}

/** How many commas, colons and opening brackets of texts are parsed to find out whether they repeat the structured content. */
const maxCompared = 50_000;

function withoutRepeats(content: readonly JsonObject[], structuredContent: JsonValue): readonly JsonObject[] {
  let left = maxCompared;
  return content.filter(({ type, text }) => {
    if (type !== 'text' || typeof text !== 'string' || left <= 0) {
      return true;
    }
    const scan = new JsonScan(text, { parts: left });
    const isShort = scan.goOn() === 'fine';
    left -= scan.parts;
    return !isShort || !isJsonOf(text, structuredContent);
  });
}

function isJsonOf(text: string, value: JsonValue): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

function toItem(item: JsonObject): ToolResultItem {
  const { text, data, mimeType, uri, name, title, resource } = item;
  const type = textOf(item['type']);
  switch (type) {
    case 'text':
      return { kind: 'text', text: revealInContent(textOf(text)) };
    case 'image':
    case 'audio':
      return { kind: type, mimeType: textOf(mimeType), data: textOf(data) };
    case 'resource_link':
      return { kind: 'link', uri: textOf(uri), name: revealInvisible(textOf(title ?? name ?? uri)) };
    case 'resource':
      return isJsonObject(resource) ? toResourceItem(resource) : unknownItem(item);
    default:
      return unknownItem(item);
  }
}

function toResourceItem(resource: JsonObject): ToolResultItem {
  const mimeType = textOf(resource['mimeType']);
  if (typeof resource['text'] === 'string') {
    return { kind: 'text', text: revealInContent(resource['text']) };
  }
  const kind = mimeType.split('/')[0];
  if ((kind === 'image' || kind === 'audio') && typeof resource['blob'] === 'string') {
    return { kind, mimeType, data: resource['blob'] };
  }
  const uri = textOf(resource['uri']);
  return { kind: 'link', uri, name: uri };
}

/** Content of a kind that this version does not know is shown as it came. */
function unknownItem(item: JsonObject): ToolResultItem {
  return { kind: 'structured', json: readableJson(item) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
