// tasks/: the tasks of the workspace: finding one and all that it runs (taskDefinitions.ts), and running it (this file).
import * as vscode from 'vscode';
import { atMost } from '../../../base/abort.ts';
import { messageOf } from '../../../base/errors.ts';
import { canonicalJson } from '../../../base/json.ts';
import { DisposableStore } from '../../../base/lifecycle.ts';
import type { FoundTask, RunningTask, TaskEnd } from '../../../server/seen/ports/actingPort.ts';
import { editorError } from '../../shared/editorErrors.ts';
import type { LookUpTask } from './taskDefinitions.ts';
import { TaskOutput } from './taskOutput.ts';

/** How long, in ms, after the end of a task its exit code may still come. */
const exitCodeMs = 1_000;
/** How long, in ms, after the end of a task the rest of its output may still come. */
const lastOutputMs = 500;

/** Starts the task if it still runs exactly what the person was shown. */
export async function startTask(shown: FoundTask, lookUp: LookUpTask, onOutput: (text: string) => void): Promise<RunningTask> {
  const { task, found } = await lookUp(shown.name);
  if (found.definition !== shown.definition || canonicalJson(found.chain) !== canonicalJson(shown.chain)) {
    throw editorError('editor.taskChanged', { name: shown.name });
  }
  const run = new TaskRun(task, onOutput);
  await run.start();
  return run;
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
    this.#check();
  }

  terminate(): void {
    this.#wasTerminated = true;
    this.#execution?.terminate();
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
