import { revealInContent } from '../../base/visibleText.ts';

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
 * Character references of Markdown text (the parser resolves some of them itself). What they spell is revealed like any
 * other text: `&#8203;` hides nothing.
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
