import type { GivenContent } from '../chat/content/chatContent.ts';
import type { ToolResultItem } from '../contract/chatState.ts';

/** Pure. A tool's result as something to attach to a message. */
export function resultContent(items: readonly ToolResultItem[], isError: boolean): GivenContent[] {
  const content = items.map(toContent);
  return isError ? [{ kind: 'text', name: '', text: 'The tool reported an error:' }, ...content] : content;
}

function toContent(item: ToolResultItem): GivenContent {
  switch (item.kind) {
    case 'text':
      return { kind: 'text', name: '', text: item.text };
    case 'structured':
      return { kind: 'text', name: '', text: item.json };
    case 'image':
    case 'audio':
      return { kind: 'blob', name: '', mimeType: item.mimeType, data: item.data };
    case 'link':
      return { kind: 'link', name: item.name, uri: item.uri };
  }
}
