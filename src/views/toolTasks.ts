import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { toolTaskType } from '../contract/identity.ts';
import { toolTaskDefinition } from '../contract/toolTask.ts';
import { startsWithFolder } from '../editor/acting/startsWithFolder.ts';
import { configuredTasks } from '../editor/settingsReader.ts';
import type { RunInTerminal } from './toolTerminal.ts';
import { ToolTerminal } from './toolTerminal.ts';
import { viewError } from './sentences/viewErrors.ts';
import type { NamedToolCall } from './toolCallArgument.ts';

export interface ToolTaskCall extends NamedToolCall {
  /** Of the task, as tasks.json has it. */
  readonly task: string;
  /** The person may have started it; not so when it, or one that needs it, starts with its folder. */
  readonly isByPerson: boolean;
}

export type RunToolTask = (call: ToolTaskCall, ...rest: Parameters<RunInTerminal>) => ReturnType<RunInTerminal>;

/** What VS Code asks for when a task of tasks.json is about to run. */
export interface ToolTasks {
  resolveTask(task: vscode.Task): vscode.Task;
}

/** Tasks of the type `duplex`, as tasks.json has them. Offers none by itself: what a task may do stands where people can read it. */
export function toolTasks(run: RunToolTask): ToolTasks {
  return {
    resolveTask: (task) => {
      const { definition, name, scope = vscode.TaskScope.Workspace } = task;
      // What VS Code hands over here has its variables replaced.
      const execution = new vscode.CustomExecution((resolved) =>
        Promise.resolve(
          new ToolTerminal(
            vscode.l10n.t('Running the tool “{0}” of the MCP server “{1}”', text(resolved['tool']), text(resolved['server'])),
            (...rest) => run({ ...readDefinition(resolved), task: name, isByPerson: !isAutomatic(task) }, ...rest),
          ),
        ),
      );
      // What a tool says is no compiler's output: without this VS Code asks how to read it before every first run.
      return new vscode.Task(definition, scope, name, toolTaskType, execution, []);
    },
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readDefinition(definition: vscode.TaskDefinition): NamedToolCall {
  const read = toolTaskDefinition.safeParse(definition);
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
