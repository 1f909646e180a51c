import { canonicalJson, isJsonObject, type JsonObject } from '../../base/json.ts';
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
  const canonical = structuredContent === undefined ? undefined : canonicalJson(structuredContent);
  const items = result.content.filter((item) => canonical === undefined || canonicalTextOf(item) !== canonical).map(toItem);
  return structuredContent === undefined ? items : [...items, { kind: 'structured', json: readableJson(structuredContent) }];
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

function canonicalTextOf(item: JsonObject): string | undefined {
  if (item['type'] !== 'text' || typeof item['text'] !== 'string') {
    return undefined;
  }
  try {
    return canonicalJson(JSON.parse(item['text']));
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
