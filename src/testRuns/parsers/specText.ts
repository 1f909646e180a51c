import { placesIn, placesWithOwn } from './places.ts';
import {
  blocksIn,
  dedent,
  failure,
  isIndentedOrEmpty,
  isTestFile,
  joinReports,
  linesOf,
  nameInside,
  type ParsedFailure,
  type ParsedReport,
  reportLimits,
  type ReportText,
} from './report.ts';

const summary = /^\s{2}(\d+) (passing|failing|pending)(?: \(.*\))?\s*$/;

/** Parses the output of Mocha's spec, dot and list reporters, which share the summary at the end, with the failures below it. */
export function parseMochaSpec({ text, isCut }: ReportText): ParsedReport | undefined {
  const lines = linesOf(text);
  const starts = lines.flatMap((line, index) => (/^\s{2}\d+ passing \(/.test(line) ? [index] : []));
  const runs = starts.map((start, at) => mochaRunIn(lines.slice(start, starts[at + 1]), at < starts.length - 1));
  return runs.includes(undefined)
    ? undefined
    : joinReports(
        runs.filter((run) => run !== undefined),
        isCut,
      );
}

/** Reads one run, from its summary on; what the next one wrote before its own stands in the last lines. */
function mochaRunIn(lines: readonly string[], isFollowed: boolean): ParsedReport | undefined {
  const counts = new Map<string, number>();
  let index = 0;
  for (; summary.test(lines[index] ?? ''); index += 1) {
    const [, count, name = ''] = summary.exec(lines[index] ?? '') ?? [];
    counts.set(name, Number(count));
  }
  if (index >= lines.length - 1 && !isFollowed) {
    return undefined; // it is still being written
  }
  const value = (name: string): number => counts.get(name) ?? 0;
  return {
    format: 'mocha',
    counts: { passed: value('passing'), failed: value('failing'), skipped: value('pending') },
    failures: mochaFailuresIn(lines.slice(index), value('failing')),
  };
}

/** Reads the failures of a run. Below them, the tree of the next run numbers its own in the same way. */
function mochaFailuresIn(lines: readonly string[], count: number): ParsedFailure[] {
  const isHeading = (line: string): boolean => /^ {2}\d+\) \S/.test(line);
  return blocksIn(
    lines,
    (line) => (isHeading(line) ? { line } : undefined),
    (line) => !isHeading(line),
  )
    .slice(0, Math.min(count, reportLimits.failures))
    .map(({ heading, below }) => mochaFailureIn([heading.line, ...below.slice(0, endOfTrace(below))]));
}

/** Where a trace ends: two empty lines follow the last one of a run. A message may have such lines, too. */
function endOfTrace(lines: readonly string[]): number {
  const frame = lines.findIndex((line) => /^\s+at \S/.test(line));
  const end = lines.findIndex((line, index) => index > frame && line === '' && lines[index + 1] === '');
  return frame < 0 || end < 0 ? lines.length : end;
}

/** Reads one failure. Its titles stand one per line, ever deeper, until one ends with a colon. */
function mochaFailureIn(lines: readonly string[]): ParsedFailure {
  const last = lines.findIndex((line) => /:\s*$/.test(line));
  const titles = lines.slice(0, last + 1).map((line) => line.trim().replace(/^\d+\) /, ''));
  const message = dedent(lines.slice(last + 1));
  return failure(titles.join(' > ').replace(/:$/, ''), message, placesIn(message));
}

/** The lines of one run of node:test: its tree, and below the summary the tests that failed. */
interface NodeRun {
  readonly tree: string[];
  readonly counts: Map<string, number>;
  readonly failing: string[];
  /** The duration is the last line of the summary: before it, there may be more to come. */
  state: 'tree' | 'ended' | 'failing';
}

/** Parses what `node --test` shows people: ticks, a summary behind ℹ, and the failing tests once more at the end. */
export function parseNodeSpec({ text, isCut }: ReportText): ParsedReport | undefined {
  const runs = [newNodeRun()];
  for (const line of linesOf(text)) {
    const run = runs.at(-1);
    if (run?.state === 'ended' && line === '✖ failing tests:') {
      run.state = 'failing';
    } else if (run?.state === 'failing' && isOfFailing(line)) {
      run.failing.push(line);
    } else {
      readNodeLine(line, runs);
    }
  }
  return joinReports(runs.filter(({ state }) => state !== 'tree').map(toNodeReport), isCut);
}

