import { placesIn, placesWithOwn } from './places.ts';
import {
  blocksIn,
  dedent,
  failure,
  isIndentedOrEmpty,
  isTestFile,
  linesOf,
  nameInside,
  type ParsedFailure,
  type ParsedReport,
  reportLimits,
  type ReportText,
} from './report.ts';

const summary = /^\s{2}(\d+) (passing|failing|pending)(?: \(.*\))?\s*$/;

/** Parses the output of Mocha's spec, dot and list reporters, which share the summary at the end. */
export function parseMochaSpec({ text }: ReportText): ParsedReport | undefined {
  const lines = linesOf(text);
  const start = lines.findLastIndex((line) => /^\s{2}\d+ passing \(/.test(line));
  if (start < 0) {
    return undefined;
  }
  const counts = new Map<string, number>();
  let index = start;
  for (; summary.test(lines[index] ?? ''); index += 1) {
    const [, count, name = ''] = summary.exec(lines[index] ?? '') ?? [];
    counts.set(name, Number(count));
  }
  if (index >= lines.length - 1) {
    return undefined; // it is still being written
  }
  const value = (name: string): number => counts.get(name) ?? 0;
  return {
    format: 'mocha',
    counts: { passed: value('passing'), failed: value('failing'), skipped: value('pending') },
    failures: mochaFailuresIn(lines.slice(index)),
  };
}

function mochaFailuresIn(lines: readonly string[]): ParsedFailure[] {
  const isHeading = (line: string): boolean => /^ {2}\d+\) \S/.test(line);
  return blocksIn(
    lines,
    (line) => (isHeading(line) ? { line } : undefined),
    (line) => !isHeading(line),
  )
    .slice(0, reportLimits.failures)
    .map(({ heading, below }) => mochaFailureIn([heading.line, ...below]));
}

/** Reads one failure. Its titles stand one per line, ever deeper, until one ends with a colon. */
function mochaFailureIn(lines: readonly string[]): ParsedFailure {
  const last = lines.findIndex((line) => /:\s*$/.test(line));
  const titles = lines.slice(0, last + 1).map((line) => line.trim().replace(/^\d+\) /, ''));
  const message = dedent(lines.slice(last + 1));
  return failure(titles.join(' > ').replace(/:$/, ''), message, placesIn(message));
}

/** Parses what `node --test` shows people: ticks, a summary behind ℹ, and the failing tests once more at the end. */
export function parseNodeSpec({ text }: ReportText): ParsedReport | undefined {
  const counts = new Map(
    [...text.matchAll(/^ℹ (pass|fail|cancelled|skipped|todo) (\d+)\s*$/gm)].map(([, name, count]) => [name, Number(count)]),
  );
  // The last line of the summary: before it, there may be more to come.
  if (!counts.has('pass') || !/^ℹ duration_ms \S+$/m.test(text)) {
    return undefined;
  }
  const value = (name: string): number => counts.get(name) ?? 0;
  const start = text.lastIndexOf('\n✖ failing tests:');
  const passedFiles = [...text.matchAll(/^✔ (.*) \([\d.]+m?s\)$/gm)].filter(([, name = '']) => isTestFile(name)).length;
  return {
    format: 'nodeSpec',
    counts: { passed: value('pass'), failed: value('fail') + value('cancelled'), skipped: value('skipped') + value('todo') },
    failures: start < 0 ? [] : nodeFailuresIn(linesOf(text.slice(start + 1)).slice(1), namesIn(linesOf(text.slice(0, start)))),
    ...(passedFiles > 0 && { passedFiles }),
  };
}

/** Matches a line of the tree: a suite that begins, or a test or suite that ended. */
const treeLine = /^( *)([▶✔✖]) (.*)$/;
const duration = / \([\d.]+m?s\)(?: # .*)?$/;

/** The whole names of what failed, by the last part, in the order of the tree: the list at the end has only that part. */
function namesIn(lines: readonly string[]): ReadonlyMap<string, string[]> {
  const suites: { readonly indent: number; readonly name: string }[] = [];
  const names = new Map<string, string[]>();
  for (const line of lines) {
    const [, space = '', sign, rest = ''] = treeLine.exec(line) ?? [];
    const title = rest.replace(duration, '');
    if (sign === undefined || (sign !== '▶' && title === rest)) {
      continue; // something that a test printed
    }
    while ((suites.at(-1)?.indent ?? -1) >= space.length) {
      suites.pop();
    }
    if (sign === '▶' && title === rest && suites.length < reportLimits.nesting) {
      suites.push({ indent: space.length, name: nameInside(suites.at(-1)?.name, title) });
    } else if (sign === '✖') {
      const known = names.get(title) ?? [];
      names.set(title, known);
      if (known.length < reportLimits.failures) {
        known.push(nameInside(suites.at(-1)?.name, title));
      }
    }
  }
  return names;
}

function nodeFailuresIn(lines: readonly string[], names: ReadonlyMap<string, string[]>): ParsedFailure[] {
  const headingOf = (line: string, previous: string): { readonly title: string; readonly place: string } | undefined => {
    const title = /^✖ (.*?)(?: \([\d.]+m?s\))?$/.exec(line)?.[1];
    return title === undefined ? undefined : { title, place: previous };
  };
  return blocksIn(lines, headingOf, isIndentedOrEmpty)
    .slice(0, reportLimits.failures)
    .map(({ heading, below }) => {
      const message = dedent(below);
      const [, file, line] = /^test at (.*):(\d+):\d+$/.exec(heading.place) ?? [];
      return failure(names.get(heading.title)?.shift() ?? heading.title, message, placesWithOwn(message, file, line));
    });
}
