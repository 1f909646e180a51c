import type { GivenContent } from '../../chat/conversation/messageAttachments.ts';
import type { ToolResultItem } from '../../contract/chat/chatState.ts';
import { resourceFile, type ResourceFile } from '../resources/resourceFile.ts';
import type { Translate } from '../sentences/translate.ts';

export interface ResultText {
  /** The file ending that tells the editor the language. */
  readonly extension: 'json' | 'md';
  readonly text: string;
}

/** Writes a tool's result as a document: data as JSON, everything else as Markdown. */
export function resultDocument(items: readonly ToolResultItem[], isError: boolean): ResultText {
  const [only] = items;
  const json = items.length === 1 && only !== undefined && !isError ? jsonOf(only) : undefined;
  if (json !== undefined) {
    return { extension: 'json', text: `${json}\n` };
  }
  const parts = [...(isError ? ['> The tool reported an error.'] : []), ...items.map(partOf)];
  return { extension: 'md', text: `${parts.length === 0 ? '> The tool gave no content.' : parts.join('\n\n')}\n` };
}

function jsonOf(item: ToolResultItem): string | undefined {
  if (item.kind === 'structured') {
    return item.json;
  }
  if (item.kind !== 'text' || !/^\s*[[{]/.test(item.text)) {
    return undefined;
  }
  try {
    return JSON.stringify(JSON.parse(item.text), undefined, 2);
  } catch {
    return undefined;
  }
}

function partOf(item: ToolResultItem): string {
  switch (item.kind) {
    case 'text':
      return item.text.trimEnd();
    case 'structured':
      return `\`\`\`json\n${item.json}\n\`\`\``;
    case 'image':
    case 'audio':
      return `> ${item.kind}: ${item.mimeType}, ${Math.ceil((item.data.length * 3) / 4 / 1024)} kB`;
    case 'link':
      return `> ${item.name}: <${item.uri}>`;
    default:
      return '';
  }
}

/** How many pictures and sounds of one result are opened at once. */
const maxOpened = 5;

/** What of a result is opened in viewers, and whether there is more. */
export interface OpenedResult {
  /** Pictures and sound that the editor has a viewer for. */
  readonly media: readonly Pick<ResourceFile, 'name' | 'shown'>[];
  /** Whether there is anything else, which is shown as text. */
  readonly hasText: boolean;
}

/** Finds the pictures and sounds in a result. `name` is the tool, for the names of the files. */
export function resultMedia(name: string, items: readonly ToolResultItem[], t: Translate): OpenedResult {
  const files = items.map((item, index) => {
    if (item.kind !== 'image' && item.kind !== 'audio') {
      return undefined;
    }
    const uri = index === 0 ? name : `${name} ${index + 1}`;
    const file = resourceFile(encodeURIComponent(uri), [{ kind: 'blob', uri, mimeType: item.mimeType, data: item.data }], undefined, t);
    return file.viewer === 'media' ? file : undefined;
  });
  const media = files.filter((file) => file !== undefined);
  return { media: media.slice(0, maxOpened), hasText: media.length < items.length || media.length === 0 || media.length > maxOpened };
}

/** Converts a tool's result into something to attach to a message. */
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
