import { blocksIn } from './blocks.ts';
import { placesWithOwn } from './places.ts';
import { linesOf, type ParsedReport, type Place, type ReportText } from './report.ts';
import { reportInWords, type FailedTest } from './reportInWords.ts';

/** Jest's default reporter. */
export function parseJestText({ text }: ReportText): ParsedReport | undefined {
  const lines = linesOf(text);
  const words = lines.find((line) => /^Tests:\s/.test(line) && line.trimEnd().endsWith(' total'));
  if (words === undefined || !lines.some((line) => line.startsWith('Test Suites:'))) {
    return undefined;
  }
  return reportInWords('jest', words, failedIn(lines), placesOf);
}

function failedIn(lines: readonly string[]): readonly FailedTest[] {
  let file = '';
  const headingOf = (line: string): { readonly file: string; readonly title: string } | undefined => {
    file = /^\s*FAIL\s+(?:\S+ )?(\S+?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file;
    const title = /^ {2}● (.+)$/.exec(line)?.[1];
    return title === undefined || title === 'Console' ? undefined : { file, title };
  };
  const found = new Map<string, FailedTest>(); // long runs repeat all failures at the end
  for (const { heading, below } of blocksIn(lines, headingOf, (line) => !/^(?:\S| {2}● )/.test(line))) {
    const title = heading.title === 'Test suite failed to run' ? undefined : heading.title.replaceAll(' › ', ' > ');
    const key = `${heading.file}\n${title ?? heading.file}`;
    if (!found.has(key)) {
      found.set(key, { file: heading.file, title, below });
    }
  }
  return [...found.values()];
}

/** Frames are relative to jest's root, the header to where jest was started. */
function placesOf(message: string, file: string): readonly Place[] {
  return placesWithOwn(message, file).map((place) => (file.endsWith(`/${place.file}`) ? { ...place, file } : place));
}
