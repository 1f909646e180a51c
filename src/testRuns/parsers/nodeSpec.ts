import { blocksIn, isIndentedOrEmpty } from './blocks.ts';
import { placesWithOwn } from './places.ts';
import { dedent, failure, linesOf, reportLimits, type ParsedFailure, type ParsedReport, type ReportText } from './report.ts';

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
  const headingOf = (line: string, previous: string): { readonly title: string; readonly place: string } | undefined => {
    const title = /^✖ (.*?)(?: \([\d.]+m?s\))?$/.exec(line)?.[1];
    return title === undefined ? undefined : { title, place: previous };
  };
  return blocksIn(lines, headingOf, isIndentedOrEmpty)
    .slice(0, reportLimits.failures)
    .map(({ heading, below }) => {
      const message = dedent(below);
      const [, file, line] = /^test at (.*):(\d+):\d+$/.exec(heading.place) ?? [];
      return failure(heading.title, message, placesWithOwn(message, file, line));
    });
}
