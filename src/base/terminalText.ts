/**
 * Returns what a person sees of a program's output: without control sequences, and with what a carriage return or a backspace
 * went back over overwritten. It takes one pass and no regular expressions, because output can be hostile and long.
 */
export function toPlainText(raw: string): string {
  return readScreen(raw).text();
}

/** Returns what a person sees of a line that is still being written. Its last blanks stay: a prompt such as `Name? ` ends with one. */
function unfinishedLine(raw: string): string {
  return control.test(raw) ? readScreen(raw).text(true) : raw;
}

function readScreen(raw: string): LineBuffer {
  const screen = new LineBuffer();
  let index = 0;
  while (index < raw.length) {
    const code = raw.charCodeAt(index);
    if (code === escape || code === controlSequenceIntroducer) {
      index = readSequence(raw, index, screen);
    } else {
      screen.put(raw[index] ?? '', code);
      index += 1;
    }
  }
  return screen;
}

const escape = 0x1b;
const bell = 0x07;
const controlSequenceIntroducer = 0x9b;
const stringTerminator = 0x9c;

/** Returns the index after the sequence that begins at `start`. */
function readSequence(raw: string, start: number, screen: LineBuffer): number {
  const isShort = raw.charCodeAt(start) === controlSequenceIntroducer;
  const kind = isShort ? '[' : (raw[start + 1] ?? '');
  const body = isShort ? start + 1 : start + 2;
  if (kind === '[') {
    return readControlSequence(raw, body, screen);
  }
  if (kind !== '' && ']PX^_'.includes(kind)) {
    return afterString(raw, body);
  }
  // An escape, intermediate characters (for example of a character set), and one final character.
  let end = start + 1;
  while (end < raw.length && isBetween(raw.charCodeAt(end), 0x20, 0x2f)) {
    end += 1;
  }
  return end + 1;
}

function readControlSequence(raw: string, start: number, screen: LineBuffer): number {
  let end = start;
  while (end < raw.length && isBetween(raw.charCodeAt(end), 0x20, 0x3f)) {
    end += 1;
  }
  screen.control(raw[end] ?? '', raw.slice(start, end));
  return end + 1;
}

/** Returns the index after a string sequence, which BEL or ST ends; an unfinished one takes the rest. */
function afterString(raw: string, start: number): number {
  for (let index = start; index < raw.length; index += 1) {
    const code = raw.charCodeAt(index);
    if (code === bell || code === stringTerminator) {
      return index + 1;
    }
    if (code === escape) {
      return raw[index + 1] === '\\' ? index + 2 : index;
    }
  }
  return raw.length;
}

function isBetween(code: number, low: number, high: number): boolean {
  return code >= low && code <= high;
}

/** The largest column that is written to: one far out would fill the memory with blanks. */
const widestColumn = 10_000;

/** The lines of the output: those that are finished, and the last one, which can still be written over. */
class LineBuffer {
  readonly #finished: string[] = [];
  #line: string[] = [];
  #column = 0;

  put(character: string, code: number): void {
    if (character === '\n') {
      this.#finished.push(this.#current());
      this.#line = [];
      this.#column = 0;
    } else if (character === '\r') {
      this.#column = 0;
    } else if (character === '\b') {
      this.#column = Math.max(0, this.#column - 1);
    } else if (character === '\t' || (code >= 0x20 && code !== 0x7f && !isBetween(code, 0x80, 0x9f))) {
      while (this.#line.length < this.#column) {
        this.#line.push(' ');
      }
      this.#line[this.#column] = character;
      this.#column += 1;
    }
  }

  /** Obeys a control sequence that moves within the line or erases it; all others are about colours or the rest of the screen. */
  control(final: string, parameters: string): void {
    const count = Math.min(Number.parseInt(parameters, 10) || 0, widestColumn);
    if (final === 'K') {
      this.#erase(count);
    } else if (final === 'G') {
      this.#column = Math.max(0, count - 1);
    } else if (final === 'C') {
      this.#column = Math.min(this.#column + Math.max(1, count), Math.max(widestColumn, this.#column));
    } else if (final === 'D') {
      this.#column = Math.max(0, this.#column - Math.max(1, count));
    }
  }

  /** `keepsBlanks`: those at the end of the last line stay. */
  text(keepsBlanks = false): string {
    return [...this.#finished, keepsBlanks ? this.#line.join('') : this.#current()].join('\n');
  }

  #erase(mode: number): void {
    if (mode === 0) {
      this.#line.length = Math.min(this.#line.length, this.#column);
    } else if (mode === 2) {
      this.#line = [];
    } else if (mode === 1) {
      this.#line.fill(' ', 0, this.#column + 1);
    }
  }

  #current(): string {
    return this.#line.join('').trimEnd();
  }
}

/** How many characters of an unfinished line are kept back; no escape sequence or line that matters is longer. */
const maxRest = 65_600;

/** Most output has no such character; then it need not be interpreted character by character. */
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;

/** Makes plain text of output that comes in pieces, which may end inside an escape sequence or in a line that is still written over. */
export class PlainTextStream {
  #rest = '';

  push(piece: string): string {
    const text = this.#rest + piece;
    const end = text.lastIndexOf('\n') + 1;
    if (text.length - end > maxRest) {
      this.#rest = '';
      return plainTextOf(text);
    }
    this.#rest = text.slice(end);
    return end === 0 ? '' : plainTextOf(text.slice(0, end));
  }

  /** The line that has no end yet, as it stands on the screen now. */
  get unfinished(): string {
    return unfinishedLine(this.#rest);
  }

  end(): string {
    const text = plainTextOf(this.#rest);
    this.#rest = '';
    return text;
  }
}

/** Returns the same of a text that mostly needs no change: then it stays as it is, blanks at the ends of lines and all. */
export function plainTextOf(text: string): string {
  return control.test(text) ? toPlainText(text) : text;
}
