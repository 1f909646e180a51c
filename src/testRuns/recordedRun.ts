import { BoundedText, boundText } from '../base/boundedText.ts';
import { PlainTextStream } from '../base/terminalText.ts';
import { isReadAtOnce, maxCharactersAtOnce, readReport, type ReadReport, type ReportReading } from './parsers/parseReport.ts';
import { addCounts, reportLimits, type ParsedFailure, type ParsedReport, type Place, type TestCounts } from './parsers/report.ts';
import type { RunEnd, RunStart, RunStatus, RunSummary, TestFailure, TestRun } from './testRun.ts';

/** Finds the client path of a file that a report names, or `undefined` if it is not a file of the workspace. */
export type PlaceResolver = (file: string, cwd: string | undefined) => string | undefined;

export interface RecordedRunOptions {
  readonly id: string;
  readonly start: RunStart;
  readonly startedAt: number;
  readonly now: () => number;
  readonly lookMs: number;
  readonly resolvePlace: PlaceResolver;
  /** Reads texts that are too long to be read at once; without it, everything is read at once. */
  readonly readLarge?: ReadReport | undefined;
  readonly onDidChange: () => void;
}

/**
 * The characters of output that are kept while a run goes on: enough for any parser. Afterwards fewer are kept: enough for a
 * person.
 */
const whileRunning = { head: 2_000_000, tail: 2_000_000 };
export const keptOutput = { head: 64_000, tail: 192_000 };

/** Records one run while it happens, and keeps what came of it. */
export class RecordedRun {
  readonly #options: RecordedRunOptions;
  readonly #plain = new PlainTextStream();
  readonly #reports = new Map<string, ParsedReport>();
  #text: BoundedText | undefined = new BoundedText(whileRunning.head, whileRunning.tail);
  #finalOutput = '';
  #fromOutput: ParsedReport | undefined;
  #end: { readonly end: RunEnd; readonly at: number } | undefined;
  /** The result that will come, from the end of the run on, while what it wrote is still being read. */
  #ending: Promise<TestRun> | undefined;
  #results: { readonly counts: TestCounts | undefined; readonly failures: readonly TestFailure[] } = { counts: undefined, failures: [] };
  #look: ReturnType<typeof setTimeout> | undefined;

  constructor(options: RecordedRunOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#options.id;
  }

  get isRunning(): boolean {
    return this.#end === undefined;
  }

  /** Whether somebody meant to run tests: other tasks may do so, too. */
  get isOfTests(): boolean {
    const { source, isTest = false } = this.#options.start;
    return source !== 'task' || isTest;
  }

  get isTestResult(): boolean {
    return this.isOfTests || this.#results.counts !== undefined;
  }

  couldHaveWritten(writtenAt: number, delayMs: number): boolean {
    const isInTime = writtenAt >= this.#options.startedAt && (this.#end === undefined || writtenAt <= this.#end.at + delayMs);
    return this.#options.start.source !== 'report' && isInTime;
  }

  write(text: string): void {
    if (this.#end !== undefined || this.#ending !== undefined) {
      return;
    }
    this.#text?.append(this.#plain.push(text));
    this.#look ??= setTimeout(() => this.#lookAtOutput(), this.#options.lookMs);
  }

  /** Ends the run. A short output is read at once; until a long one is read, the run counts as running. */
  end(end: RunEnd): Promise<TestRun> {
    if (this.#ending === undefined) {
      this.#stopLooking();
      this.#text?.append(this.#plain.end());
      if (end.kind === 'failedToStart') {
        this.#text?.append(`${end.reason}\n`);
      }
      const at = this.#options.now();
      const reading = this.#parse(end.kind === 'exited' && end.isCut === true);
      const finish = (read: ReportReading): TestRun => this.#finish({ end, at }, read);
      this.#ending = reading instanceof Promise ? reading.then(finish) : Promise.resolve(finish(reading));
    }
    return this.#ending;
  }

  #finish(ended: { readonly end: RunEnd; readonly at: number }, reading: ReportReading): TestRun {
    const { end } = ended;
    this.#end = ended;
    this.#fromOutput = reading.kind === 'read' ? reading.report : undefined;
    const isKept = end.kind !== 'exited' || end.keepsOutput !== false;
    const output = isKept ? (this.#text?.read(leftOutMark) ?? '') : '';
    const note = reading.kind === 'read' ? '' : `\n[no results: reading this output was given up, it ${reading.reason}]\n`;
    this.#finalOutput = `${boundText(output, keptOutput.head, keptOutput.tail, leftOutMark)}${note}`;
    this.#text = undefined;
    this.#gather();
    this.#options.onDidChange();
    return this.snapshot();
  }

