import { Emitter } from '../../../../src/base/events.ts';
import type { TestsPort } from '../../../../src/server/seen/ports/testsPort.ts';
import type { StartedTests, TestPart, TestPlan, TestRequest } from '../../../../src/testRuns/testGround.ts';
import type { RunEnd, RunRecorder, RunStart, TestRun } from '../../../../src/testRuns/testRun.ts';

/** A history of runs that a test writes, and runs that end when the test says so. */
export class FakeTests implements TestsPort {
  runs: readonly TestRun[] = [];
  nextPart: TestPart = {
    commandLine: 'npm test',
    chain: { steps: [{ name: 'scripts.test', text: 'node --test' }], unknown: [] },
    cwd: '/demo',
  };
  /** What runs after it, in other folders. */
  morePlanned: Pick<TestPlan, 'parts' | 'left'> = { parts: [], left: [] };
  readonly started: TestPlan[] = [];
  readonly cancelled: string[] = [];
  readonly didChangeRun = new Emitter<string>();
  readonly didChangeRuns = new Emitter<void>();
  readonly onDidChangeRun = this.didChangeRun.event;
  readonly onDidChangeRuns = this.didChangeRuns.event;
  readonly #endings = new Map<string, (run: TestRun) => void>();

  listRuns(): readonly TestRun[] {
    return this.runs;
  }

  findRun(id: string | undefined): TestRun | undefined {
    return id === undefined ? this.runs[0] : this.runs.find((run) => run.id === id);
  }

  latestId(): string | undefined {
    return this.runs[0]?.id;
  }

  plan(request: TestRequest): Promise<TestPlan> {
    const { parts, left } = this.morePlanned;
    return Promise.resolve({ request, parts: [this.nextPart, ...parts], left });
  }

  start(plan: TestPlan): Promise<StartedTests> {
    this.started.push(plan);
    const { id } = this.#enter({ command: plan.parts.map(({ commandLine }) => commandLine).join('; '), source: 'runTests' });
    const ended = new Promise<TestRun>((resolve) => this.#endings.set(id, resolve));
    const cancel = (): void => {
      this.cancelled.push(id);
      this.finish(id, { status: 'cancelled' });
    };
    return Promise.resolve({ id, ended, cancel });
  }

  begin(start: RunStart): RunRecorder {
    const { id } = this.#enter(start);
    let output = '';
    return {
      id,
      write: (text) => (output += text),
      end: (end) => Promise.resolve(this.finish(id, { ...endOf(end), output })),
    };
  }

  /** Ends a run, as its process would. */
  finish(id: string, changes: Partial<TestRun>): TestRun {
    const run = this.update(id, changes);
    this.#endings.get(id)?.(run);
    return run;
  }

  update(id: string, changes: Partial<TestRun>): TestRun {
    const known = this.findRun(id);
    if (known === undefined) {
      throw new Error(`There is no run ${id}.`);
    }
    const run = { ...known, ...changes };
    this.runs = this.runs.map((entry) => (entry.id === id ? run : entry));
    this.didChangeRun.fire(id);
    return run;
  }

  #enter({ command, source }: RunStart): TestRun {
    const run = runNamed(`run-${this.runs.length + 1}`, { command, source });
    this.runs = [run, ...this.runs];
    this.didChangeRuns.fire();
    return run;
  }
}

export function runNamed(id: string, changes: Partial<TestRun> = {}): TestRun {
  return {
    id,
    command: 'npm test',
    source: 'runTests',
    status: 'running',
    startedAt: '2026-01-02T03:04:05.000Z',
    durationMs: 0,
    failures: [],
    output: '',
    ...changes,
  };
}

function endOf(end: RunEnd): Partial<TestRun> {
  switch (end.kind) {
    case 'cancelled':
      return { status: 'cancelled' };
    case 'failedToStart':
      return { status: 'failed' };
    case 'exited':
      return { status: end.exitCode === 0 ? 'passed' : 'failed', exitCode: end.exitCode };
  }
}
