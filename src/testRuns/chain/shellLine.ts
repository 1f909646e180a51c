/** A word of a command line. */
export interface ShellWord {
  readonly text: string;
  /** Whether not every shell reads the word as this text: a pattern for file names, or quotes that not all of them know. */
  readonly isOpen: boolean;
}

/** A word together with the characters that stand for it in the line. */
export interface WrittenWord extends ShellWord {
  readonly raw: string;
}

/** A line as its commands, and what stands between each and the next. */
export interface ShellLine {
  readonly commands: readonly (readonly WrittenWord[])[];
  readonly operators: readonly string[];
}

/** Matches characters that mean nothing to any shell. */
const plain = /[\w@+=:,./-]+/y;
/** Matches signs of which a shell may make other words, but no other command. */
const pattern = /[*?[\]{}]/;
const operator = /&&|\|\||;/y;
/** Matches what some shell does not take for text although it stands between single quotes. */
const seenThroughQuotes = /[&|<>^%"\r\n]/;
/** Matches what a shell does not take for text although it stands between double quotes. */
const seenThroughDoubleQuotes = /[$`\\%!^\r\n]/;
/** The most words of a line that are read; more than anybody writes. */
const maxWords = 1_000;

/**
 * Splits a line into its commands, in one pass: words, quotes, and `&&`, `||` and `;` between commands. The result is `undefined`
 * for everything else that a shell knows, such as variables, substitutions, pipes, redirections and statements: then it is not
 * known what the line runs.
 */
export function readShellLine(line: string): readonly (readonly ShellWord[])[] | undefined {
  return splitShellLine(line)?.commands.map((words) => words.map(({ text, isOpen }) => ({ text, isOpen })));
}

/** Splits a line as `readShellLine` does, and keeps how everything is written, so that a part of the line can be replaced. */
export function splitShellLine(line: string): ShellLine | undefined {
  const commands: WrittenWord[][] = [[]];
  const operators: string[] = [];
  let count = 0;
  for (let at = 0; at < line.length;) {
    operator.lastIndex = at;
    const [sign] = operator.exec(line) ?? [];
    if (sign !== undefined) {
      // Between two signs, and at the ends of the line, there is no command.
      if (commands.at(-1)?.length !== 0) {
        commands.push([]);
        operators.push(sign);
      }
      at += sign.length;
    } else if (line[at] === ' ') {
      at += 1;
    } else {
      const read = readWord(line, at);
      count += 1;
      if (read === undefined || count > maxWords) {
        return undefined;
      }
      commands.at(-1)?.push({ ...read.word, raw: line.slice(at, read.end) });
      at = read.end;
    }
  }
  const written = commands.filter((words) => words.length > 0);
  return { commands: written, operators: operators.slice(0, Math.max(0, written.length - 1)) };
}

function readWord(line: string, from: number): { readonly word: ShellWord; readonly end: number } | undefined {
  let text = '';
  let isOpen = false;
  let at = from;
  for (let sign = line[at]; sign !== undefined && sign !== ' ' && sign !== ';'; sign = line[at]) {
    plain.lastIndex = at;
    const [run] = plain.exec(line) ?? [];
    if (run !== undefined) {
      text += run;
      at += run.length;
    } else if (pattern.test(sign)) {
      text += sign;
      isOpen = true;
      at += 1;
    } else if (sign === '"' || sign === "'") {
      const end = line.indexOf(sign, at + 1);
      const inside = line.slice(at + 1, end);
      if (end < 0 || (sign === '"' ? seenThroughDoubleQuotes : seenThroughQuotes).test(inside)) {
        return undefined;
      }
      text += inside;
      isOpen ||= sign === "'";
      at = end + 1;
    } else if (line.startsWith('&&', at) || line.startsWith('||', at)) {
      break;
    } else {
      return undefined;
    }
  }
  return { word: { text, isOpen }, end: at };
}
