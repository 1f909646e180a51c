import { placesIn, toPlace } from '../places.ts';
import { dedent, failure, linesOf, reportLimits, type ParsedFailure, type ParsedReport, type ReportText } from '../report.ts';

/** Vitest's default reporter. */
export function parseVitestText({ text }: ReportText): ParsedReport | undefined {
  const files = /^\s+Test Files\s+(.*)$/m.exec(text)?.[1];
  // The duration is the last line: before it, there may be more to come.
  if (files === undefined || !/^\s+Duration\s/m.test(text)) {
    return undefined;
  }
  const tests = /^\s+Tests\s+(.*)$/m.exec(text)?.[1] ?? '';
  const value = (name: string): number => Number(new RegExp(`(\\d+) ${name}`).exec(tests)?.[1] ?? 0);
  const failures = failuresIn(linesOf(text));
  const brokenFiles = failures.filter(({ isBrokenFile }) => isBrokenFile).length;
  return {
    format: 'vitest',
    counts: { passed: value('passed'), failed: value('failed') + brokenFiles, skipped: value('skipped') + value('todo') },
    failures: failures.slice(0, reportLimits.failures).map((entry) => entry.failure),
  };
}

interface Found {
  readonly failure: ParsedFailure;
  readonly isBrokenFile: boolean;
}

function failuresIn(lines: readonly string[]): Found[] {
  const found: Found[] = [];
  for (let index = 0; index < lines.length && found.length < reportLimits.failures; index += 1) {
    const [, file = '', rest = ''] = /^ FAIL {2}(?:\|[^|]+\| )?(\S+)(?: > (.*)| \[ .* \])?$/.exec(lines[index] ?? '') ?? [];
    if (file === '') {
      continue;
    }
    const below: string[] = [];
    while (index + 1 < lines.length && !/^(?:⎯{3}| FAIL {2})/.test(lines[index + 1] ?? '')) {
      index += 1;
      below.push(lines[index] ?? '');
    }
    const message = dedent(below);
    const own = toPlace(file, undefined);
    const places = [...placesIn(message), ...(own === undefined ? [] : [own])];
    found.push({ failure: failure(rest === '' ? file : rest, message, places), isBrokenFile: rest === '' });
  }
  return found;
}
