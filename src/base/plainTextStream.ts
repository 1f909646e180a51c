import { toPlainText } from './terminalText.ts';

/** Longer than any escape sequence or line worth keeping apart. */
const maxRest = 65_600;

/** Most output has none: then there is nothing to interpret, character by character. */
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/;

/** Plain text of output that comes in pieces cut anywhere: inside an escape sequence, or in a line that is still written over. */
export class PlainTextStream {
  #rest = '';

  push(piece: string): string {
    const text = this.#rest + piece;
    const end = text.lastIndexOf('\n') + 1;
    if (text.length - end > maxRest) {
      this.#rest = '';
      return plain(text);
    }
    this.#rest = text.slice(end);
    return end === 0 ? '' : plain(text.slice(0, end));
  }

  end(): string {
    const text = plain(this.#rest);
    this.#rest = '';
    return text;
  }
}

function plain(text: string): string {
  return control.test(text) ? toPlainText(text) : text;
}
