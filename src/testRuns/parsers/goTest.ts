import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { dedent, linesOf, reportLimits, type ParsedFailure, type ParsedReport, type ReportText } from './report.ts';
import { goFailure, testsAround } from './goFailure.ts';

const testLimit = 200_000;
const outputLimit = 20_000;

interface GoTest {
  readonly package: string;
  /** Empty for the package itself. */
  readonly name: string;
  outcome: 'running' | 'pass' | 'fail' | 'skip';
  output: string;
}

/** `go test -json`: one event per line. Lines that are not events are passed over. */
export function parseGoJson({ text, isCut }: ReportText): ParsedReport | undefined {
  if (!/^\{"[^\n]*"Action":"/m.test(text.slice(0, 200_000))) {
    return undefined;
  }
  const tests = new Map<string, GoTest>();
  for (const line of text.split('\n')) {
    if (line.startsWith('{')) {
      take(parseLine(line), tests);
    }
  }
  const isEnded = [...tests.values()].every(({ name, outcome }) => name !== '' || outcome !== 'running');
  return { format: 'goJson', ...summarise(tests, isEnded && !isCut) };
}

function parseLine(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function take(event: JsonObject | undefined, tests: Map<string, GoTest>): void {
  const { Action: action, Package: inPackage, ImportPath: importPath, Test: name, Output: output } = event ?? {};
  const owner = typeof inPackage === 'string' ? inPackage : typeof importPath === 'string' ? importPath.split(' ')[0] : undefined;
  if (owner === undefined || typeof action !== 'string') {
    return;
  }
  const testName = typeof name === 'string' ? name : '';
  const key = `${owner}\n${testName}`;
  const test = tests.get(key) ?? { package: owner, name: testName, outcome: 'running', output: '' };
  if (tests.size < testLimit) {
    tests.set(key, test);
  }
  if (action === 'pass' || action === 'fail' || action === 'skip') {
    test.outcome = action;
  } else if (action === 'build-fail') {
    test.outcome = 'fail';
  } else if ((action === 'output' || action === 'build-output') && typeof output === 'string' && test.output.length < outputLimit) {
    test.output += output;
  }
}

function summarise(tests: ReadonlyMap<string, GoTest>, isWhole: boolean): Pick<ParsedReport, 'counts' | 'failures'> {
  const all = [...tests.values()];
  const parents = new Set(all.flatMap(({ package: owner, name }) => testsAround(name).map((parent) => `${owner}\n${parent}`)));
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: ParsedFailure[] = [];
  const failedPackages = new Set<string>();
  for (const test of all.filter((entry) => entry.name !== '' && !parents.has(`${entry.package}\n${entry.name}`))) {
    counts[test.outcome === 'pass' ? 'passed' : test.outcome === 'skip' ? 'skipped' : 'failed'] += 1;
    if (test.outcome === 'fail' || test.outcome === 'running') {
      failedPackages.add(test.package);
      failures.push(failureOf(test));
    }
  }
  // A package that fails without a failing test did not build, or its set-up panicked.
  for (const test of all.filter((entry) => entry.name === '' && entry.outcome === 'fail' && !failedPackages.has(entry.package))) {
    counts.failed += 1;
    failures.push(failureOf(test));
  }
  return { counts: isWhole ? counts : undefined, failures: failures.slice(0, reportLimits.failures) };
}

function failureOf({ package: owner, name, output }: GoTest): ParsedFailure {
  const lines = linesOf(output).filter(
    (line) => !/^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:FAIL|PASS|SKIP)|FAIL\b|exit status)/.test(line),
  );
  return goFailure(owner, name, dedent(lines), output);
}
