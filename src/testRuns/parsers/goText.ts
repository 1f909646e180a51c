import { dedent, linesOf, reportLimits, type ParsedFailure, type ParsedReport, type ReportText } from './report.ts';
import { goFailure, testsAround } from './goFailure.ts';

const verdict = /^\s*--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;
const packageLine = /^(?:ok|FAIL|---|\?)\s+(\S+)\s+(?:[\d.]+s|\(cached\)|\[.*\])/;

/** `go test` as people read it. Only with -v does it say what passed, so only then is anything counted. */
export function parseGoText({ text, isCut }: ReportText): ParsedReport | undefined {
  const lines = linesOf(text);
  const isVerbose = lines.some((line) => line.startsWith('=== RUN '));
  const verdicts = verdictsIn(lines);
  if (!lines.some((line) => packageLine.test(line)) || !(isVerbose || verdicts.length > 0)) {
    return undefined;
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: ParsedFailure[] = [];
  const parents = new Set(verdicts.flatMap(({ name }) => testsAround(name)));
  const owners = ownersOf(lines);
  for (const { index, word, name } of verdicts.filter((each) => !parents.has(each.name))) {
    counts[word === 'PASS' ? 'passed' : word === 'SKIP' ? 'skipped' : 'failed'] += 1;
    if (word === 'FAIL' && failures.length < reportLimits.failures) {
      failures.push(goFailure(owners[index] ?? '', name, messageAround(lines, index, name)));
    }
  }
  return { format: 'go', counts: isVerbose && !isCut ? counts : undefined, failures };
}

function verdictsIn(lines: readonly string[]): { readonly index: number; readonly word: string; readonly name: string }[] {
  return lines.flatMap((line, index) => {
    const [, word, name = ''] = verdict.exec(line) ?? [];
    return word === undefined ? [] : [{ index, word, name }];
  });
}

/** For every line the package it belongs to: that is named below the package's tests. */
function ownersOf(lines: readonly string[]): string[] {
  const owners: string[] = [];
  let owner = '';
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    owner = packageLine.exec(lines[index] ?? '')?.[1] ?? owner;
    owners[index] = owner;
  }
  return owners;
}

/** Below the verdict; with -v above it, since the test was announced. */
function messageAround(lines: readonly string[], index: number, name: string): string {
  const below: string[] = [];
  for (let next = index + 1; /^\s+\S/.test(lines[next] ?? '') && !verdict.test(lines[next] ?? ''); next += 1) {
    below.push(lines[next] ?? '');
  }
  if (below.length > 0) {
    return dedent(below);
  }
  const start = lines.lastIndexOf(`=== RUN   ${name}`, index);
  const length = lines.slice(start + 1, index).findIndex((line) => !/^\s/.test(line));
  return start < 0 ? '' : dedent(lines.slice(start + 1, length < 0 ? index : start + 1 + length));
}
