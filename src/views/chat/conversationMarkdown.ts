import { revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { ChatItem, ChatPart, ToolCallPart } from '../../contract/chat/chatState.ts';
import type { SavedConversation } from '../../chat/conversation/conversationFile.ts';
import { titleOf } from '../../chat/store/storedText.ts';
import type { Translate } from '../sentences/translate.ts';

/**
 * Writes a conversation as a Markdown document: the messages as quotations, and arguments and results of tools as code blocks. What
 * stands outside of both is the document's own, so that no message can bring a heading that says who speaks, or begin a block that never ends.
 */
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

/** The longest text between `<` and `>` that may stay. */
const maxTag = 200;
/** A tag without the value of an attribute: it names no address. `vec<T>` and `Map<string, number>` look the same and stay, too. */
const plainTag = /^<\/?[A-Za-z][^>=]{0,200}>/;
/** Elements within which a reader of Markdown takes everything, also what comes much later, for HTML or for other than text. */
const rawTag = /^<(?:pre|script|style|textarea|title|xmp|iframe|noembed|noframes|noscript|plaintext|template)(?![\w-])/i;

/**
 * Quotes a message as it is, but for what could load something from an address that a model names: a space makes an image a link, and
 * a space ends the beginning of every HTML tag but the plainest. It also works after a backslash and within code, so that we need not
 * know where the reader's Markdown sees code begin and end.
 */
function said(text: string): string {
  const harmless = revealInContent(text)
    .replaceAll('![', '! [')
    .replace(/<(?=[A-Za-z/!?])/g, (begin, at: number, all: string) => {
      const tag = all.slice(at, at + maxTag);
      return plainTag.test(tag) && !rawTag.test(tag) ? begin : '< ';
    });
  return harmless
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** Makes a name that others chose plain text on one line, without any meaning as Markdown. */
function plain(name: string): string {
  return revealInvisible(name.replace(/\s+/g, ' ')).replace(/[\\`*_{}[\]()<>#!|~&]/g, '\\$&');
}

/** Puts text into a code block whose fence is longer than any in the text, so that the text cannot end it. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, each) => Math.max(most, each.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${revealInContent(text)}\n${fence}`;
}
