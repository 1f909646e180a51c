import { randomBytes } from 'node:crypto';
import { Emitter } from '../base/events.ts';
import { DisposableStore, type Disposable } from '../base/lifecycle.ts';
import type { ParsedReport } from './parsers/report.ts';
import { readReport, type ReadReport } from './parsers/parseReport.ts';
import { CombinedRun, type CombinedRunOptions } from './combinedRun.ts';
import { RecordedRun, type PlaceResolver } from './recordedRun.ts';
import type { RunRecorder, RunStart, RunSummary, TestRun } from './testRun.ts';

export interface RunStoreOptions {
  readonly resolvePlace: PlaceResolver;
  readonly now?: (() => number) | undefined;
  readonly historySize?: number | undefined;
  /** How long, in ms, after new output the results of a running run are read. */
  readonly lookMs?: number | undefined;
  /** Reads texts that are too long to be read at once. */
  readonly readLarge?: ReadReport | undefined;
}

export interface ReportFile {
  /** The path as clients write it. */
  readonly path: string;
  readonly text: string;
  /** When the report was written, in ms since 1970. */
  readonly writtenAt: number;
}

const defaults = { historySize: 20, lookMs: 500 };
/** A report that is written at most this long, in ms, after a run belongs to it. */
const reportDelayMs = 5_000;

/** The last runs, newest first, with what each is doing now or how it went. */
export class RunStore implements Disposable {
  readonly #options: RunStoreOptions;
  readonly #lifetime = new DisposableStore();
  readonly #runChanged = this.#lifetime.add(new Emitter<string>());
  readonly #listChanged = this.#lifetime.add(new Emitter<void>());
  #runs: readonly (RecordedRun | CombinedRun)[] = [];

  /** Fires with an id when a run appears, and when its status, counts or failures change. */
  readonly onDidChangeRun = this.#runChanged.event;
  readonly onDidChangeRuns = this.#listChanged.event;

  constructor(options: RunStoreOptions) {
    this.#options = options;
  }

  list(): readonly RunSummary[] {
    return this.#runs.map((run) => run.summary());
  }

  find(id: string): TestRun | undefined {
    return this.#runs.find((run) => run.id === id)?.snapshot();
  }

  /** The latest run of tests. A build is none, though its run can be found by its id. */
  latest(): TestRun | undefined {
    return this.#runs.find((run) => run.isTestResult)?.snapshot();
  }

  /** The id of the latest run of tests, without reading all that it wrote. */
  latestId(): string | undefined {
    return this.#runs.find((run) => run.isTestResult)?.id;
  }

  begin(start: RunStart): RunRecorder {
    const run = this.#enter(start, start.startedAt ?? this.#now());
    return { id: run.id, write: (text) => run.write(text), end: (end) => run.end(end) };
  }

  /** Begins one run of the tests of several folders. */
  beginCombined(parts: Pick<CombinedRunOptions, 'folders' | 'filter'>): CombinedRun {
    const id = newId();
    const onDidChange = (): void => this.#runChanged.fire(id);
    const create = (start: RunStart): RecordedRun => this.#create(id, start, this.#now());
    return this.#keep(new CombinedRun({ ...parts, id, now: () => this.#now(), create, onDidChange }));
  }

  /**
   * Adds reports that were written together. They complete the run that wrote them, which may be known by its id, or are a run of
   * their own.
   */
  async addReports(files: readonly ReportFile[], writerId?: string): Promise<TestRun | undefined> {
    const parsed: { readonly path: string; readonly writtenAt: number; readonly report: ParsedReport }[] = [];
    for (const { path, text, writtenAt } of files) {
      const reading = await readReport({ text, isCut: false }, this.#options.readLarge);
      if (reading.kind === 'read' && reading.report !== undefined) {
        parsed.push({ path, writtenAt, report: reading.report });
      }
    }
    const [first] = parsed;
    if (first === undefined) {
      return undefined;
    }
    const writtenAt = Math.max(...parsed.map((file) => file.writtenAt));
    const reports = new Map(parsed.map(({ path, report }): [string, ParsedReport] => [path, report]));
    const writer = this.#writerAt(writtenAt, writerId);
    if (writer !== undefined) {
      writer.addReports(reports, writtenAt, reportDelayMs);
      return writer.snapshot();
    }
    const run = this.#enter({ command: commandFor(parsed.map(({ path }) => path)), source: 'report' }, writtenAt);
    run.addReports(reports);
    return run.end({ kind: 'exited', exitCode: undefined });
  }

  dispose(): void {
    this.#runs.forEach((run) => run.dispose());
    this.#lifetime.dispose();
  }

  /** The run that wrote a report at this time. Several may run at once: a task that builds all day long writes none. */
  #writerAt(writtenAt: number, id: string | undefined): RecordedRun | CombinedRun | undefined {
    const inTime = this.#runs.filter((run) => run.couldHaveWritten(writtenAt, reportDelayMs));
    return inTime.find((run) => run.id === id) ?? inTime.find((run) => run.isOfTests) ?? inTime[0];
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }

  #enter(start: RunStart, startedAt: number): RecordedRun {
    return this.#keep(this.#create(newId(), start, startedAt));
  }

  #create(id: string, start: RunStart, startedAt: number): RecordedRun {
    const { resolvePlace, lookMs = defaults.lookMs, readLarge } = this.#options;
    const now = (): number => this.#now();
    const onDidChange = (): void => this.#runChanged.fire(id);
    return new RecordedRun({ id, start, startedAt, now, lookMs, resolvePlace, readLarge, onDidChange });
  }

  #keep<Run extends RecordedRun | CombinedRun>(run: Run): Run {
    const { historySize = defaults.historySize } = this.#options;
    const kept = [run, ...this.#runs];
    // What still runs stays, however old: somebody waits for it.
    const dropped = kept.slice(historySize).filter((old) => !old.isRunning);
    dropped.forEach((old) => old.dispose());
    this.#runs = kept.filter((old) => !dropped.includes(old));
    this.#listChanged.fire();
    this.#runChanged.fire(run.id);
    return run;
  }
}

function newId(): string {
  return `run-${randomBytes(5).toString('hex')}`;
}

function commandFor(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(', ');
  return paths.length > 3 ? `${shown} and ${paths.length - 3} more reports` : shown;
}
