// tasks/: the tasks of the workspace: finding one and all that it runs (taskDefinitions.ts), and running it as it was
// found (this file).
import * as vscode from 'vscode';
import { atMost, neverAborted } from '../../../base/abort.ts';
import { messageOf } from '../../../base/errors.ts';
import { canonicalJson } from '../../../base/json.ts';
import { DisposableStore, toDisposable } from '../../../base/lifecycle.ts';
import type { FoundTask, RunningTask, TaskEnd } from '../../../server/seen/ports/actingPort.ts';
import { editorError } from '../../shared/editorErrors.ts';
import type { LookUpTask, TaskPlan } from './taskDefinitions.ts';
import { TaskOutput } from './taskOutput.ts';

/** How long, in ms, after the end of a task its exit code may still come. */
const exitCodeMs = 1_000;
/** How long, in ms, after the end of a task the rest of its output may still come. */
const lastOutputMs = 500;
/** How long, in ms, a task that was told to end may run on before it is told again. */
const terminateAgainMs = 500;
/** How often, at most, a task is told to end. */
const maxTerminations = 60;

/**
 * Starts the task if it still runs exactly what the person was shown. It runs as it was looked up: VS Code would look for it once
 * more by its name, and tasks.json may say something else by then. What only VS Code can run is ended where that happened, and
 * whatever VS Code was starting when `signal` fired.
 */
export async function startTask(
  shown: FoundTask,
  lookUp: LookUpTask,
  onOutput: (text: string) => void,
  signal = neverAborted(),
): Promise<RunningTask> {
  const { plan, found } = await lookUp(shown.name, shown.folder);
  demandSame(found, shown);
  signal.throwIfAborted();
  const run = await (plan.isEditorsOwn ? startAlone(new TaskRun(plan.task, onOutput)) : startInTurn(plan, onOutput));
  try {
    if (plan.isEditorsOwn) {
      demandSame((await lookUp(shown.name, shown.folder)).found, shown);
    }
    signal.throwIfAborted();
  } catch (error) {
    run.terminate();
    throw error;
  }
  return run;
}

async function startAlone(run: TaskRun): Promise<RunningTask> {
  await run.start();
  return run;
}

function demandSame(found: FoundTask, shown: FoundTask): void {
  if (found.definition !== shown.definition || canonicalJson(found.chain) !== canonicalJson(shown.chain)) {
    throw editorError('editor.taskChanged', { name: shown.name });
  }
}

/** Runs the tasks before it, then the task itself unless one of them failed. A task without others starts at once. */
async function startInTurn(plan: TaskPlan, onOutput: (text: string) => void): Promise<RunningTask> {
  const main = plan.task.execution === undefined ? undefined : new TaskRun(copyOf(plan.task), onOutput);
  if (main !== undefined && plan.before.length === 0) {
    return startAlone(main);
  }
  const turns = new Turns();
  const ended = turns.before(plan).then(async (before) => {
    const end = before.exitCode === 0 && !turns.areOver && main !== undefined ? await turns.run(main) : before;
    return { ...end, wasTerminated: turns.areOver };
  });
  return { ended, terminate: () => turns.end() };
}

/** The tasks that run before another one, each once. */
class Turns {
  readonly #ends = new Map<TaskPlan, Promise<TaskEnd>>();
  readonly #running = new Set<TaskRun>();
  areOver = false;

  end(): void {
    this.areOver = true;
    this.#running.forEach((run) => run.terminate());
  }