  addReports(reports: ReadonlyMap<string, ParsedReport>): void {
    reports.forEach((report, path) => this.#reports.set(path, report));
    this.#gather();
    this.#options.onDidChange();
  }

  summary(): RunSummary {
    const { id, start, startedAt } = this.#options;
    const { command, source } = start;
    const { counts } = this.#results;
    return {
      id,
      command,
      source,
      status: this.#status(),
      startedAt: new Date(startedAt).toISOString(),
      ...(counts !== undefined && { counts }),
    };
  }

  snapshot(): TestRun {
    const { start, startedAt, now } = this.#options;
    const end = this.#end?.end;
    return {
      ...this.summary(),
      ...(start.filter !== undefined && { filter: start.filter.text, isByName: start.filter.isName }),
      ...(end?.kind === 'exited' && end.exitCode !== undefined && { exitCode: end.exitCode }),
      durationMs: Math.max(0, Math.round((this.#end?.at ?? now()) - startedAt)),
      failures: this.#results.failures,
      output:
        this.#text === undefined
          ? this.#finalOutput
          : boundText(this.#text.read(leftOutMark), keptOutput.head, keptOutput.tail, leftOutMark),
    };
  }

  dispose(): void {
    this.#stopLooking();
  }

  #status(): RunStatus {
    const end = this.#end?.end;
    if (end === undefined || end.kind === 'cancelled') {
      return end === undefined ? 'running' : 'cancelled';
    }
    const { counts, failures } = this.#results;
    const isKnownBad = (counts?.failed ?? 0) > 0 || failures.length > 0;
    if (end.kind === 'failedToStart' || isKnownBad) {
      return 'failed';
    }
    // A shell that was interrupted tells no exit code: without results nobody knows how it went.
    return end.exitCode === undefined ? (counts === undefined ? 'cancelled' : 'passed') : end.exitCode === 0 ? 'passed' : 'failed';
  }

  #lookAtOutput(): void {
    this.#look = undefined;
    // A run that has written much is read only once, at its end.
    if ((this.#text?.length ?? 0) > maxCharactersAtOnce || !isReadAtOnce(this.#text?.read(leftOutMark) ?? '')) {
      return;
    }
    const reading = this.#parse();
    if (reading instanceof Promise || reading.kind === 'gaveUp') {
      return;
    }
    this.#fromOutput = reading.report;
    const before = JSON.stringify(this.#results);
    this.#gather();
    if (JSON.stringify(this.#results) !== before) {
      this.#options.onDidChange();
    }
  }

  #stopLooking(): void {
    clearTimeout(this.#look);
    this.#look = undefined;
  }

  #parse(isCut = false): ReportReading | Promise<ReportReading> {
    const text = this.#text?.read(leftOutMark) ?? '';
    return readReport({ text, isCut: isCut || (this.#text?.leftOut ?? 0) > 0 }, this.#options.readLarge);
  }

  /** Puts the results together. Reports say more than output does, so they win; several reports add up. */
  #gather(): void {
    const reports = this.#reports.size > 0 ? [...this.#reports.values()] : this.#fromOutput === undefined ? [] : [this.#fromOutput];
    const all = reports.map((report) => this.#countsOf(report));
    const known = all.filter((counts) => counts !== undefined);
    const failures = reports.flatMap((report) => report.failures).slice(0, reportLimits.failures);
    this.#results = {
      counts: known.length === 0 || known.length < all.length ? undefined : known.reduce(addCounts),
      failures: failures.map((entry) => this.#located(entry)),
    };
  }

  /** A file in which no test has the name that was wanted is no test that passed. */
  #countsOf({ counts, passedFiles = 0 }: ParsedReport): TestCounts | undefined {
    const isByName = this.#options.start.filter?.isName === true;
    return counts === undefined || !isByName ? counts : { ...counts, passed: Math.max(0, counts.passed - passedFiles) };
  }

  #located({ name, message, places }: ParsedFailure): TestFailure {
    for (const place of places) {
      const path = this.#resolve(place);
      if (path !== undefined) {
        return { name, message, path, ...(place.line !== undefined && { line: place.line }) };
      }
    }
    return { name, message };
  }

  #resolve({ file }: Place): string | undefined {
    return this.#options.resolvePlace(file, this.#options.start.cwd);
  }
}

export function leftOutMark(leftOut: number): string {
  return `\n[… ${leftOut} characters left out …]\n`;
}
