/**
 * What a reader does not see but a model, a shell or a parser does, by Unicode's own properties, so that no list of examples
 * has to be kept: ignorable and format characters, controls, the separators, and halves of surrogate pairs.
 */
const hidden = String.raw`\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Cs}`;
/**
 * What looks like something else: spaces that are not the space, and code points that mean only what a font makes of them.
 * The last three have an assigned meaning and an empty glyph (Braille blank, null notehead, Khitan filler): no property says so.
 */
const disguised = String.raw`\p{Zs}\p{Co}\p{Cn}\u{2800}\u{1D159}\u{16FE4}`;

/** A tab and a line break are seen; of the spaces only the one everybody means. */
const inAnyText = new RegExp(String.raw`[[${hidden}${disguised}]--[\t\n ]]+`, 'gv');
const inContent = new RegExp(String.raw`[[${hidden}]--[\t\n]]+`, 'gv');

/** A heart is red by the selector after it. */
const emojiSelector = '\uFE0F';
const pictograph = /\p{Extended_Pictographic}$/u;

/** More than this many of one kind, one after the other, are counted. */
const maxWrittenOut = 4;

/** Text from a server, a model or a repository, with nothing in it hidden from the reader: `\u200B` becomes `⟨U+200B⟩`. */
export function revealInvisible(text: string): string {
  return reveal(text, inAnyText);
}

/**
 * The same for what is read as content (results, answers, files): a no-break space of a French sentence, or an icon of a
 * terminal's font, is no disguise there and stays what it is. Never for what a person is asked to allow.
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

/** As escapes of JSON: the same value, but seen. For text that stays editable. */
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

/** A thousand of one kind is one thing to read. */
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

/** Base64 of the plain alphabet without white space: what decoders of every kind read alike, so that what is shown is what is sent. */
export function isPlainBase64(data: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}
