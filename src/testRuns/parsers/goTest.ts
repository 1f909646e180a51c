import { type JsonObject, parsedObject } from '../../base/json.ts';
import { plainTextOf } from '../../base/terminalText.ts';
import { placesIn } from './places.ts';
import { dedent, failure, linesOf, type ParsedFailure, type ParsedReport, type Place, reportLimits, type ReportText } from './report.ts';

/** The most tests that are taken from one output; further ones are left out. */
const maxTests = 200_000;
/** After so many characters of a test's output no more of it is kept. */
const maxOutputLength = 20_000;

interface GoTest {
  readonly package: string;
  /** The name of the test; empty for the package itself. */
  readonly name: string;
  outcome: 'running' | 'pass' | 'fail' | 'skip';
  output: string;
}

/** Parses the output of `go test -json`, one event per line. Lines that are not events are passed over. */
export function parseGoJson({ text, isCut }: ReportText): ParsedReport | undefined {
  if (!/^\{"[^\n]*"Action":"/m.test(text.slice(0, 200_000))) {
    return undefined;
  }
  const tests = new Map<string, GoTest>();
  for (const line of text.split('\n')) {
    if (line.startsWith('{')) {
      take(parsedObject(line), tests);
    }
  }
  const isEnded = [...tests.values()].every(({ name, outcome }) => name !== '' || outcome !== 'running');
  return { format: 'goJson', ...summarise(tests, isEnded && !isCut) };
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
  if (tests.size < maxTests) {
    tests.set(key, test);
  }
  if (action === 'pass' || action === 'fail' || action === 'skip') {
    test.outcome = action;
  } else if (action === 'build-fail') {
    test.outcome = 'fail';
  } else if ((action === 'output' || action === 'build-output') && typeof output === 'string' && test.output.length < maxOutputLength) {
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

function failureOf({ package: owner, name, output: raw }: GoTest): ParsedFailure {
  const output = plainTextOf(raw);
  const lines = linesOf(output).filter(
    (line) => !/^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:FAIL|PASS|SKIP)|FAIL\b|exit status)/.test(line),
  );
  return goFailure(owner, name, dedent(lines), output);
}

const verdict = /^\s*--- (PASS|FAIL|SKIP): (\S+) \([\d.]+s\)$/;
const packageLine = /^(?:ok|FAIL|---|\?)\s+(\S+)\s+(?:[\d.]+s|\(cached\)|\[.*\])/;

/** Parses the output of `go test` as people read it. Only with -v does it say what passed, so only then is anything counted. */
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

/** The package of every line, which is named below the package's tests. */
function ownersOf(lines: readonly string[]): string[] {
  const owners: string[] = [];
  let owner = '';
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    owner = packageLine.exec(lines[index] ?? '')?.[1] ?? owner;
    owners[index] = owner;
  }
  return owners;
}

/** The message of a failed test: below the verdict, or with -v above it, since the test was announced. */
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

/** A failed test of Go, or a package that failed without a failing test: then the name is empty. */
function goFailure(owner: string, name: string, message: string, output = message): ParsedFailure {
  const title = [owner, name].filter((part) => part !== '').join(' > ');
  return failure(title, message, packagePlaces(placesIn(output), owner));
}

/** The tests that `name` is a subtest of. They only sum it up, so they are not counted. */
function testsAround(name: string): string[] {
  const segments = name.split('/');
  return segments.slice(1, reportLimits.nesting).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/** The places with folders. Go names a test's file without its folder, which is the tail of the package, of unknown length. */
function packagePlaces(places: readonly Place[], owner: string): Place[] {
  const segments = owner.split('/');
  return places.flatMap((place) => {
    if (/[\\/]/.test(place.file)) {
      return [place];
    }
    const tails = segments.map((_, index) => segments.slice(index + 1).join('/')).slice(-4);
    return tails.map((tail) => ({ file: tail === '' ? place.file : `${tail}/${place.file}`, line: place.line }));
  });
}
