/** What a command line means: a program with its arguments, or why it is none. */
export type CommandLine =
  | { readonly kind: 'ok'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'empty' }
  | { readonly kind: 'openQuote' }
  /** The line has something in it that only a shell can do. */
  | { readonly kind: 'shellSyntax'; readonly sign: string };

/** Words by which a person shows that they think of a shell, although none is used. */
const standingAlone: readonly string[] = ['&&', '||', '|', ';', '>', '<', '>>', '&'];
/** Characters that mean something to some shell, even within quotes. */
const anySign = /[|&;<>()$`*?[\]{}~#!\\\n\r%^]/;
const assignment = /^[A-Za-z_]\w*=/;

/**
 * Splits what people type or paste into a program and its arguments: quotes and backslashes as in a shell, and no more.
 * Where a shell is available, whatever could mean something to it is left to it. Otherwise `$HOME` and `*` are taken as they
 * are, and only a word such as `&&` that stands alone is refused.
 */
export function parseCommandLine(text: string, shell: 'none' | 'available' = 'none'): CommandLine {
  const words = splitWords(text);
  if (words === undefined) {
    return { kind: 'openQuote' };
  }
  const [command, ...args] = words.map((word) => word.text);
  if (command === undefined || command === '') {
    return { kind: 'empty' };
  }
  const sign = shell === 'available' ? anySign.exec(text)?.[0] : signAlone(words);
  if (sign !== undefined) {
    return { kind: 'shellSyntax', sign };
  }
  return assignment.test(command) ? { kind: 'shellSyntax', sign: command } : { kind: 'ok', command, args };
}

/** Joins a program and its arguments to the line that a person would type. */
export function joinCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** Reads what a shell would replace, such as `$NAME`, at this place of a text; undefined where it would leave the text alone. */
export type Substitute = (text: string, index: number) => Piece | undefined;

export interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

/**
 * Splits a line into words as `parseCommandLine` does, without asking what they mean; undefined when a quote is not closed. With
 * `substitute`, a `$` or a backtick stands for itself after a backslash and in single quotes, as in a shell.
 */
export function splitCommandLine(text: string, substitute: Substitute): readonly Word[] | undefined {
  return splitWords(text, substitute);
}

/** The first word that only a shell understands. */
export function signAlone(words: readonly Word[]): string | undefined {
  return words.find(({ text, isQuoted }) => !isQuoted && standingAlone.includes(text))?.text;
}

/** Splits a text into words; `undefined` when a quote is not closed. */
function splitWords(text: string, substitute?: Substitute): readonly Word[] | undefined {
  const words: Word[] = [];
  const lastDoubleQuote = text.lastIndexOf('"');
  let word: { text: string; isQuoted: boolean } | undefined;
  for (let index = 0; index < text.length;) {
    if (/\s/.test(text[index] ?? '')) {
      word = undefined;
      index += 1;
      continue;
    }
    const piece = pieceAt(text, index, lastDoubleQuote, substitute);
    if (piece === undefined) {
      return undefined;
    }
    if (word === undefined) {
      word = { text: '', isQuoted: false };
      words.push(word);
    }
    word.text += piece.text;
    word.isQuoted ||= piece.text !== text.slice(index, piece.end);
    index = piece.end;
  }
  return words;
}

export interface Piece {
  readonly text: string;
  /** The index after the piece. */
  readonly end: number;
}

function pieceAt(text: string, index: number, lastDoubleQuote: number, substitute: Substitute | undefined): Piece | undefined {
  switch (text[index]) {
    case '"':
      return doubleQuotedAt(text, index, lastDoubleQuote, substitute);
    case "'":
      return singleQuotedAt(text, index);
    case undefined:
    default:
      return substitute?.(text, index) ?? plainAt(text, index, substitute === undefined ? plainEscapes : `${plainEscapes}${shellEscapes}`);
  }
}

/** What a backslash before it makes an ordinary character. */
const plainEscapes = `"'\\ `;
const shellEscapes = '$`';

/** Reads one unquoted character. A backslash escapes a quote, a space or itself; before anything else it stands for itself, so that Windows paths can be pasted. */
function plainAt(text: string, index: number, escapes: string): Piece {
  const next = text[index + 1];
  const isEscape = text[index] === '\\' && next !== undefined && escapes.includes(next);
  return isEscape ? { text: next, end: index + 2 } : { text: text[index] ?? '', end: index + 1 };
}

/** Reads a text in single quotes; `undefined` when it is not closed. */
function singleQuotedAt(text: string, start: number): Piece | undefined {
  const end = text.indexOf("'", start + 1);
  return end < 0 ? undefined : { text: text.slice(start + 1, end), end: end + 1 };
}

/** Reads a text in double quotes. A backslash escapes only the quote and itself. The last quote of the text closes, whatever is before it: "C:\Program Files\". */
function doubleQuotedAt(text: string, start: number, lastQuote: number, substitute: Substitute | undefined): Piece | undefined {
  let inside = '';
  for (let index = start + 1; index <= lastQuote; index += 1) {
    const sign = text[index] ?? '';
    const next = text[index + 1] ?? '';
    const replaced = sign === '$' || sign === '`' ? substitute?.(text, index) : undefined;
    const isShellEscape = substitute !== undefined && next !== '' && shellEscapes.includes(next);
    if (replaced !== undefined) {
      inside += replaced.text;
      index = replaced.end - 1;
    } else if (sign === '\\' && (next === '\\' || isShellEscape || (next === '"' && index + 1 < lastQuote))) {
      inside += next;
      index += 1;
    } else if (sign === '"') {
      return { text: inside, end: index + 1 };
    } else {
      inside += sign;
    }
  }
  return undefined;
}
