import type { Ask } from '../../consent/consentGate.ts';
import type { HostRegistry } from '../../host/hostRegistry.ts';
import { requireResult } from '../../host/requireResult.ts';
import { toResultItems } from '../../host/resultItems.ts';
import { runningServer } from '../../host/runningServer.ts';
import type { RawToolResult } from '../../host/serverSession.ts';
import type { ToolCaller } from '../../host/toolCaller.ts';
import type { CommandHandlers } from '../../views/commandTable.ts';
import { askArguments, pickTool, type PickedTool } from '../../views/pickTool.ts';
import type { ReadOnlyDocuments } from '../../views/readOnlyDocuments.ts';
import { resultText } from '../../views/resultText.ts';
import { pickedToolOf } from '../../views/serverNodes.ts';
import { isFromCaller, readToolCall } from '../../views/toolCallArgument.ts';
import { callWithProgress } from '../../views/toolProgress.ts';
import type { CommandContext } from './commandContext.ts';

/** `runTool` answers other programs of the editor as well as the person. */
export function toolCommands({ host, questions, documents }: CommandContext): Pick<CommandHandlers, 'runTool'> {
  const ports = { registry: host.registry, caller: host.caller, documents };
  return {
    runTool: (argument) =>
      isFromCaller(argument)
        ? runToolForCaller({ ...ports, ask: questions.ask }, argument)
        : runToolForPerson({ ...ports, ask: questions.askOwn }, pickedToolOf(argument)),
  };
}

interface RunToolPorts {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  /** Questions go to the consent panel. */
  readonly ask: Ask;
  readonly documents: ReadOnlyDocuments;
}

/** For key bindings and other extensions: the result, or a rejection with the reason. Never uses the chat's grants. */
async function runToolForCaller({ registry, caller, ask }: RunToolPorts, argument: unknown): Promise<RawToolResult> {
  const { server: name, tool, arguments: args } = readToolCall(argument);
  const server = await runningServer(registry, name, ask);
  const outcome = await callWithProgress(caller, server, { principal: 'command', asker: { kind: 'command' }, tool, arguments: args, ask });
  return requireResult(outcome, server.label, tool);
}

/** For a person: pickers for what is not given, and the result as a document. */
async function runToolForPerson({ registry, caller, ask, documents }: RunToolPorts, given: PickedTool | undefined): Promise<void> {
  registry.requireTrust();
  const picked = given ?? (await pickTool(registry.servers()));
  const args = picked === undefined ? undefined : await askArguments(picked);
  if (picked === undefined || args === undefined) {
    return;
  }
  const { server, tool } = picked;
  const outcome = await callWithProgress(caller, server, {
    principal: 'palette',
    asker: { kind: 'person' },
    tool: tool.name,
    arguments: args,
    ask,
  });
  if (outcome.kind === 'cancelled' || (outcome.kind === 'denied' && outcome.by === 'person')) {
    return; // whoever said no knows it
  }
  const result = requireResult(outcome, server.label, tool.name);
  const { extension, text } = resultText(toResultItems(result), result.isError);
  await documents.show(`${server.label} ${tool.name}`, extension, text);
}
