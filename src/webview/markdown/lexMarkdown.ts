import { Lexer, type Links, type Token } from 'marked';
import { revealInContent } from '../../base/visibleText.ts';
import { maxMarkdownLength } from './slices.ts';

/** The most marks of emphasis and links in one paragraph: they cost the square of their number, and 20,000 took 40 seconds. */
const maxMarks = 600;
/** How long, in ms, the emphasis and links of one text may be read; what comes after stays plain text. */
const maxLexingMs = 400;
/** The most quotes and lists that may lie in each other, on one line or by indentation: the lexer calls itself for each. */
const maxNesting = 20;
/** A text with a quote or a list that is indented by so many characters is shown as it is. */
const maxIndentation = 80;
const blank = /[ \t]*/y;
const marker = /(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))/y;

export interface Lexed {
  readonly tokens: readonly Token[];
  /** The targets of reference links, including those that were known before. */
  readonly links: Links;
}

/**
 * Reads Markdown in bounded time; `undefined` when it cannot, so that the text is shown as it is. A paragraph that would
 * cost too much stays plain text, and so does everything after the time is used up.
 */
export function lexMarkdown(source: string, knownLinks: Links = {}): Lexed | undefined {
  if (source.length > maxMarkdownLength || isNestedTooDeep(source)) {
    return undefined;
  }
  try {
    const lexer = new Lexer({ gfm: true });
    lexer.tokens.links = { ...knownLinks };
    const tokens = lexer.blockTokens(source, lexer.tokens);
    const deadline = performance.now() + maxLexingMs;
    // The queue grows while this loop runs: a link's text is queued when the link is found.
    for (let next = 0; next < lexer.inlineQueue.length; next += 1) {
      const entry = lexer.inlineQueue[next];
      if (entry !== undefined && performance.now() < deadline && countMarks(entry.src) <= maxMarks) {
        lexer.inlineTokens(entry.src, entry.tokens);
      } else {
        entry?.tokens.push({ type: 'escape', raw: entry.src, text: entry.src });
      }
    }
    return { tokens, links: lexer.tokens.links };
  } catch {
    return undefined;
  }
}

/** Whether a line begins with too many marks of quotes and lists. Looks at each character once. */
function isNestedTooDeep(source: string): boolean {
  for (let line = 0; line !== -1; line = nextLine(source, line)) {
    let [place, marks] = [endOf(blank, source, line), 0];
    const isIndented = place - line >= maxIndentation;
    for (let end = endOf(marker, source, place); end > place; end = endOf(marker, source, place)) {
      marks += 1;
      place = endOf(blank, source, end);
      if (isIndented || marks === maxNesting) {
        return true;
      }
    }
  }
  return false;
}

function nextLine(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end === -1 ? -1 : end + 1;
}

/** Where a pattern that is found at this place ends; the place itself when it is not found there. */
function endOf(pattern: RegExp, source: string, place: number): number {
  pattern.lastIndex = place;
  return pattern.test(source) ? pattern.lastIndex : place;
}

function countMarks(text: string): number {
  return text.match(/[*_~`[\]<&@!\\]|https?:/g)?.length ?? 0;
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  larr: '←',
  rarr: '→',
  uarr: '↑',
  darr: '↓',
  times: '×',
  divide: '÷',
  plusmn: '±',
  deg: '°',
  euro: '€',
  pound: '£',
  check: '✓',
};

/**
 * Decodes the character references of Markdown text (the parser resolves some itself). What they spell is made visible like any
 * other text, so that `&#8203;` hides nothing.
 */
export function decodeEntities(text: string): string {
  const decoded = text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,8}));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) {
        return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
      }
      const codePoint = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal);
      const isCharacter = codePoint > 0 && codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
      return isCharacter ? String.fromCodePoint(codePoint) : '\uFFFD';
    },
  );
  return revealInContent(decoded);
}
