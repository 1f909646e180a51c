import type { ChatItem } from '../../contract/chat/chatState.ts';

/** The most characters of its own results that a server gets; a result that no longer fits is left out. */
const maxLength = 20_000;

export interface ResultsOfServer {
  readonly count: number;
  readonly text: string;
}

/**
 * What one server's own tools returned in a conversation, as text, the latest first, as far as there is room. A server gets nothing
 * else of a conversation: neither what was said nor what other servers returned. It is known by its id, because another server may have
 * had its name.
 */
export function resultsOfServer(items: readonly ChatItem[], serverId: string): ResultsOfServer {
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
