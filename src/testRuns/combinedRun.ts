import { boundText } from '../base/boundedText.ts';
import { keptOutput, leftOutMark, type RecordedRun } from './recordedRun.ts';
import { addCounts, type ParsedReport, reportLimits } from './parsers/report.ts';
import type { FolderRun, RunRecorder, RunStart, RunStatus, RunSummary, TestRun } from './testRun.ts';

export interface CombinedRunOptions {
  readonly id: string;
  readonly folders: readonly { readonly folder: string; readonly command: string }[];
  readonly filter: string | undefined;
  readonly now: () => number;
  /** Makes the run of one folder. */
  readonly create: (start: RunStart) => RecordedRun;
  readonly onDidChange: () => void;
}

/** One run of the tests of several folders, one after the other. Each folder has a run of its own: test programs write different forms. */
export class CombinedRun {
  readonly #options: CombinedRunOptions;
  readonly #startedAt: number;
  readonly #runs: RecordedRun[] = [];
  #endedAt: number | undefined;

  constructor(options: CombinedRunOptions) {
    this.#options = options;
    this.#startedAt = options.now();
  }

  get id(): string {
    return this.#options.id;
  }

  get isRunning(): boolean {
    return this.#endedAt === undefined;
  }

  get isOfTests(): boolean {
    return true;
  }

  get isTestResult(): boolean {
    return true;
  }

  /** Begins the run of the next folder. */
  beginNext(start: RunStart): RunRecorder {
    const run = this.#options.create(start);
    this.#runs.push(run);
    this.#options.onDidChange();
    return run;
  }

  /** Ends the whole; a folder whose tests have not begun is left out. */
  finish(): TestRun {
    this.#endedAt ??= this.#options.now();
    this.#options.onDidChange();
    return this.snapshot();
  }

  couldHaveWritten(writtenAt: number, delayMs: number): boolean {
    return this.#writerAt(writtenAt, delayMs) !== undefined;
  }

  addReports(reports: ReadonlyMap<string, ParsedReport>, writtenAt: number, delayMs: number): void {
    this.#writerAt(writtenAt, delayMs)?.addReports(reports);
  }

  summary(): RunSummary {
    const { id, folders } = this.#options;
    const all = this.#runs.map((run) => run.summary().counts);
    const known = all.filter((counts) => counts !== undefined);
    return {
      id,
      command: folders.map(({ folder, command }) => `${folder}: ${command}`).join('; '),
      source: 'runTests',
      status: this.#status(),
      startedAt: new Date(this.#startedAt).toISOString(),
      ...(known.length > 0 && (this.isRunning || known.length === all.length) && { counts: known.reduce(addCounts) }),
    };
  }

  snapshot(): TestRun {
    const { filter, now } = this.#options;
    const runs = this.#runs.map((run) => run.snapshot());
    const codes = runs.map(({ exitCode }) => exitCode);
    const exitCode = this.isRunning
      ? undefined
      : (codes.find((code) => code !== 0 && code !== undefined) ?? (codes.includes(undefined) ? undefined : 0));
    const output = runs.map((run, index) => `[${this.#titleOf(index)}]\n${run.output}`).join('\n');
    return {
      ...this.summary(),
      ...(filter !== undefined && { filter, isByName: runs.some(({ isByName }) => isByName === true) }),
      ...(exitCode !== undefined && { exitCode }),
      durationMs: Math.max(0, Math.round((this.#endedAt ?? now()) - this.#startedAt)),
      folders: this.#folderRuns(),
      failures: runs.flatMap(({ failures }) => failures).slice(0, reportLimits.failures),
      output: boundText(output, keptOutput.head, keptOutput.tail, leftOutMark),
    };
  }

  dispose(): void {
    this.#runs.forEach((run) => run.dispose());
  }

  #writerAt(writtenAt: number, delayMs: number): RecordedRun | undefined {
    return this.#runs.findLast((run) => run.couldHaveWritten(writtenAt, delayMs));
  }

  #titleOf(index: number): string {
    const { folder, command } = this.#options.folders[index] ?? { folder: '', command: '' };
    return `${folder}: ${command}`;
  }

  #folderRuns(): readonly FolderRun[] {
    return this.#runs.map((run, index) => {
      const { status, exitCode, counts } = run.snapshot();
      const { folder, command } = this.#options.folders[index] ?? { folder: '', command: '' };
      return { folder, command, status, ...(exitCode !== undefined && { exitCode }), ...(counts !== undefined && { counts }) };
    });
  }

  #status(): RunStatus {
    if (this.isRunning) {
      return 'running';
    }
    const all = this.#runs.map((run) => run.summary().status);
    const isWhole = all.length === this.#options.folders.length && !all.includes('cancelled');
    return !isWhole ? 'cancelled' : all.includes('failed') ? 'failed' : 'passed';
  }
}
