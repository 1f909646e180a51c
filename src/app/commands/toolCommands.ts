import { neverAborted } from '../../base/abort.ts';
import { systemClock } from '../../base/clock.ts';
import { requireResult } from '../../host/requireResult.ts';
import { runningServer, startedServer } from '../../host/runningServer.ts';
import type { RawToolResult } from '../../host/serverSession.ts';
import { hostError } from '../../host/shared/hostErrors.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { pickTool, type PickedTool } from '../../views/pickTool.ts';
import { pickedToolOf } from '../../views/serverNodes.ts';
import { isFromCaller, readToolCall } from '../../views/toolCallArgument.ts';
import { toolChoices } from '../../views/toolChoices.ts';
import { callWithProgress } from '../../views/toolProgress.ts';
import type { CommandContext } from './commandContext.ts';

/** `runTool` answers other programs of the editor as well as the person. */
export function toolCommands(context: CommandContext): Pick<CommandHandlers, 'runTool'> {
  return {
    runTool: (argument) =>
      isFromCaller(argument) ? runToolForCaller(context, argument) : runToolForPerson(context, pickedToolOf(argument)),
  };
}

/** For key bindings and other extensions: the result, or a rejection with the reason, which VS Code shows for a key. Never uses the chat's grants. */
async function runToolForCaller({ host, questions: { ask }, byHand }: CommandContext, argument: unknown): Promise<RawToolResult> {
  const { server: name, tool, arguments: args, show } = readToolCall(argument);
  const server = await runningServer(host.registry, name, ask);
  let started = { arguments: args, at: systemClock.now() };
  const outcome = await callWithProgress(host.caller, server, {
    principal: 'command',
    asker: { kind: 'command' },
    tool,
    arguments: args,
    ask,
    onStart: (sent) => {
      started = { arguments: sent, at: systemClock.now() };
    },
  });
  const elapsedMs = systemClock.now() - started.at;
  const result = requireResult(outcome, server.label, tool);
  if (show) {
    await byHand.runners.showRun({ serverId: server.id, tool }, { kind: 'ended', arguments: started.arguments, outcome, elapsedMs });
  }
  return result;
}

/** For a person: a list to choose from, and a tab with a form. */
async function runToolForPerson(context: CommandContext, given: ReturnType<typeof pickedToolOf>): Promise<void> {
  const { host, questions, byHand } = context;
  const { registry } = host;
  registry.requireTrust();
  const pick = (servers: readonly ServerSnapshot[], only?: ServerSnapshot): Promise<PickedTool | undefined> =>
    pickTool(
      toolChoices(servers, (id) => byHand.known.of(id), byHand.kept.recent()),
      only,
    );
  let picked = given === undefined ? await pick(registry.servers()) : { serverId: given.server.id, tool: given.tool.name };
  while (picked !== undefined) {
    const { serverId, tool: name } = picked;
    const server = await startedServer(registry, serverId, questions.askOwn, neverAborted());
    if (name !== undefined) {
      const tool = server.tools.find((each) => each.name === name);
      if (tool === undefined) {
        throw hostError('host.unknownTool', { server: server.label, tool: name });
      }
      await byHand.runners.open(serverId, tool);
      return;
    }
    picked = await pick([server], server); // whose tools are known now
  }
}