  /** Runs all that a task needs; the end is that of the first that failed. */
  async before({ before, isInOrder }: TaskPlan): Promise<TaskEnd> {
    const ends: TaskEnd[] = isInOrder ? [] : await Promise.all(before.map((each) => this.#whole(each)));
    for (const each of isInOrder ? before : []) {
      if (ends.every(({ exitCode }) => exitCode === 0)) {
        ends.push(await this.#whole(each));
      }
    }
    return ends.find(({ exitCode }) => exitCode !== 0) ?? { exitCode: 0, wasTerminated: false, hadOutput: false };
  }

  async run(run: TaskRun): Promise<TaskEnd> {
    this.#running.add(run);
    try {
      await run.start();
      return await run.ended;
    } catch {
      return { wasTerminated: false, hadOutput: false }; // VS Code has told the person why it did not start
    } finally {
      this.#running.delete(run);
    }
  }

  #whole(plan: TaskPlan): Promise<TaskEnd> {
    const known = this.#ends.get(plan) ?? this.#runWhole(plan);
    this.#ends.set(plan, known);
    return known;
  }

  async #runWhole(plan: TaskPlan): Promise<TaskEnd> {
    const before = await this.before(plan);
    const goesOn = before.exitCode === 0 && !this.areOver && plan.task.execution !== undefined;
    return goesOn ? this.run(new TaskRun(copyOf(plan.task), () => undefined)) : before;
  }
}

/** A task of our own that runs the same: VS Code takes one of its own by its name, this one as it is. */
function copyOf(task: vscode.Task): vscode.Task {
  const { definition, scope = vscode.TaskScope.Workspace, name, source, execution, problemMatchers } = task;
  const copy = new vscode.Task(definition, scope, name, source, execution, problemMatchers);
  const { isBackground, presentationOptions, runOptions, group, detail } = task;
  return Object.assign(copy, { isBackground, presentationOptions, runOptions, detail, ...(group !== undefined && { group }) });
}

class TaskRun implements RunningTask {
  readonly #task: vscode.Task;
  readonly #listening = new DisposableStore();
  readonly #output: TaskOutput;
  readonly #processIds = new Map<vscode.TaskExecution, number>();
  readonly #exitCodes = new Map<vscode.TaskExecution, number | undefined>();
  readonly #finished = new Set<vscode.TaskExecution>();
  #execution: vscode.TaskExecution | undefined;
  #wasTerminated = false;
  #settle: (end: TaskEnd) => void = () => undefined;
  readonly ended = new Promise<TaskEnd>((resolve) => {
    this.#settle = resolve;
  });

  constructor(task: vscode.Task, onOutput: (text: string) => void) {
    this.#task = task;
    this.#output = new TaskOutput(onOutput);
  }

  /** Starts to listen first: a short task has ended before VS Code says that it has started. */
  async start(): Promise<void> {
    this.#listening.add(
      vscode.tasks.onDidStartTaskProcess(({ execution, processId }) => {
        this.#processIds.set(execution, processId);
        this.#check();
      }),
    );
    this.#listening.add(
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        this.#exitCodes.set(execution, exitCode);
        this.#check();
      }),
    );
    this.#listening.add(
      vscode.tasks.onDidEndTask(({ execution }) => {
        this.#finished.add(execution);
        this.#check();
      }),
    );
    this.#listening.add(
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => this.#output.follow(terminal, execution)),
    );
    try {
      this.#execution = await vscode.tasks.executeTask(this.#task);
    } catch (error) {
      this.#listening.dispose();
      throw editorError('editor.taskFailed', { name: this.#task.name, reason: messageOf(error) }, { cause: error });
    }
    if (this.#wasTerminated) {
      this.#execution.terminate();
    }
    this.#check();
  }

  /** Ends the task. VS Code forgets that it was told so while it still shows the terminal of a task that runs already, so it is told again. */
  terminate(triesLeft = maxTerminations): void {
    this.#wasTerminated = true;
    this.#execution?.terminate();
    if (triesLeft > 1) {
      const again = setTimeout(() => this.terminate(triesLeft - 1), terminateAgainMs);
      this.#listening.add(toDisposable(() => clearTimeout(again)));
    }
  }

  #check(): void {
    const execution = this.#execution;
    if (execution === undefined || this.#listening.isDisposed) {
      return;
    }
    const processId = this.#processIds.get(execution);
    if (processId !== undefined) {
      void this.#output.belongsTo(processId);
    }
    if (this.#exitCodes.has(execution)) {
      this.#end(this.#exitCodes.get(execution));
    } else if (this.#finished.has(execution)) {
      setTimeout(() => this.#end(this.#exitCodes.get(execution)), exitCodeMs);
    }
  }

  #end(exitCode: number | undefined): void {
    if (this.#listening.isDisposed) {
      return;
    }
    this.#listening.dispose();
    void atMost(this.#output.drained(), lastOutputMs).then(() =>
      this.#settle({
        ...(exitCode !== undefined && { exitCode }),
        wasTerminated: this.#wasTerminated,
        hadOutput: this.#output.hasAny,
      }),
    );
  }
}
