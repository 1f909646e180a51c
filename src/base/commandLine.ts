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

interface Word {
  readonly text: string;
  readonly isQuoted: boolean;
}

function signAlone(words: readonly Word[]): string | undefined {
  return words.find(({ text, isQuoted }) => !isQuoted && standingAlone.includes(text))?.text;
}

/** Splits a text into words; `undefined` when a quote is not closed. */
function splitWords(text: string): readonly Word[] | undefined {
  const words: Word[] = [];
  const lastDoubleQuote = text.lastIndexOf('"');
  let word: { text: string; isQuoted: boolean } | undefined;
  for (let index = 0; index < text.length;) {
    if (/\s/.test(text[index] ?? '')) {
      word = undefined;
      index += 1;
      continue;
    }
    const piece = pieceAt(text, index, lastDoubleQuote);
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

interface Piece {
  readonly text: string;
  /** The index after the piece. */
  readonly end: number;
}

function pieceAt(text: string, index: number, lastDoubleQuote: number): Piece | undefined {
  switch (text[index]) {
    case '"':
      return doubleQuotedAt(text, index, lastDoubleQuote);
    case "'":
      return singleQuotedAt(text, index);
    case undefined:
    default:
      return plainAt(text, index);
  }
}

/** Reads one unquoted character. A backslash escapes a quote, a space or itself; before anything else it stands for itself, so that Windows paths can be pasted. */
function plainAt(text: string, index: number): Piece {
  const next = text[index + 1];
  const isEscape = text[index] === '\\' && next !== undefined && `"'\\ `.includes(next);
  return isEscape ? { text: next, end: index + 2 } : { text: text[index] ?? '', end: index + 1 };
}

/** Reads a text in single quotes; `undefined` when it is not closed. */
function singleQuotedAt(text: string, start: number): Piece | undefined {
  const end = text.indexOf("'", start + 1);
  return end < 0 ? undefined : { text: text.slice(start + 1, end), end: end + 1 };
}

/** Reads a text in double quotes. A backslash escapes only the quote and itself. The last quote of the text closes, whatever is before it: "C:\Program Files\". */
function doubleQuotedAt(text: string, start: number, lastQuote: number): Piece | undefined {
  let inside = '';
  for (let index = start + 1; index <= lastQuote; index += 1) {
    const sign = text[index] ?? '';
    const next = text[index + 1] ?? '';
    if (sign === '\\' && (next === '\\' || (next === '"' && index + 1 < lastQuote))) {
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
