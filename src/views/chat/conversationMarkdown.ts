import { revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { ChatItem, ChatPart, ToolCallPart } from '../../contract/chat/chatState.ts';
import type { SavedConversation } from '../../chat/conversation/conversationFile.ts';
import { titleOf } from '../../chat/store/storedText.ts';
import type { Translate } from '../sentences/translate.ts';

/** A conversation as a document: what was said as it was said, and what tools were given and gave back in blocks. */
export function conversationMarkdown(saved: SavedConversation, t: Translate): string {
  const title = plain(titleOf(saved)) || t('Conversation');
  const leftOut = saved.messagesLeftOut ?? 0;
  const begin = leftOut === 0 ? [] : [`_${t('{0} older messages were not kept.', leftOut)}_`];
  return `${[`# ${title}`, ...begin, ...saved.items.flatMap((item) => itemSections(item, t))].join('\n\n')}\n`;
}

function itemSections(item: ChatItem, t: Translate): readonly string[] {
  if (item.kind === 'user') {
    return [`## ${t('You')}`, said(item.text)];
  }
  const end = {
    streaming: t('This answer is still being written.'),
    stopped: t('This answer was stopped.'),
    interrupted: t('This answer was interrupted.'),
    failed: item.error === undefined ? t('This answer failed.') : plain(item.error.message),
    done: undefined,
  }[item.state];
  return [`## ${t('Assistant')}`, ...item.parts.flatMap((part) => partSections(part, t)), ...(end === undefined ? [] : [`_${end}_`])];
}

function partSections(part: ChatPart, t: Translate): readonly string[] {
  switch (part.kind) {
    case 'text':
      return part.text.trim() === '' ? [] : [said(part.text.trim())];
    case 'toolCall':
      return callSections(part, t);
    case 'content':
      return [`_${t('Content of the server “{0}”', plain(part.server))}_`];
    case 'compaction':
      return [`_${t('What stands above was summarised for the model.')}_`];
    case 'notice':
      return [`_${plain(part.text)}_`];
    case 'edits':
      return [`_${t('Files changed: {0}', part.files.map(({ path }) => plain(path)).join(', '))}_`];
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
        return `_${t('{0}, not part of this document', plain(item.mimeType))}_`;
      case 'link':
        return fenced(item.uri, '');
    }
  });
  const failure = part.error === undefined ? [] : [`_${plain(part.error)}_`];
  return [`### ${t('Tool call: {0} {1}', plain(part.server), plain(part.tool))}`, fenced(part.arguments, 'json'), ...results, ...failure];
}

/** What loads something from elsewhere when the document is only looked at. */
const loadingTag =
  /<(?=(?:audio|base|embed|frame|iframe|image|img|input|link|meta|object|picture|script|source|style|svg|track|video)\b)/gi;

/**
 * As it was said, but nothing is loaded from where a model names: an image is a link. By a space, which is right also after a
 * backslash and within code; where code begins and ends is for each reader of the document to say, and not for us.
 */
function said(text: string): string {
  return revealInContent(text).replaceAll('![', '! [').replace(loadingTag, '< ');
}

/** A name that others gave, on one line and with no meaning for the document. */
function plain(name: string): string {
  return revealInvisible(name.replace(/\s+/g, ' ')).replace(/[\\`*_{}[\]()<>#!|~&]/g, '\\$&');
}

/** A fence longer than any in the text, so that the text cannot end it. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, each) => Math.max(most, each.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${revealInContent(text)}\n${fence}`;
}
