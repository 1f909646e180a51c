/**
 * Characters a person cannot see but a model or a shell can: controls other than tab and line break, zero-width and
 * bidirectional marks, tag characters, variation selectors beyond the emoji one, line and paragraph separators.
 */
const invisible =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202F\u205F-\u206F\u3164\uFE00-\uFE0E\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}]/gu;

/** Text from a server, a model or a repository, with nothing in it hidden from the reader: `\u200B` becomes `⟨U+200B⟩`. */
export function revealInvisible(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(invisible, (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    return `⟨U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
