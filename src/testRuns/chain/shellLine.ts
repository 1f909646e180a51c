/** A word of a command line. */
export interface ShellWord {
  readonly text: string;
  /** Whether a shell fills something into the word, so that it is not known what it will be. */
  readonly isOpen: boolean;
}

export type ShellPart =
  | { readonly kind: 'command'; readonly words: readonly ShellWord[] }
  | { readonly kind: 'operator'; readonly sign: ShellSign };

/** An operator between commands; `;` stands for the end of a line, too. */
export type ShellSign = '&&' | '||' | ';' | '|' | '&' | '(' | ')';

export interface ShellLine {
  readonly parts: readonly ShellPart[];
  /** Whether the line may run commands that are not among its parts: by a substitution, a here-document or a quote left open. */
  readonly hidesCommands: boolean;
}

/** Splits a command line as a shell would, in one pass. Nothing is filled in: what a shell would fill in is marked. */
export function readShellLine(text: string): ShellLine {
  return new ShellReader(text).read();
}

const signs = ['&&', '||', '|&', ';;', ';', '|', '&', '(', ')', '\n', '\r'] as const;
const endOfWord = /[\s;&|()<>]/;
/** Matches characters that mean nothing to any shell. */
const plain = /[^\s'"\\$`#~*?[{^!%;&|()<>]+/y;
/** The most words of a line that are read; more than anybody writes. */
const maxWords = 1_000;

class ShellReader {
  readonly #text: string;
  readonly #parts: ShellPart[] = [];
  #at = 0;
  #words: ShellWord[] = [];
  #word: { text: string; isOpen: boolean; isPlain: boolean } | undefined;
  #count = 0;
  /** Whether the next word is a file to read or write, and no part of the command. */
  #skipsWord = false;
  #hidesCommands = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): ShellLine {
    while (this.#at < this.#text.length && this.#count < maxWords) {
      this.#step();
    }
    this.#hidesCommands ||= this.#at < this.#text.length;
    this.#endCommand();
    return { parts: this.#parts, hidesCommands: this.#hidesCommands };
  }

  #step(): void {
    plain.lastIndex = this.#at;
    const [run] = plain.exec(this.#text) ?? [];
    if (run !== undefined) {
      this.#take(run, run.length, false);
      return;
    }
    const sign = this.#text[this.#at] ?? '';
    const operator = signs.find((each) => this.#text.startsWith(each, this.#at));
    if (sign === '&' && this.#text[this.#at + 1] === '>') {
      this.#at += 1; // `&>` sends both outputs into a file
    } else if (operator !== undefined) {
      this.#operator(operator);
    } else if (sign === '<' || sign === '>') {
      this.#redirect();
    } else if (/\s/.test(sign)) {
      this.#endWord();
      this.#at += 1;
    } else {
      this.#character(sign);
    }
  }

  #operator(operator: (typeof signs)[number]): void {
    // A name with parentheses is a function: from here on it may stand for anything.
    this.#hidesCommands ||= operator === '(' && (this.#word !== undefined || this.#words.length > 0);
    this.#endCommand();
    const sign = operator === '|&' ? '|' : operator === ';;' || operator === '\n' || operator === '\r' ? ';' : operator;
    this.#parts.push({ kind: 'operator', sign });
    this.#count += 1;
    this.#at += operator.length;
  }

  #redirect(): void {
    if (this.#word?.isPlain === true && /^\d+$/.test(this.#word.text)) {
      this.#word = undefined; // the number of a stream
    }
    this.#endWord();
    const [sign = ''] = /^(?:<<<|<<-?|<>|<&|>>|>&|>\||<|>)/.exec(this.#text.slice(this.#at, this.#at + 3)) ?? [];
    this.#at += Math.max(sign.length, 1);
    this.#hidesCommands ||= (sign.startsWith('<<') && sign !== '<<<') || this.#text[this.#at] === '(';
    this.#skipsWord = true;
  }

  #character(sign: string): void {
    switch (sign) {
      case "'":
        this.#singleQuoted();
        break;
      case '"':
        this.#doubleQuoted();
        break;
      case '\\':
        this.#escaped();
        break;
      case '$':
        this.#variable();
        break;
      case '`':
        this.#hidesCommands = true;
        this.#take('`', 1, true);
        break;
      case '#':
        // For some shells the rest is a comment, for others it runs.
        this.#hidesCommands ||= this.#word === undefined;
        this.#take(sign, 1, false);
        break;
      default:
        this.#take(sign, 1, opensHere(sign, this.#word === undefined, this.#text, this.#at));
    }
  }

  #singleQuoted(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    this.#hidesCommands ||= end < 0;
    const inside = this.#text.slice(this.#at + 1, end < 0 ? undefined : end);
    this.#take(inside, inside.length + 2, false, false);
  }

  #doubleQuoted(): void {
    this.#take('', 1, false, false);
    while (this.#at < this.#text.length && this.#text[this.#at] !== '"') {
      const sign = this.#text[this.#at] ?? '';
      const next = this.#text[this.#at + 1] ?? '';
      if (sign === '\\' && '"\\$`\n'.includes(next) && next !== '') {
        this.#take(next === '\n' ? '' : next, 2, false, false);
      } else if (sign === '$') {
        this.#variable();
      } else {
        this.#hidesCommands ||= sign === '`';
        this.#take(sign, 1, sign === '`', false);
      }
    }
    this.#hidesCommands ||= this.#at >= this.#text.length;
    this.#at += 1;
  }

  #escaped(): void {
    const next = this.#text[this.#at + 1] ?? '';
    if (next === '\n') {
      this.#at += 2; // the line goes on
    } else {
      this.#take(next, 2, false, false);
    }
  }

  /** Reads what begins with `$`: `$(…)` runs a command, and every other form only stands for some text. */
  #variable(): void {
    const next = this.#text[this.#at + 1] ?? '';
    if (next === '(' || next === "'" || next === '"') {
      this.#hidesCommands = true;
      this.#take('$', 1, true);
    } else if (next === '{') {
      const end = this.#text.indexOf('}', this.#at);
      const name = this.#text.slice(this.#at, end < 0 ? undefined : end + 1);
      this.#hidesCommands ||= end < 0 || /[`(]|\$.*\$/.test(name.slice(0, 1_000)) || name.length > 1_000;
      this.#take(name, name.length, true);
    } else {
      this.#take('$', 1, /[\w@*#?$!-]/.test(next));
    }
  }

  #take(text: string, length: number, isOpen: boolean, isPlain = true): void {
    this.#word ??= { text: '', isOpen: false, isPlain: true };
    this.#word.text += text;
    this.#word.isOpen ||= isOpen;
    this.#word.isPlain &&= isPlain;
    this.#at += length;
  }

  #endWord(): void {
    if (this.#word !== undefined) {
      this.#count += 1;
      if (!this.#skipsWord) {
        this.#words.push({ text: this.#word.text, isOpen: this.#word.isOpen });
      }
      this.#word = undefined;
      this.#skipsWord = false;
    }
  }

  #endCommand(): void {
    this.#endWord();
    this.#skipsWord = false;
    if (this.#words.length > 0) {
      this.#parts.push({ kind: 'command', words: this.#words });
      this.#words = [];
    }
  }
}

/** Whether a shell fills something in here: for a pattern of file names, a home folder, or the signs of other shells. */
function opensHere(sign: string, isFirst: boolean, text: string, at: number): boolean {
  if (sign === '~') {
    return isFirst;
  }
  if (sign === '*' || sign === '?' || sign === '[') {
    return true;
  }
  if (sign === '{') {
    return !endOfWord.test(text[at + 1] ?? ' ');
  }
  return sign === '^' || sign === '!' ? !endOfWord.test(text[at + 1] ?? ' ') : sign === '%' && /^%\w+%/.test(text.slice(at, at + 100));
}
