import { Slices } from '../../base/slices.ts';
import { nextCut, revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { ChatItem, ChatPart, ToolCallPart } from '../../contract/chat/chatState.ts';
import type { SavedConversation } from '../../chat/conversation/conversationFile.ts';
import { titleOf } from '../../chat/store/storedText.ts';
import type { Translate } from '../sentences/translate.ts';

/** How a document is written: in which language, and when everything else gets its turn. */
interface Writing {
  readonly t: Translate;
  readonly letOthersWork: () => Promise<void>;
}

/**
 * Writes a conversation as a Markdown document: the messages as quotations, and arguments and results of tools as code blocks. What
 * stands outside of both is the document's own, so that no message can bring a heading that says who speaks, or begin a block that never
 * ends. A conversation has up to 8 MB, so others get their turns in between.
 */
export async function conversationMarkdown(saved: SavedConversation, t: Translate, letOthersWork = inSlices()): Promise<string> {
  const writing = { t, letOthersWork };
  const title = (await plain(titleOf(saved), writing)) || t('Conversation');
  const leftOut = saved.messagesLeftOut ?? 0;
  const sections = [`# ${title}`, ...(leftOut === 0 ? [] : [`_${t('{0} older messages were not kept.', leftOut)}_`])];
  for (const item of saved.items) {
    for await (const section of itemSections(item, writing)) {
      sections.push(section);
      await letOthersWork();
    }
  }
  return `${sections.join('\n\n')}\n`;
}

function inSlices(): () => Promise<void> {
  const slices = new Slices();
  return () => slices.pauseIfUsedUp();
}

async function* itemSections(item: ChatItem, writing: Writing): AsyncGenerator<string> {
  const { t } = writing;
  if (item.kind === 'user') {
    yield `## ${t('You')}`;
    yield await said(item.text, writing);
    return;
  }
  yield `## ${t('Assistant')}`;
  for (const part of item.parts) {
    yield* partSections(part, writing);
  }
  const end = {
    streaming: t('This answer is still being written.'),
    stopped: t('This answer was stopped.'),
    interrupted: t('This answer was interrupted.'),
    failed: item.error === undefined ? t('This answer failed.') : await plain(item.error.message, writing),
    done: undefined,
  }[item.state];
  if (end !== undefined) {
    yield `_${end}_`;
  }
}

async function* partSections(part: ChatPart, writing: Writing): AsyncGenerator<string> {
  const { t } = writing;
  switch (part.kind) {
    case 'text':
      if (part.text.trim() !== '') {
        yield await said(part.text.trim(), writing);
      }
      return;
    case 'toolCall':
      yield* callSections(part, writing);
      return;
    case 'content':
      yield `_${t('Content of the server “{0}”', await plain(part.server, writing))}_`;
      return;
    case 'compaction':
      yield `_${t('What stands above was summarised for the model.')}_`;
      return;
    case 'notice':
      yield `_${await plain(part.text, writing)}_`;
      return;
    case 'edits': {
      const paths: string[] = [];
      for (const { path } of part.files) {
        paths.push(await plain(path, writing));
      }
      yield `_${t('Files changed: {0}', paths.join(', '))}_`;
      return;
    }
    case 'thinking':
    case 'waiting':
    case 'question':
  }
}

async function* callSections(part: ToolCallPart, writing: Writing): AsyncGenerator<string> {
  const { t } = writing;
  yield `### ${t('Tool call: {0} {1}', await plain(part.server, writing), await plain(part.tool, writing))}`;
  yield await fenced(part.arguments, 'json', writing);
  for (const item of part.result) {
    switch (item.kind) {
      case 'text':
        yield await fenced(item.text, '', writing);
        break;
      case 'structured':
        yield await fenced(item.json, 'json', writing);
        break;
      case 'image':
      case 'audio':
        yield `_${t('{0}, not part of this document', await plain(item.mimeType, writing))}_`;
        break;
      case 'link':
        yield await fenced(item.uri, '', writing);
    }
  }
  if (part.error !== undefined) {
    yield `_${await plain(part.error, writing)}_`;
  }
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
async function said(text: string, writing: Writing): Promise<string> {
  const shown = await rewrite(text, (piece) => revealInContent(piece).replaceAll('![', '! ['), writing);
  const withoutTags = (piece: string, from: number): string =>
    piece.replace(/<(?=[A-Za-z/!?])/g, (begin, at: number) => {
      const tag = shown.slice(from + at, from + at + maxTag);
      return plainTag.test(tag) && !rawTag.test(tag) ? begin : '< ';
    });
  return quoted(await rewrite(shown, withoutTags, writing), writing);
}

/** How many lines are quoted at once. */
const maxLines = 1_000;

/** Makes every line a quotation. Of line breaks, `revealInContent` has left one kind. */
async function quoted(text: string, { letOthersWork }: Writing): Promise<string> {
  const blocks: string[] = [];
  for (let from = 0; from <= text.length;) {
    const lines: string[] = [];
    while (lines.length < maxLines && from <= text.length) {
      const end = text.indexOf('\n', from);
      const to = end < 0 ? text.length : end;
      lines.push(`> ${text.slice(from, to)}`.trimEnd());
      from = to + 1;
    }
    blocks.push(lines.join('\n'));
    await letOthersWork();
  }
  return blocks.join('\n');
}

/** Makes a name that others chose plain text on one line, without any meaning as Markdown. */
function plain(name: string, writing: Writing): Promise<string> {
  const escape = (piece: string): string => revealInvisible(piece.replace(/\s+/g, ' ')).replace(/[\\`*_{}[\]()<>#!|~&]/g, '\\$&');
  return rewrite(name, escape, writing);
}

/** Puts text into a code block whose fence is longer than any in the text, so that the text cannot end it. */
async function fenced(text: string, language: string, writing: Writing): Promise<string> {
  let fence = '```';
  for (let at = text.indexOf(fence); at >= 0; at = text.indexOf(fence, at)) {
    const end = endOfTicks(text, at);
    fence = '`'.repeat(end - at + 1);
    at = end;
  }
  return `${fence}${language}\n${await rewrite(text, (piece) => revealInContent(piece), writing)}\n${fence}`;
}

function endOfTicks(text: string, from: number): number {
  let at = from;
  while (text[at] === '`') {
    at += 1;
  }
  return at;
}

/** How much of a text is rewritten at once. */
const maxPiece = 16_384;

/** The beginning of an image or a tag, within which no piece may end. */
const beginning = /^(?:!\[|<[A-Za-z/!?])$/;

/** Rewrites a text piece by piece, each as it would be within the whole text. */
async function rewrite(text: string, make: (piece: string, from: number) => string, { letOthersWork }: Writing): Promise<string> {
  if (text.length <= maxPiece) {
    return make(text, 0);
  }
  const made: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = nextCut(text, from + maxPiece);
    while (beginning.test(text.slice(to - 1, to + 1))) {
      to = nextCut(text, to + 1);
    }
    made.push(make(text.slice(from, to), from));
    from = to;
    await letOthersWork();
  }
  return made.join('');
}
