import { errorOutputMark, startMark, strayMark } from '../shared/serverLink.ts';

/** What the log of a server shows about why it does not run. `line` repeats the server's own words, which are claims. */
export type LogFinding =
  | { readonly kind: 'missingVariable'; readonly name: string; readonly line: string }
  | { readonly kind: 'missingModule'; readonly name: string; readonly line: string }
  | { readonly kind: 'addressInUse'; readonly line: string }
  /** Text on standard output, where only messages of the protocol belong. */
  | { readonly kind: 'strayOutput'; readonly count: number; readonly line: string }
  | { readonly kind: 'errorLine'; readonly line: string };

/** The most characters of a log line, with its mark, that are looked at or shown. */
const maxLineLength = 500;

/** From this number on, lines on standard output that are no protocol messages count as a fault; one or two are usually a greeting. */
const minStrayLines = 3;

/** Matches words in any case, within an expression in which names must be in capitals. */
function anyCase(words: string): string {
  return words.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

const variableName = String.raw`([A-Z][A-Z0-9_]{2,})(?![A-Za-z0-9_])`;

const variable = anyCase('(?:environment variable|env var|env variable)s?');

/** Matches "X is not set", "X is required", "X must be set"; never "X is set" and "X is not required". */
const saidOfIt = [
  String.raw`(?:(?:is|was|are|were) (?:not |un)|isn['’]t |wasn['’]t |not |un)(?:set|defined|provided|given|found)`,
  String.raw`(?:is|was|are|were) (?:required|missing|empty)`,
  String.raw`(?:must|needs to|has to) be (?:set|defined|provided|given)`,
].join('|');

/** The first group of each is the name of what is missing. Lines are short and few: see `maxLineLength`. */
const variablePatterns: readonly RegExp[] = [
  new RegExp(String.raw`\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{3,}[A-Z0-9]*)["'${'`'}]? (?:${variable} )?(?:${saidOfIt})\b`),
  /^KeyError: '([A-Z][A-Z0-9_]{2,})'/,
];

/** Patterns that trust a word in front of a name, so they are used only where nothing says the opposite. */
const loosePatterns: readonly RegExp[] = [
  new RegExp(String.raw`\b${anyCase('(?:missing|required|undefined|unset|no)')}\b.{0,40}\b${variable}[^A-Za-z0-9]{1,5}${variableName}`),
  new RegExp(
    String.raw`\b${anyCase('(?:set|provide|define) (?:(?:the|an|a|your|this|these|following|required) ){0,3}')}${variable}[^A-Za-z0-9]{1,5}${variableName}`,
  ),
  new RegExp(String.raw`\b${anyCase('(?:missing|required)')}\b[^A-Za-z0-9]{1,5}(?=[A-Z0-9]{1,100}_)${variableName}`),
];

const saysTheOpposite =
  /\b(?:not|isn['’]t|aren['’]t|never|nothing|none|no longer)\b.{0,20}\b(?:required|missing|needed|necessary)\b|\boptional\b|\bno longer\b|\b(?:is|are|was|were) (?:all |now |already )?(?:set|present|defined|provided|found|ok)\b/i;

const modulePatterns: readonly RegExp[] = [
  /Cannot find (?:module|package) '([^']{1,200})'/,
  /No module named '?([\w.]{1,200})'?/,
  /error: cannot find module providing package (\S{1,200})/i,
];

const looksLikeError = /error|exception|fatal|fail|cannot|could not|unable|denied|refused|invalid|not found|no such|missing/i;

/** Lines of a stack trace help only the author of the program. */
const stackLine = /^\s*(?:at |File ".*", line \d+|\.{3}|Node\.js v|\^+\s*$)/;

/** The finding of the last start that has one; undefined when none has. */
export function diagnoseLog(lines: readonly string[]): LogFinding | undefined {
  const begin = lines.findLastIndex((line) => line.startsWith(startMark));
  return diagnoseStart(lines.slice(begin + 1)) ?? (begin < 0 ? undefined : diagnoseLog(lines.slice(0, begin)));
}

/** The most lines, and the longest, that a server's last words have. */
const maxWords = 5;

/** What a server last wrote to its error output, as people see it beside a call that failed because the server ended. */
export function lastErrorLines(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => line.startsWith(errorOutputMark))
    .map((line) => line.slice(errorOutputMark.length, maxLineLength).trimEnd())
    .filter((line) => line !== '')
    .slice(-maxWords);
}

function diagnoseStart(lines: readonly string[]): LogFinding | undefined {
  const said = lines.filter((line) => line.startsWith(errorOutputMark)).map((line) => line.slice(errorOutputMark.length, maxLineLength));
  const stray = lines.filter((line) => line.startsWith(strayMark)).map((line) => line.slice(strayMark.length, maxLineLength));
  // A program may write its complaint to the wrong pipe.
  const all = [...said, ...stray];
  return (
    named(all, variablePatterns, 'missingVariable') ??
    named(
      all.filter((line) => !saysTheOpposite.test(line)),
      loosePatterns,
      'missingVariable',
    ) ??
    named(all, modulePatterns, 'missingModule') ??
    inUse(all) ??
    strayOutput(stray) ??
    lastError(said)
  );
}

function named(lines: readonly string[], patterns: readonly RegExp[], kind: 'missingVariable' | 'missingModule'): LogFinding | undefined {
  for (const line of lines) {
    for (const pattern of patterns) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined) {
        return { kind, name, line };
      }
    }
  }
  return undefined;
}

function inUse(lines: readonly string[]): LogFinding | undefined {
  const line = lines.find((each) => /EADDRINUSE|address already in use/i.test(each));
  return line === undefined ? undefined : { kind: 'addressInUse', line };
}

function strayOutput(lines: readonly string[]): LogFinding | undefined {
  const [first] = lines;
  return first === undefined || lines.length < minStrayLines ? undefined : { kind: 'strayOutput', count: lines.length, line: first };
}

function lastError(lines: readonly string[]): LogFinding | undefined {
  const words = lines.filter((line) => line.trim() !== '' && !stackLine.test(line));
  const line = words.findLast((each) => looksLikeError.test(each)) ?? words.at(-1);
  return line === undefined ? undefined : { kind: 'errorLine', line };
}
