import { placesIn } from './places.ts';
import { blocksIn, failure, joinReports, linesOf, type ParsedFailure, type ParsedReport, reportLimits, type ReportText } from './report.ts';

const ran = /^Ran (\d+) tests? in [\d.]+s$/;
const result = /^(?:OK|FAILED|NO TESTS RAN)(?: \(([a-z =\d,]+)\))?$/;
const rule = /^={70}$/;
const thinRule = /^-{70}$/;
/** Matches the name of a test; before Python 3.11 the parentheses had only its class. */
const heading = /^(FAIL|ERROR|UNEXPECTED SUCCESS): ([^\s(]+) \(([^\s()]+)\)(.*)$/;
/** The class that unittest makes for a module which it could not import. */
const failedImport = /^unittest\.loader\.(?:_FailedTest|ModuleImportFailure)(?:\.|$)/;

/** Parses what Python's unittest shows people, plain or verbose. */
export function parseUnittest({ text, isCut }: ReportText): ParsedReport | undefined {
  const lines = linesOf(text);
  const runs: ParsedReport[] = [];
  let start = 0;
  let total: number | undefined;
  lines.forEach((line, index) => {
    const ended = result.exec(line);
    if (total !== undefined && ended !== null) {
      runs.push(runOf(total, ended[1] ?? '', lines.slice(start, index)));
      start = index + 1;
    }
    // Between the number of tests and the result stand empty lines only.
    const count = ran.exec(line)?.[1];
    total = count === undefined ? (line.trim() === '' ? total : undefined) : Number(count);
  });
  return total === undefined ? joinReports(runs, isCut) : undefined;
}

/** Makes a report of one run, of the numbers in its last two lines and of the lines above. */
function runOf(total: number, numbers: string, lines: readonly string[]): ParsedReport {
  const value = (name: string): number => Number(new RegExp(`(?:^|, )${name}=(\\d+)`).exec(numbers)?.[1] ?? 0);
  const failed = value('failures') + value('errors') + value('unexpected successes');
  const skipped = value('skipped') + value('expected failures');
  const found = failuresIn(lines);
  // A test with subtests fails once for each, and what fails around tests is not counted as one that ran.
  const isWhole = found.length >= value('failures') + value('errors');
  const tests = new Set(found.filter(({ isTest }) => isTest).map(({ test }) => test)).size + value('unexpected successes');
  return {
    format: 'unittest',
    counts: { passed: Math.max(0, total - (isWhole ? tests : failed) - skipped), failed, skipped },
    failures: found.slice(0, reportLimits.failures).map((each) => each.failure),
  };
}

interface FoundFailure {
  readonly test: string;
  readonly isTest: boolean;
  readonly failure: ParsedFailure;
}

function failuresIn(lines: readonly string[]): readonly FoundFailure[] {
  const headingOf = (line: string, previous: string): { readonly line: string } | undefined =>
    rule.test(previous) && heading.test(line) ? { line } : undefined;
  return blocksIn(lines, headingOf, (line) => !rule.test(line)).map(({ heading: { line }, below }) => failureOf(line, below));
}

function failureOf(line: string, below: readonly string[]): FoundFailure {
  const [, , title = '', owner = '', rest = ''] = heading.exec(line) ?? [];
  const isTest = !/^(?:setUp|tearDown)(?:Class|Module)$/.test(title);
  const test = testName(title, owner, isTest);
  // Behind the name may stand what the test says about itself, up to the rule.
  const start = below.findIndex((each) => thinRule.test(each));
  const said = below.slice(start + 1);
  const end = said.findIndex((each) => thinRule.test(each));
  const trace = (end < 0 ? said : said.slice(0, end)).join('\n');
  return { test, isTest, failure: failure(`${test}${rest}`, messageOf(trace), placesIn(trace)) };
}

/** The dotted name that unittest takes as an argument. */
function testName(title: string, owner: string, isTest: boolean): string {
  if (!isTest) {
    return `${title} (${owner})`;
  }
  const imported = failedImport.exec(owner)?.[0];
  const name = imported === undefined ? owner : owner.slice(imported.length);
  return name === title || name.endsWith(`.${title}`) ? name : [name, title].filter((part) => part !== '').join('.');
}

/** The message without the frames of its last trace, whose lines are indented. */
function messageOf(trace: string): string {
  const lines = trace.split('\n');
  const start = lines.findLastIndex((line) => line.startsWith('Traceback (most recent call last)'));
  const said = lines.slice(start + 1).findIndex((line) => /^\S/.test(line));
  return start < 0 || said < 0 ? trace : lines.slice(start + 1 + said).join('\n');
}
