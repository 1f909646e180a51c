import * as vscode from 'vscode';
import { isAppError } from '../../base/errors.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { toolTaskType } from '../../contract/identity.ts';
import { toolTaskDefinition } from '../../contract/definitionSchemas.ts';
import { startsWithFolder } from '../../editor/acting/tasks/taskEntries.ts';
import { configuredTasks } from '../../editor/workspace/runSettings.ts';
import { toResultItems } from '../../host/tools/resultItems.ts';
import type { RawToolResult, ToolProgress } from '../../host/connection/serverSession.ts';
import { errorSentence } from '../errorReporter.ts';
import { terminalText } from '../nativeText.ts';
import { viewError } from '../sentences/viewErrors.ts';
import { adviceFor } from '../servers/serverAdvice.ts';
import type { NamedToolCall } from './toolCallArgument.ts';
import { resultDocument } from './toolResults.ts';

export interface ToolTaskCall extends NamedToolCall {
  /** The name of the task in tasks.json. */
  readonly task: string;
  /** Whether the person may have started the task. False when it, or one that depends on it, runs when its folder is opened. */
  readonly isByPerson: boolean;
}

export type RunToolTask = (call: ToolTaskCall, ...rest: Parameters<RunInTerminal>) => ReturnType<RunInTerminal>;

/** What VS Code calls when a task of tasks.json is about to run. */
export interface ToolTasks {
  resolveTask(task: vscode.Task): vscode.Task;
}

/**
 * Runs the tasks of type `duplex` that tasks.json defines. It offers no tasks by itself: what a task does stands where people can
 * read it.
 */
export function toolTasks(run: RunToolTask): ToolTasks {
  return {
    resolveTask: (task) => {
      const { definition, name, scope = vscode.TaskScope.Workspace } = task;
      // In `resolved` VS Code has replaced the variables.
      const execution = new vscode.CustomExecution((resolved) =>
        Promise.resolve(
          new ToolTerminal(
            vscode.l10n.t('Running the tool “{0}” of the MCP server “{1}”', text(resolved['tool']), text(resolved['server'])),
            (...rest) => run({ ...readDefinition(resolved), task: name, isByPerson: !isAutomatic(task) }, ...rest),
          ),
        ),
      );
      // The empty list of problem matchers is needed: without it VS Code asks how to read the output before the first run.
      return new vscode.Task(definition, scope, name, toolTaskType, execution, []);
    },
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readDefinition(definition: vscode.TaskDefinition): NamedToolCall {
  const read = toolTaskDefinition().safeParse(definition);
  if (!read.success) {
    throw viewError('toolTask.badDefinition');
  }
  const { server, tool, arguments: args = {} } = read.data;
  return { server, tool, arguments: args as JsonObject };
}

function isAutomatic({ name, definition, scope }: vscode.Task): boolean {
  const folder = typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0];
  const { entries } = configuredTasks(folder?.uri);
  return startsWithFolder({ name, definition, isWritten: true }, entries.filter(isJsonObject));
}

/** Runs a tool to its end. Rejects with the reason why there is no result. */
export type RunInTerminal = (signal: AbortSignal, onProgress: (progress: ToolProgress) => void) => Promise<RawToolResult>;

/** The shortest time, in ms, between two lines of progress: a server may report faster than anybody reads. */
const betweenProgressMs = 200;
/** What a terminal sends for Ctrl+C. */
const interrupt = '\u0003';

/**
 * The terminal of a task that runs a tool. What the tool says appears as plain text, and the exit code is 0 exactly when it
 * succeeded.
 */
export class ToolTerminal implements vscode.Pseudoterminal {
  readonly #title: string;
  readonly #run: RunInTerminal;
  readonly #written = new vscode.EventEmitter<string>();
  readonly #ended = new vscode.EventEmitter<number>();
  readonly #cancel = new AbortController();
  #lastProgress = -Infinity;

  readonly onDidWrite = this.#written.event;
  readonly onDidClose = this.#ended.event;

  constructor(title: string, run: RunInTerminal) {
    this.#title = title;
    this.#run = run;
  }

  /** Called when the terminal is there; VS Code shows nothing that is written earlier. */
  open(): void {
    void this.#runToEnd();
  }

  /** Called when the task was ended, or its terminal closed. */
  close(): void {
    this.#cancel.abort();
  }

  handleInput(data: string): void {
    if (data === interrupt) {
      this.#cancel.abort();
    }
  }

  async #runToEnd(): Promise<void> {
    this.#write(this.#title);
    const exitCode = await this.#succeeds();
    this.#ended.fire(exitCode ? 0 : 1);
    this.#written.dispose();
    this.#ended.dispose();
  }

  async #succeeds(): Promise<boolean> {
    try {
      const result = await this.#run(this.#cancel.signal, (progress) => this.#report(progress));
      this.#write(resultDocument(toResultItems(result), result.isError).text);
      return !result.isError;
    } catch (error) {
      this.#write(this.#cancel.signal.aborted ? vscode.l10n.t('The tool was cancelled.') : failureText(error));
      return false;
    }
  }

  #report({ value, total, message }: ToolProgress): void {
    const now = performance.now();
    if (now - this.#lastProgress < betweenProgressMs) {
      return;
    }
    this.#lastProgress = now;
    const share = total === undefined ? String(value) : `${value} / ${total}`;
    this.#write(message === undefined ? share : `${share} ${message}`);
  }

  #write(text: string): void {
    this.#written.fire(terminalText(text));
  }
}

/** Says why there is no result, and what to do about it. */
function failureText(error: unknown): string {
  const advice = isAppError(error) ? (callAdvice(error.code) ?? adviceFor(error)) : undefined;
  return [errorSentence(error), ...(advice === undefined ? [] : [advice])].join(' ');
}

function callAdvice(code: string): string | undefined {
  switch (code) {
    case 'runTool.unknownServer':
    case 'host.unknownTool':
      return vscode.l10n.t('The view “MCP Servers” lists what there is.');
    case 'runTool.notRunning':
    case 'runTool.startNotAllowed':
      return vscode.l10n.t('Start it in the view “MCP Servers”.');
    default:
      return undefined;
  }
}
