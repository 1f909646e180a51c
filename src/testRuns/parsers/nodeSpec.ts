import { placesIn, toPlace } from '../places.ts';
import { dedent, failure, linesOf, reportLimits, type ParsedFailure, type ParsedReport, type ReportText } from '../report.ts';

/** What `node --test` shows people: ticks, a summary behind ℹ, and the failing tests once more at the end. */
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
  return {
    format: 'nodeSpec',
    counts: { passed: value('pass'), failed: value('fail') + value('cancelled'), skipped: value('skipped') + value('todo') },
    failures: start < 0 ? [] : failuresIn(linesOf(text.slice(start + 1)).slice(1)),
  };
}

function failuresIn(lines: readonly string[]): ParsedFailure[] {
  const failures: ParsedFailure[] = [];
  for (let index = 0; index < lines.length && failures.length < reportLimits.failures; index += 1) {
    const title = /^✖ (.*?)(?: \([\d.]+m?s\))?$/.exec(lines[index] ?? '')?.[1];
    if (title === undefined) {
      continue;
    }
    const place = /^test at (.*):(\d+):\d+$/.exec(lines[index - 1] ?? '');
    const own = place?.[1] === undefined ? undefined : toPlace(place[1], place[2]);
    const below: string[] = [];
    while (/^(?:\s|$)/.test(lines[index + 1] ?? 'end')) {
      index += 1;
      below.push(lines[index] ?? '');
    }
    const message = dedent(below);
    failures.push(failure(title, message, [...placesIn(message), ...(own === undefined ? [] : [own])]));
  }
  return failures;
}
