import { placesIn } from '../places.ts';
import { dedent, failure, linesOf, reportLimits, type ParsedFailure, type ParsedReport, type ReportText } from '../report.ts';
import { packagePlaces } from './goTest.ts';

const verdict = /^(\s*)--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;
const packageLine = /^(?:ok|FAIL|---|\?)\s+(\S+)\s+(?:[\d.]+s|\(cached\)|\[.*\])/;

/** `go test` as people read it. Only with -v does it say what passed, so only then is anything counted. */
export function parseGoText({ text, isCut }: ReportText): ParsedReport | undefined {
  const lines = linesOf(text);
  const isVerbose = lines.some((line) => line.startsWith('=== RUN '));
  if (!lines.some((line) => packageLine.test(line)) || !(isVerbose || lines.some((line) => verdict.test(line)))) {
    return undefined;
  }
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: ParsedFailure[] = [];
  const found = lines.flatMap((line, index) => (verdict.test(line) ? [{ index, name: verdict.exec(line)?.[3] ?? '' }] : []));
  const parents = new Set(found.flatMap(({ name }) => (name.includes('/') ? [name.slice(0, name.lastIndexOf('/'))] : [])));
  for (const { index, name } of found) {
    const [, , word] = verdict.exec(lines[index] ?? '') ?? [];
    if (parents.has(name)) {
      continue;
    }
    counts[word === 'PASS' ? 'passed' : word === 'SKIP' ? 'skipped' : 'failed'] += 1;
    if (word === 'FAIL' && failures.length < reportLimits.failures) {
      const owner =
        lines
          .slice(index)
          .map((line) => packageLine.exec(line)?.[1])
          .find((entry) => entry !== undefined) ?? '';
      const message = messageAround(lines, index, name);
      failures.push(failure(owner === '' ? name : `${owner} > ${name}`, message, packagePlaces(placesIn(message), owner)));
    }
  }
  return { format: 'go', counts: isVerbose && !isCut ? counts : undefined, failures };
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
