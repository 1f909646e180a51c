import { placesIn } from '../places.ts';
import { failure, linesOf, reportLimits, type ParsedFailure, type ParsedReport, type ReportText } from '../report.ts';

const result = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm;

/** `cargo test`: one result for every crate and for the documentation. */
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
  const failures: ParsedFailure[] = [];
  for (let index = 0; index < lines.length && failures.length < reportLimits.failures; index += 1) {
    const name = /^---- (.+) stdout ----$/.exec(lines[index] ?? '')?.[1];
    if (name === undefined) {
      continue;
    }
    const below: string[] = [];
    while (index + 1 < lines.length && !/^(?:---- .+ stdout ----|failures:)$/.test(lines[index + 1] ?? '')) {
      index += 1;
      below.push(lines[index] ?? '');
    }
    const end = below.findIndex((line) => /^(?:stack backtrace:|note: )/.test(line));
    const message = (end < 0 ? below : below.slice(0, end)).join('\n');
    failures.push(failure(name, message, placesIn(message)));
  }
  return failures;
}