function newNodeRun(): NodeRun {
  return { tree: [], counts: new Map(), failing: [], state: 'tree' };
}

/** Takes a line of the tree or of the summary. One that follows a run begins the next, where it is of either. */
function readNodeLine(line: string, runs: NodeRun[]): void {
  const [, name = '', value] = /^ℹ (pass|fail|cancelled|skipped|todo|duration_ms) (\S+)\s*$/.exec(line) ?? [];
  if (runs.at(-1)?.state !== 'tree' && (name !== '' || treeLine.test(line))) {
    runs.push(newNodeRun());
  }
  const run = runs.at(-1);
  if (run?.state !== 'tree') {
    return;
  }
  run.tree.push(line);
  if (name === 'duration_ms' && run.counts.has('pass')) {
    run.state = 'ended';
  } else if (name !== '' && name !== 'duration_ms' && /^\d+$/.test(value ?? '')) {
    run.counts.set(name, Number(value));
  }
}

/** Whether a line belongs to the list of failing tests: each has its place, its title, and its error indented. */
function isOfFailing(line: string): boolean {
  return isIndentedOrEmpty(line) || /^(?:✖ |test at .*:\d+:\d+$)/.test(line);
}

function toNodeReport({ tree, counts, failing }: NodeRun): ParsedReport {
  const value = (name: string): number => counts.get(name) ?? 0;
  const passedFiles = tree.filter((line) => isTestFile(/^✔ (.*) \([\d.]+m?s\)$/.exec(line)?.[1] ?? '')).length;
  return {
    format: 'nodeSpec',
    counts: { passed: value('pass'), failed: value('fail') + value('cancelled'), skipped: value('skipped') + value('todo') },
    failures: nodeFailuresIn(failing, namesIn(tree)),
    ...(passedFiles > 0 && { passedFiles }),
  };
}

/** Matches a line of the tree: a suite that begins, or a test or suite that ended. */
const treeLine = /^( *)([▶✔✖]) (.*)$/;
const duration = / \([\d.]+m?s\)(?: # .*)?$/;

/** The whole names of what failed, by the last part, in the order of the tree: the list at the end has only that part. */
function namesIn(lines: readonly string[]): ReadonlyMap<string, string[]> {
  const suites: { readonly indent: number; readonly name: string }[] = [];
  const names = new Map<string, string[]>();
  for (const line of lines) {
    const [, space = '', sign, rest = ''] = treeLine.exec(line) ?? [];
    const title = rest.replace(duration, '');
    if (sign === undefined || (sign !== '▶' && title === rest)) {
      continue; // something that a test printed
    }
    while ((suites.at(-1)?.indent ?? -1) >= space.length) {
      suites.pop();
    }
    if (sign === '▶' && title === rest && suites.length < reportLimits.nesting) {
      suites.push({ indent: space.length, name: nameInside(suites.at(-1)?.name, title) });
    } else if (sign === '✖') {
      const known = names.get(title) ?? [];
      names.set(title, known);
      if (known.length < reportLimits.failures) {
        known.push(nameInside(suites.at(-1)?.name, title));
      }
    }
  }
  return names;
}

function nodeFailuresIn(lines: readonly string[], names: ReadonlyMap<string, string[]>): ParsedFailure[] {
  const headingOf = (line: string, previous: string): { readonly title: string; readonly place: string } | undefined => {
    const title = /^✖ (.*?)(?: \([\d.]+m?s\))?$/.exec(line)?.[1];
    return title === undefined ? undefined : { title, place: previous };
  };
  const found = blocksIn(lines, headingOf, isIndentedOrEmpty);
  // The tree of a run that follows at once begins with such lines, too, but without places.
  const isPlaced = ({ heading: { place } }: (typeof found)[number]): boolean => /^test at /.test(place);
  return (found.some(isPlaced) ? found.filter(isPlaced) : found).slice(0, reportLimits.failures).map(({ heading, below }) => {
    const message = dedent(below);
    const [, file, line] = /^test at (.*):(\d+):\d+$/.exec(heading.place) ?? [];
    return failure(names.get(heading.title)?.shift() ?? heading.title, message, placesWithOwn(message, file, line));
  });
}
