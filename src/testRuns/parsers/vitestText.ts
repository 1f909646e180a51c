import { blocksIn } from './blocks.ts';
import { linesOf, type ParsedReport, type ReportText } from './report.ts';
import { reportInWords, type FailedTest } from './reportInWords.ts';

/** Vitest's default reporter. */
export function parseVitestText({ text }: ReportText): ParsedReport | undefined {
  const lines = linesOf(text);
  const lineOf = (label: string): string | undefined => lines.find((line) => /^\s/.test(line) && line.trimStart().startsWith(`${label} `));
  // The duration is the last line: before it, there may be more to come.
  if (lineOf('Test Files') === undefined || lineOf('Duration') === undefined) {
    return undefined;
  }
  return reportInWords('vitest', lineOf('Tests') ?? '', failedIn(lines));
}

function failedIn(lines: readonly string[]): readonly FailedTest[] {
  const headingOf = (line: string): { readonly file: string; readonly title: string | undefined } | undefined => {
    const [, file, title] = /^ FAIL {2}(?:\|[^|]+\| )?(\S+)(?: > (.*)| \[ .* \])?$/.exec(line) ?? [];
    return file === undefined ? undefined : { file, title: title === '' ? undefined : title };
  };
  return blocksIn(lines, headingOf, (line) => !/^(?:⎯{3}| FAIL {2})/.test(line)).map(({ heading, below }) => ({ ...heading, below }));
}
