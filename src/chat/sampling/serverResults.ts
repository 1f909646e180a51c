import type { ChatItem } from '../../contract/chat/chatState.ts';

const maxLength = 20_000;

export interface ServerResults {
  readonly count: number;
  readonly text: string;
}

/**
 * What one server's own tools returned in a conversation, as text: all that a server may be given of it. What was said, and
 * what other servers returned, is none of its business; another server may have had its name. The latest results first, as far as
 * there is room.
 */
export function resultsOfServer(items: readonly ChatItem[], serverId: string): ServerResults {
  const results = items
    .flatMap((item) => (item.kind === 'assistant' ? item.parts : []))
    .flatMap((part) => {
      if (part.kind !== 'toolCall' || part.serverId !== serverId || part.state !== 'done') {
        return [];
      }
      const texts = part.result.flatMap((each) => (each.kind === 'text' ? [each.text] : each.kind === 'structured' ? [each.json] : []));
      return texts.length === 0 ? [] : [`${part.tool}:\n${texts.join('\n')}`];
    })
    .reverse();
  const fitting: string[] = [];
  let room = maxLength;
  for (const text of results) {
    if (text.length <= room) {
      fitting.push(text);
      room -= text.length;
    }
  }
  return { count: fitting.length, text: fitting.join('\n\n') };
}
