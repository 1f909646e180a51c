import { errorOutputMark, strayMark } from './shared/logMarks.ts';

/** What the log of a server shows about why it does not run. Claims of the server, word for word in `line`. */
export type LogFinding =
  | { readonly kind: 'missingVariable'; readonly name: string; readonly line: string }
  | { readonly kind: 'missingModule'; readonly name: string; readonly line: string }
  | { readonly kind: 'addressInUse'; readonly line: string }
  /** Text where only messages of the protocol belong. */
  | { readonly kind: 'strayOutput'; readonly count: number; readonly line: string }
  | { readonly kind: 'errorLine'; readonly line: string };

const maxLineLength = 500;
/** One or two are a greeting, and no reason to fail. */
const minStrayLines = 3;

/** Each names what is missing in its first group. Lines are short and few: see `maxLineLength`. */
const variablePatterns: readonly RegExp[] = [
  /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{3,}[A-Z0-9]*)["'`]? (?:environment variable )?(?:is|was|are|must be|needs to be|has to be) (?:not |un)?(?:set|defined|provided|required|missing|given|empty)/,
  /\b(?:missing|required|undefined|unset|no|set|provide|define)\b.{0,40}\b(?:environment variable|env var|env variable)s?\b[^A-Za-z0-9]{0,5}([A-Z][A-Z0-9_]{2,})/i,
  /\b(?:missing|required)\b[^A-Za-z0-9]{0,5}([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/i,
  /^KeyError: '([A-Z][A-Z0-9_]{2,})'/,
];

const modulePatterns: readonly RegExp[] = [
  /Cannot find (?:module|package) '([^']{1,200})'/,
  /No module named '?([\w.]{1,200})'?/,
  /error: cannot find module providing package (\S{1,200})/i,
];

const looksLikeError = /error|exception|fatal|fail|cannot|could not|unable|denied|refused|invalid|not found|no such|missing/i;
/** Where in a program it happened is of use to its maker alone. */
const stackLine = /^\s*(?:at |File ".*", line \d+|\.{3}|Node\.js v|\^+\s*$)/;

/** Of the lines since the last start; `undefined` when they show nothing. */
export function diagnoseLog(lines: readonly string[]): LogFinding | undefined {
  const said = lines.filter((line) => line.startsWith(errorOutputMark)).map((line) => line.slice(errorOutputMark.length, maxLineLength));
  const stray = lines.filter((line) => line.startsWith(strayMark)).map((line) => line.slice(strayMark.length, maxLineLength));
  // A program may well complain on the wrong pipe.
  const all = [...said, ...stray];
  return (
    named(all, variablePatterns, 'missingVariable') ??
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
