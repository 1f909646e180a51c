/**
 * Characters that a reader does not see but a model, a shell or a parser does, by Unicode's own properties, so that no list of
 * examples has to be kept: ignorable and format characters, controls, the separators, and halves of surrogate pairs.
 */
const hidden = String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Cs}`;
/**
 * Characters that look like something else: spaces that are not the space, and code points that mean only what a font makes of
 * them. The last three have an assigned meaning and an empty glyph (Braille blank, null notehead, Khitan filler), which no property says.
 */
const disguised = String.raw`\p{Zs}\p{Co}\p{Cn}\u{2800}\u{1D159}\u{16FE4}`;

/** The most marks on one letter. More are no accent of any language: they cover the lines around them, and a browser lays out a thousand for seconds. */
const maxMarks = 16;

/** What is written out in any text. A tab, a line break and the plain space are seen. */
const inAnyText = { runs: new RegExp(String.raw`[[${hidden}${disguised}]--[\t\n ]]+`, 'gv'), bit: 2 } as const;
const inContent = { runs: new RegExp(String.raw`[[${hidden}]--[\t\n]]+`, 'gv'), bit: 4 } as const;
type Invisible = typeof inAnyText | typeof inContent;
const marks = { runs: /\p{M}+/gu, bit: 8 } as const;

const blockSize = 256;
/**
 * For each code point, by blocks of 256, the bits of what it belongs to. The expressions are asked once for each block that
 * occurs: on a whole text they are slow, and a run of a million characters overflows their stack.
 */
const blocks: (Uint8Array | undefined)[] = [];

function isOf(code: number, bit: number): boolean {
  if (code >= 0x20 && code < 0x7f) {
    return false;
  }
  const index = code >> 8;
  const block = blocks[index] ?? (blocks[index] = learnBlock(index * blockSize));
  return ((block[code % blockSize] ?? 0) & bit) !== 0;
}

function learnBlock(start: number): Uint8Array {
  const block = new Uint8Array(blockSize);
  const text = String.fromCodePoint(...Array.from(block, (_, index) => start + index));
  for (const { runs, bit } of [inAnyText, inContent, marks]) {
    for (const [run] of text.matchAll(runs)) {
      const first = (run.codePointAt(0) ?? 0) % blockSize;
      for (let index = first + lengthInCodePoints(run) - 1; index >= first; index -= 1) {
        block[index] = (block[index] ?? 0) | bit;
      }
    }
  }
  return block;
}

/** The selector that makes a pictograph an emoji: a heart is red because of it. */
const emojiSelector = 0xfe0f;
const pictograph = /\p{Extended_Pictographic}$/u;

/** More than this many characters of one kind in a row are counted instead of being written out one by one. */
const maxWrittenOut = 4;

/** Writes out what a reader would not see in a text from a server, a model or a repository: `\u200B` becomes `⟨U+200B⟩`. */
export function revealInvisible(text: string): string {
  return reveal(text, inAnyText);
}

/**
 * Writes out less, for what is read as content (results, answers, files): a no-break space in a French sentence, or an icon of a
 * terminal's font, is no disguise there and stays. Never used for what a person is asked to allow.
 */
export function revealInContent(text: string): string {
  return reveal(text, inContent);
}

/** How many characters `revealInContent` writes out. */
export function countInvisible(text: string): number {
  let count = 0;
  const add = (run: string): string => {
    count += lengthInCodePoints(run);
    return '';
  };
  replaceRuns(text.replace(/\r\n/g, '\n'), inContent, add, () => '');
  return count;
}

/**
 * Where a text has to end so that it weighs at most `most`: each character counts one, and each that is written out `weightOfInvisible`
 * more. `weight` is what the text up to that end weighs.
 */
export function endWithin(text: string, most: number, weightOfInvisible: number): { readonly end: number; readonly weight: number } {
  // Nothing is looked at behind the end: it may be far away.
  const plain = plainLength(text.length > most ? text.slice(0, Math.max(0, most) + 1) : text);
  if (plain > most || plain === text.length) {
    const end = Math.min(plain, Math.max(0, most));
    return { end, weight: end };
  }
  let weight = plain;
  for (let at = plain; at < text.length;) {
    const code = codeAt(text, at);
    const width = code > 0xffff ? 2 : 1;
    const more = width + (isOf(code, inAnyText.bit) ? weightOfInvisible : 0);
    if (weight + more > most) {
      return { end: at, weight };
    }
    weight += more;
    at += width;
  }
  return { end: text.length, weight };
}

/**
 * The first place from `from` on where a text can be cut so that its parts, each written out alone, say what the whole says: before
 * a character that is no white space, no mark and not written out, or between two that are written out and differ.
 */
export function nextCut(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isCut(text, at)) {
    at += 1;
  }
  return at;
}

function isCut(text: string, at: number): boolean {
  const [before, code] = [text.charCodeAt(at - 1), codeAt(text, at)];
  const isPlain = code > 0x20 && !isOf(code, inAnyText.bit | inContent.bit | marks.bit);
  return isPlain || (before !== code && isAlwaysNamed(before) && isAlwaysNamed(code));
}

function isAlwaysNamed(code: number): boolean {
  const isWhole = code > 0x20 && (code & 0xf800) !== 0xd800;
  return isWhole && isOf(code, inContent.bit) && !isOf(code, marks.bit) && /\S/.test(String.fromCodePoint(code));
}

/** Writes invisible characters as JSON escapes: the value stays the same and the text stays editable, but everything is seen. */
export function escapeInvisible(json: string): string {
  return replaceRuns(json, inAnyText, escapeAll, escapeAll);
}

function escapeAll(run: string): string {
  let escaped = '';
  for (let index = 0; index < run.length; index += 1) {
    escaped += `\\u${run.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}

