import { placesWithOwn, toPlace } from './places.ts';
import {
  countsIn,
  dedent,
  failure,
  joinReports,
  linesOf,
  type ParsedFailure,
  type ParsedReport,
  reportLimits,
  type ReportText,
} from './report.ts';

const summary = /^=* ?((?:\d+ [a-z]+(?: [a-z]+)?(?:, )?)+|no tests ran) in [\d.]+s/;

/** Parses what pytest shows people, also with -q and with short tracebacks. */
export function parsePytest({ text, isCut }: ReportText): ParsedReport | undefined {
  if (!/^(?:=+ test session starts|=+ (?:FAILURES|ERRORS|short test summary)|[.FEsxX]+\s+\[ *\d+%\]|no tests ran)|::/m.test(text)) {
    return undefined;
  }
  return joinReports(readLines(linesOf(text)).runs, isCut);
}

/** What pytest wrote itself, and what stands around it, without the output of tests that it shows with their failures. */
export function withoutPrinted(text: string): string {
  return readLines(linesOf(text)).outside.flat().join('\n');
}

const header = /^=+ test session starts =+$/;
const heading = /^(?:_{2,} \S.* _{2,}|=+ .* =+)$/;

/** A line that is a summary, though perhaps one of a run that a test started, or just a line that a test printed. */
interface Spare {
  readonly words: string;
  readonly index: number;
  /** Whether it is framed, and nothing began that it could belong to but the run itself. */
  readonly isFramed: boolean;
}

interface ReadLines {
  readonly runs: readonly ParsedReport[];
  /** The lines that no failed test printed, in pieces. */
  readonly outside: readonly (readonly string[])[];
}

/**
 * The runs in an output, each up to its summary. What a failed test printed may be the output of a pytest that it started: a summary
 * in there counts only where no other one follows.
 */
function readLines(lines: readonly string[]): ReadLines {
  const runs: ParsedReport[] = [];
  const outside: (readonly string[])[] = [];
  let start = 0;
  let outsideFrom = 0;
  let inside: 'run' | 'printed' | 'printedRun' = 'run';
  // A run that shows a header frames its summary, too.
  let hasHeader = false;
  let spare: Spare | undefined;
  const take = (words: string, index: number): void => {
    runs.push(runOf(words, lines.slice(start, index)));
    start = index + 1;
    outsideFrom = inside === 'run' ? outsideFrom : Math.max(outsideFrom, index);
    inside = 'run';
    hasHeader = false;
    spare = undefined;
  };
  for (const [index, line] of lines.entries()) {
    const words = summary.exec(line)?.[1];
    if (words !== undefined && inside === 'run' && (!hasHeader || line.startsWith('='))) {
      take(words, index);
    } else if (words !== undefined) {
      spare = { words, index, isFramed: inside === 'printed' && line.startsWith('=') };
      inside = inside === 'printedRun' ? 'printed' : inside;
    } else if (inside === 'run' && /^-+ Captured \S+ \S+ -+$/.test(line)) {
      outside.push(lines.slice(outsideFrom, index));
      outsideFrom = index;
      inside = 'printed';
    } else if (inside !== 'printedRun' && heading.test(line)) {
      if (spare?.isFramed === true && header.test(line)) {
        take(spare.words, spare.index);
      }
      spare = undefined;
      outsideFrom = inside === 'printed' ? index : outsideFrom;
      hasHeader ||= inside === 'run' && header.test(line);
      inside = inside === 'printed' && header.test(line) ? 'printedRun' : 'run';
    }
  }
  if (spare !== undefined) {
    take(spare.words, spare.index);
  }
  return { runs, outside: [...outside, ...(inside === 'run' ? [lines.slice(outsideFrom)] : [])] };
}

function runOf(words: string, lines: readonly string[]): ParsedReport {
  const count = countsIn(words);
  return {
    format: 'pytest',
    counts: {
      passed: count('passed') + count('xpassed'),
      failed: count('failed') + count('error') + count('errors'),
      skipped: count('skipped') + count('xfailed'),
    },
    failures: failuresIn(lines),
  };
}

function failuresIn(lines: readonly string[]): ParsedFailure[] {
  const listed = lines.flatMap(listedIn);
  const ids = listed.map(({ id }) => id);
  const shown = sectionsIn(lines).map(({ title, body }) => {
    const name = title.replace(/^ERROR (?:at (?:setup|teardown) of|collecting) /, '');
    const id = ids.find((entry) => entry === name || entry.split('::').slice(1).join('.') === name) ?? name;
    return { id, failure: failureOf(id, body) };
  });
  // Without tracebacks (--tb=no) the summary is all there is.
  const unseen = ids.flatMap((id, index) => {
    const file = toPlace(id.split('::')[0] ?? '', undefined);
    const isSeen = shown.some((entry) => entry.id === id);
    return isSeen ? [] : [failure(id, listed[index]?.said ?? '', file === undefined ? [] : [file])];
  });
  return [...shown.map((entry) => entry.failure), ...unseen].slice(0, reportLimits.failures);
}

/** The failure in a line of the summary. What sets a subtest apart stands before the name of its test, which its section begins with. */
function listedIn(line: string): readonly ListedFailure[] {
  const [, whole] = /^(?:FAILED|ERROR) (\S.*)$/.exec(line) ?? [];
  if (whole !== undefined) {
    return [splitListed(whole)];
  }
  const [, subtest = '', test] = /^SUBFAILED(.*?[\])]) (\S+::.*)$/.exec(line) ?? [];
  const { id, said } = splitListed(test ?? '');
  return test === undefined ? [] : [{ id: `${id} ${subtest}`, said }];
}

interface ListedFailure {
  readonly id: string;
  readonly said: string;
}

/** Splits a line of the summary. The values of a parameter, in brackets, may have the sign in them that stands before the message. */
function splitListed(line: string): ListedFailure {
  const sign = line.indexOf(' - ');
  const isInside = sign >= 0 && line.slice(0, sign).includes('[') && !line.slice(0, sign).endsWith(']');
  const at = isInside ? line.indexOf('] - ', sign) + 1 : sign;
  return isInside && at === 0
    ? { id: line, said: '' }
    : sign < 0
      ? { id: line, said: '' }
      : { id: line.slice(0, at), said: line.slice(at + 3) };
}

function sectionsIn(lines: readonly string[]): { readonly title: string; readonly body: readonly string[] }[] {
  const sections: { readonly title: string; readonly body: string[] }[] = [];
  let isInside = false;
  for (const line of lines) {
    if (/^=+ .* =+$/.test(line)) {
      isInside = /^=+ (?:FAILURES|ERRORS) =+$/.test(line);
      continue;
    }
    const title = isInside ? /^_{2,} (\S.*?) _{2,}$/.exec(line)?.[1] : undefined;
    if (title !== undefined && !title.startsWith('_')) {
      sections.push({ title, body: [] });
    } else if (isInside) {
      sections.at(-1)?.body.push(line);
    }
  }
  return sections;
}

/** Reads one failure: lines behind an E say what went wrong, the rest shows code. */
function failureOf(id: string, body: readonly string[]): ParsedFailure {
  const said = body.filter((line) => /^E(?:\s|$)/.test(line)).map((line) => line.slice(1));
  return failure(id, dedent(said.length > 0 ? said : body), placesWithOwn(body.join('\n'), id.split('::')[0]));
}
