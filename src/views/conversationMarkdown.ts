import type { ChatItem, ChatPart, ToolCallPart } from '../contract/chatState.ts';
import type { SavedConversation } from '../chat/conversationFile.ts';
import { titleOf } from '../chat/store/storedText.ts';
import type { Translate } from './sentences/translate.ts';

/** A conversation as a document: what was said as it was said, and what tools were given and gave back in blocks. */
export function conversationMarkdown(saved: SavedConversation, t: Translate): string {
  const title = titleOf(saved).replace(/\s+/g, ' ') || t('Conversation');
  const leftOut = saved.messagesLeftOut ?? 0;
  const begin = leftOut === 0 ? [] : [`_${t('{0} older messages were not kept.', leftOut)}_`];
  return `${[`# ${title}`, ...begin, ...saved.items.flatMap((item) => itemSections(item, t))].join('\n\n')}\n`;
}

function itemSections(item: ChatItem, t: Translate): readonly string[] {
  if (item.kind === 'user') {
    return [`## ${t('You')}`, item.text];
  }
  const end = {
    streaming: t('This answer is still being written.'),
    stopped: t('This answer was stopped.'),
    interrupted: t('This answer was interrupted.'),
    failed: item.error?.message ?? t('This answer failed.'),
    done: undefined,
  }[item.state];
  return [`## ${t('Assistant')}`, ...item.parts.flatMap((part) => partSections(part, t)), ...(end === undefined ? [] : [`_${end}_`])];
}

function partSections(part: ChatPart, t: Translate): readonly string[] {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? [] : [part.text.trim()];
    case 'toolCall':
      return callSections(part, t);
    case 'content':
      return [`_${t('Content of the server “{0}”', part.server)}_`];
    case 'compaction':
      return [`_${t('What stands above was summarised for the model.')}_`];
    case 'notice':
      return [`_${part.text}_`];
    case 'thinking':
    case 'waiting':
    case 'question':
      return [];
  }
}

function callSections(part: ToolCallPart, t: Translate): readonly string[] {
  const results = part.result.map((item) => {
    switch (item.kind) {
      case 'text':
        return fenced(item.text, '');
      case 'structured':
        return fenced(item.json, 'json');
      case 'image':
      case 'audio':
        return `_${t('{0}, not part of this document', item.mimeType)}_`;
      case 'link':
        return fenced(item.uri, '');
    }
  });
  const failure = part.error === undefined ? [] : [`_${part.error}_`];
  return [`### ${t('Tool call: {0} {1}', part.server, part.tool)}`, fenced(part.arguments, 'json'), ...results, ...failure];
}

/** A fence longer than any in the text, so that the text cannot end it. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, each) => Math.max(most, each.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
