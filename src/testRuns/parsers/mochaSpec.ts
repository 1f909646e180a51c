import { blocksIn } from './blocks.ts';
import { placesIn } from './places.ts';
import { dedent, failure, linesOf, reportLimits, type ParsedFailure, type ParsedReport, type ReportText } from './report.ts';

const summary = /^\s{2}(\d+) (passing|failing|pending)(?: \(.*\))?\s*$/;

/** Mocha's spec, dot and list reporters: they share the epilogue. */
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
    failures: failuresIn(lines.slice(index)),
  };
}

function failuresIn(lines: readonly string[]): ParsedFailure[] {
  const isHeading = (line: string): boolean => /^ {2}\d+\) \S/.test(line);
  return blocksIn(
    lines,
    (line) => (isHeading(line) ? { line } : undefined),
    (line) => !isHeading(line),
  )
    .slice(0, reportLimits.failures)
    .map(({ heading, below }) => failureIn([heading.line, ...below]));
}

/** The titles go on, one per line and ever deeper, until one ends with a colon. */
function failureIn(lines: readonly string[]): ParsedFailure {
  const last = lines.findIndex((line) => /:\s*$/.test(line));
  const titles = lines.slice(0, last + 1).map((line) => line.trim().replace(/^\d+\) /, ''));
  const message = dedent(lines.slice(last + 1));
  return failure(titles.join(' > ').replace(/:$/, ''), message, placesIn(message));
}
