import type { OpenQuestions } from '../../consent/openQuestions.ts';
import type { HostRegistry } from '../../host/hostRegistry.ts';
import { requireResult, runningServer } from '../../host/tools/runTool.ts';
import type { ToolCaller } from '../../host/tools/toolCaller.ts';
import { toolTasks, type ToolTasks } from '../../views/runner/toolTasks.ts';

export interface ToolTasksJoinOptions {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  readonly questions: OpenQuestions;
}

/** Joins the tasks that run a tool to the host, under permissions of their own. */
export function joinToolTasks({ registry, caller, questions }: ToolTasksJoinOptions): ToolTasks {
  return toolTasks(async ({ server: name, tool, arguments: args, task, isByPerson }, signal, onProgress) => {
    const ask = isByPerson ? questions.askOwn : questions.ask;
    const { id, label } = await runningServer(registry, name, ask, signal);
    const asker = { kind: 'task', name: task } as const;
    const outcome = await caller.call({ principal: 'task', asker, serverId: id, tool, arguments: args, ask, signal, onProgress });
    return requireResult(outcome, label, tool);
  });
}
