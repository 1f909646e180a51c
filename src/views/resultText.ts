import type { ToolResultItem } from '../contract/chatState.ts';

export interface ResultText {
  /** The ending that makes the editor colour it. */
  readonly extension: 'json' | 'md';
  readonly text: string;
}

/** A tool's result as a document: data as JSON, everything else as Markdown. */
export function resultText(items: readonly ToolResultItem[], isError: boolean): ResultText {
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
