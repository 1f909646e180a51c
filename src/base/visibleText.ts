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

/** What is written out in any text. A tab, a line break and the plain space are seen. */
const inAnyText = new RegExp(String.raw`[[${hidden}${disguised}]--[\t\n ]]+`, 'gv');
const inContent = new RegExp(String.raw`[[${hidden}]--[\t\n]]+`, 'gv');

/** The selector that makes a pictograph an emoji: a heart is red because of it. */
const emojiSelector = '\uFE0F';
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
  replaceRuns(text.replace(/\r\n/g, '\n'), inContent, (run) => {
    count += Array.from(run).length;
    return '';
  });
  return count;
}

/** Writes invisible characters as JSON escapes: the value stays the same and the text stays editable, but everything is seen. */
export function escapeInvisible(json: string): string {
  return replaceRuns(json, inAnyText, (run) =>
    Array.from({ length: run.length }, (_, index) => `\\u${run.charCodeAt(index).toString(16).padStart(4, '0')}`).join(''),
  );
}

function reveal(text: string, pattern: RegExp): string {
  return replaceRuns(text.replace(/\r\n/g, '\n'), pattern, nameAll);
}

function replaceRuns(text: string, pattern: RegExp, write: (run: string) => string): string {
  return text.replace(pattern, (run, offset: number) =>
    run.startsWith(emojiSelector) && pictograph.test(text.slice(Math.max(0, offset - 2), offset))
      ? `${emojiSelector}${write(run.slice(emojiSelector.length))}`
      : write(run),
  );
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

function nameOne(code: number, count: number): string {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return count > maxWrittenOut ? `⟨${count.toLocaleString('en')} × ${name}⟩` : `⟨${name}⟩`.repeat(count);
}

/** Whether data is base64 of the plain alphabet without white space, which all decoders read alike, so that what is shown is what is sent. */
export function isPlainBase64(data: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