function reveal(text: string, which: Invisible): string {
  return replaceRuns(text.replace(/\r\n/g, '\n'), which, nameAll, countStack);
}

type Write = (run: string) => string;

function replaceRuns(text: string, { bit }: Invisible, write: Write, writeStack: Write): string {
  let written = '';
  let done = 0;
  for (let at = plainLength(text); at < text.length;) {
    const code = codeAt(text, at);
    const start = at;
    if (isOf(code, bit)) {
      at = endOfRun(text, start, bit);
      const isEmoji = code === emojiSelector && pictograph.test(text.slice(Math.max(0, start - 2), start));
      const from = isEmoji ? start + 1 : start;
      written += text.slice(done, from) + write(text.slice(from, at));
      done = at;
      continue;
    }
    const stackEnd = isOf(code, marks.bit) ? endOfRun(text, start, marks.bit) : start;
    if (stackEnd - start > maxMarks && lengthInCodePoints(text.slice(start, stackEnd)) > maxMarks) {
      written += text.slice(done, start) + writeStack(text.slice(start, stackEnd));
      done = at = stackEnd;
    } else {
      at += code > 0xffff ? 2 : 1;
    }
  }
  return done === 0 ? text : written + text.slice(done);
}

function endOfRun(text: string, start: number, bit: number): number {
  let at = start;
  while (at < text.length) {
    const code = codeAt(text, at);
    if (!isOf(code, bit)) {
      break;
    }
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

/** The first marks of a stack as they are, and how many more there were. */
function countStack(run: string): string {
  let shown = 0;
  for (let count = 0; count < maxMarks; count += 1) {
    shown += codeAt(run, shown) > 0xffff ? 2 : 1;
  }
  const more = lengthInCodePoints(run) - maxMarks;
  return `${run.slice(0, shown)}⟨${more} × ${nameOf(codeAt(run, 0))}…⟩`;
}

/** How many characters at the beginning of a text are plain ones, which most texts have no others of. */
function plainLength(text: string): number {
  const first = text.search(/[^\t\n -~]/);
  return first < 0 ? text.length : first;
}

/** The code point at a place of a text. Most are no surrogates, which `charCodeAt` tells faster. */
function codeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return (unit & 0xf800) === 0xd800 ? (text.codePointAt(at) ?? 0) : unit;
}

function lengthInCodePoints(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    at += codeAt(text, at) > 0xffff ? 2 : 1;
  }
  return count;
}

/** Names the characters of a run; a thousand of one kind become one thing to read. */
function nameAll(run: string): string {
  let named = '';
  for (let start = 0; start < run.length;) {
    const code = run.codePointAt(start) ?? 0;
    const width = code > 0xffff ? 2 : 1;
    let end = start + width;
    while (end < run.length && run.codePointAt(end) === code) {
      end += width;
    }
    named += nameOne(code, (end - start) / width);
    start = end;
  }
  return named;
}

const names = new Map<number, string>();
/** The most names of invisible characters that are remembered; those of others are made each time. */
const maxNames = 1_000;

function nameOf(code: number): string {
  let name = names.get(code);
  if (name === undefined) {
    name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
    if (names.size < maxNames) {
      names.set(code, name);
    }
  }
  return name;
}

function nameOne(code: number, count: number): string {
  const name = nameOf(code);
  return count > maxWrittenOut ? `⟨${count} × ${name}⟩` : `⟨${name}⟩`.repeat(count);
}

/** Whether data is base64 of the plain alphabet without white space, which all decoders read alike, so that what is shown is what is sent. */
export function isPlainBase64(data: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
