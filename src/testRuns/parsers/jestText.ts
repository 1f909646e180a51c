import { placesIn, toPlace } from '../places.ts';
import { dedent, failure, linesOf, reportLimits, type ParsedFailure, type ParsedReport, type Place, type ReportText } from '../report.ts';

/** Jest's default reporter. */
export function parseJestText({ text }: ReportText): ParsedReport | undefined {
  const tests = /^Tests:\s+(.*)\btotal\s*$/m.exec(text)?.[1];
  if (tests === undefined || !/^Test Suites:\s/m.test(text)) {
    return undefined;
  }
  const value = (name: string): number => Number(new RegExp(`(\\d+) ${name}`).exec(tests)?.[1] ?? 0);
  const failures = failuresIn(linesOf(text));
  const brokenFiles = failures.filter(({ isBrokenFile }) => isBrokenFile).length;
  return {
    format: 'jest',
    counts: { passed: value('passed'), failed: value('failed') + brokenFiles, skipped: value('skipped') + value('todo') },
    failures: failures.slice(0, reportLimits.failures).map((entry) => entry.failure),
  };
}

interface Found {
  readonly failure: ParsedFailure;
  readonly isBrokenFile: boolean;
}

function failuresIn(lines: readonly string[]): Found[] {
  const found = new Map<string, Found>(); // long runs repeat all failures at the end
  let file = '';
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    file = /^\s*FAIL\s+(?:\S+ )?(\S+?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file;
    const title = /^ {2}● (.+)$/.exec(line)?.[1];
    if (title === undefined || title === 'Console') {
      continue;
    }
    const below: string[] = [];
    while (index + 1 < lines.length && !/^(?:\S| {2}● )/.test(lines[index + 1] ?? '')) {
      index += 1;
      below.push(lines[index] ?? '');
    }
    const isBrokenFile = title === 'Test suite failed to run';
    const message = dedent(below);
    const name = isBrokenFile ? file : title.replaceAll(' › ', ' > ');
    const key = `${file}\n${name}`;
    if (!found.has(key)) {
      found.set(key, { failure: failure(name, message, placesFor(message, file)), isBrokenFile });
    }
  }
  return [...found.values()];
}

/** Frames are relative to jest's root, the header to where jest was started. */
function placesFor(message: string, file: string): Place[] {
  const own = toPlace(file, undefined);
  const frames = placesIn(message).map((place) => (file.endsWith(`/${place.file}`) ? { ...place, file } : place));
  return [...frames, ...(own === undefined ? [] : [own])];
}
