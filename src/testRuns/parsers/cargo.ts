import { blocksIn, failure, linesOf, type ParsedFailure, type ParsedReport, reportLimits, type ReportText } from './report.ts';
import { placesIn } from './places.ts';

const result = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm;

/** Parses the output of `cargo test`, which has one result for every crate and one for the documentation. */
export function parseCargo({ text, isCut }: ReportText): ParsedReport | undefined {
  const results = [...text.matchAll(result)];
  if (results.length === 0) {
    return undefined;
  }
  const sum = (group: number): number => results.reduce((total, match) => total + Number(match[group]), 0);
  return {
    format: 'cargo',
    counts: isCut ? undefined : { passed: sum(1), failed: sum(2), skipped: sum(3) },
    failures: failuresIn(linesOf(text)),
  };
}

function failuresIn(lines: readonly string[]): ParsedFailure[] {
  const headingOf = (line: string): { readonly name: string } | undefined => {
    const name = /^---- (.+) stdout ----$/.exec(line)?.[1];
    return name === undefined ? undefined : { name };
  };
  return blocksIn(lines, headingOf, (line) => line !== 'failures:' && headingOf(line) === undefined)
    .slice(0, reportLimits.failures)
    .map(({ heading, below }) => {
      const end = below.findIndex((line) => /^(?:stack backtrace:|note: )/.test(line));
      const message = (end < 0 ? below : below.slice(0, end)).join('\n');
      return failure(heading.name, message, placesIn(message));
    });
}
