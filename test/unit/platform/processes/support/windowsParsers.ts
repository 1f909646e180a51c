/** What cmd.exe makes of a line: what it would run, and everything on the line that is not plain text to it. */
export interface CmdReading {
  /** The line as the started program or batch file gets it. */
  readonly line: string;
  /** Operators, escapes and variables that cmd.exe found. */
  readonly found: readonly string[];
}

/**
 * Reads a line as cmd.exe does, written from its documented phases: variables are replaced first, between quotation marks too; then
 * quotation marks, escapes and operators are read; then, if it is switched on, variables between exclamation marks. Every variable
 * is taken to be set.
 */
export function readAsCmd(text: string, mayDelay = true): CmdReading {
  const found: string[] = [];
  const expanded = text.replace(/%[^%]+%|%[\d*]|%~[^\s]*/g, (variable) => {
    found.push(variable);
    return 'replaced';
  });
  let line = '';
  let isQuoted = false;
  for (let at = 0; at < expanded.length; at += 1) {
    const character = expanded.charAt(at);
    if (character === '\n' || character === '\r' || character === '\u001A') {
      found.push('the end of the line');
      break;
    }
    if (character === '"') {
      isQuoted = !isQuoted;
    } else if (!isQuoted && character === '^') {
      found.push('^');
      at += 1;
      line += expanded.charAt(at);
      continue;
    } else if (!isQuoted && '&|<>()'.includes(character)) {
      found.push(character);
    }
    line += character;
  }
  if (isQuoted) {
    found.push('an open quotation mark');
  }
  if (mayDelay && line.includes('!')) {
    found.push('!');
  }
  return { line, found };
}

/** `/s`: the first and the last quotation mark of what follows `/c` are taken away. */
export function withoutOuterQuotes(text: string): string {
  const last = text.lastIndexOf('"');
  return text.startsWith('"') && last > 0 ? text.slice(1, last) + text.slice(last + 1) : text;
}

/** Splits a command line into arguments as Microsoft's C runtime does since 2008. The first is the program, which has rules of its own. */
export function splitAsRuntime(line: string): readonly string[] {
  const args: string[] = [];
  let at = 0;
  if (line.startsWith('"')) {
    const end = line.indexOf('"', 1);
    args.push(line.slice(1, end));
    at = end + 1;
  } else {
    at = /^[^ \t]*/.exec(line)?.[0].length ?? 0;
    args.push(line.slice(0, at));
  }
  while (at < line.length) {
    while (line[at] === ' ' || line[at] === '\t') {
      at += 1;
    }
    if (at < line.length) {
      const { text, end } = readArgument(line, at);
      args.push(text);
      at = end;
    }
  }
  return args;
}

function readArgument(line: string, start: number): { readonly text: string; readonly end: number } {
  let text = '';
  let isQuoted = false;
  let at = start;
  while (at < line.length && (isQuoted || (line[at] !== ' ' && line[at] !== '\t'))) {
    const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
    if (slashes > 0 && line[at + slashes] !== '"') {
      text += '\\'.repeat(slashes);
      at += slashes;
    } else if (line[at + slashes] === '"') {
      text += '\\'.repeat(Math.floor(slashes / 2));
      at += slashes + 1;
      if (slashes % 2 === 1) {
        text += '"';
      } else if (isQuoted && line[at] === '"') {
        text += '"';
        at += 1;
      } else {
        isQuoted = !isQuoted;
      }
    } else {
      text += line.charAt(at);
      at += 1;
    }
  }
  return { text, end: at };
}
