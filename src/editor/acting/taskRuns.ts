import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { messageOf } from '../../base/errors.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import type { FoundTask, RunningTask, TaskEnd } from '../../server/seen/ports/actingPort.ts';
import { editorError } from '../shared/editorErrors.ts';
import { readPieces } from '../shared/readPieces.ts';
import { describeTask, findTask } from './taskDefinitions.ts';

/** How long the exit code may come after the end of a task. */
const exitCodeMs = 1_000;
/** How long the rest of the output may come after the end of a task. */
const lastOutputMs = 500;

/** Runs exactly what the person was shown. */
export async function startTask(shown: FoundTask, onOutput: (text: string) => void): Promise<RunningTask> {
  const task = await findTask(shown.name);
  if ((await describeTask(task)).definition !== shown.definition) {
    throw editorError('editor.taskChanged', { name: shown.name });
  }
  const run = new TaskRun(task, onOutput);
  await run.start();
  return run;
}

class TaskRun implements RunningTask {
  readonly #task: vscode.Task;
  readonly #listening = new DisposableStore();
  readonly #onOutput: (text: string) => void;
  readonly #reading = new Set<Promise<void>>();
  readonly #exitCodes = new Map<vscode.TaskExecution, number | undefined>();
  readonly #finished = new Set<vscode.TaskExecution>();
  #execution: vscode.TaskExecution | undefined;
  #hadOutput = false;
  #wasTerminated = false;
  #settle: (end: TaskEnd) => void = () => undefined;
  readonly ended = new Promise<TaskEnd>((resolve) => {
    this.#settle = resolve;
  });

  constructor(task: vscode.Task, onOutput: (text: string) => void) {
    this.#task = task;
    this.#onOutput = onOutput;
  }

  /** Listens first: a short task has ended before VS Code says that it has started. */
  async start(): Promise<void> {
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
    this.#listening.add(vscode.window.onDidStartTerminalShellExecution((event) => this.#follow(event)));
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
    void atMost(Promise.all(this.#reading), lastOutputMs).then(() =>
      this.#settle({
        ...(exitCode !== undefined && { exitCode }),
        wasTerminated: this.#wasTerminated,
        hadOutput: this.#hadOutput,
      }),
    );
  }

  /** VS Code does not say which terminal is a task's, but names it like the task, as `source: name` where there is a source. */
  #follow({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): void {
    const { name, source } = this.#task;
    if ([terminal.name, terminal.creationOptions.name].some((each) => each === name || each === `${source}: ${name}`)) {
      this.#hadOutput = true;
      this.#reading.add(readPieces(execution.read(), this.#onOutput));
    }
  }
}
