export type CommandLine =
  | { readonly kind: 'ok'; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: 'empty' }
  | { readonly kind: 'openQuote' }
  /** Something only a shell understands; no shell is used. */
  | { readonly kind: 'shellSyntax'; readonly sign: string };

const shellSigns: readonly string[] = ['&&', '||', '|', ';', '>', '<', '>>', '&'];

/** A backslash escapes a quote, a space or itself; before anything else it is one, so that Windows paths can be pasted. */
const piece = String.raw`"(?:\\["\\]|[^"])*"|'[^']*'|\\["'\\ ]|[^\s"']`;

/** Splits what people type or paste into a program and its arguments: quotes and backslashes as in a shell, and no more. */
export function parseCommandLine(text: string): CommandLine {
  const words = new RegExp(`(?:${piece})+`, 'g');
  if (/["']/.test(text.replace(words, ''))) {
    return { kind: 'openQuote' };
  }
  const raw = text.match(words) ?? [];
  const sign = raw.find((word) => shellSigns.includes(word));
  const [command, ...args] = raw.map(unquote);
  if (command === undefined || command === '') {
    return { kind: 'empty' };
  }
  return sign === undefined ? { kind: 'ok', command, args } : { kind: 'shellSyntax', sign };
}

function unquote(word: string): string {
  return word.replace(new RegExp(piece, 'g'), (part) => {
    if (part.startsWith('"')) {
      return part.slice(1, -1).replace(/\\(["\\])/g, '$1');
    }
    return part.startsWith("'") ? part.slice(1, -1) : part.replace(/^\\(?=["'\\ ])/, '');
  });
}
