import * as vscode from 'vscode';
import type { AppError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Ask } from '../consent/consentGate.ts';
import { hostError } from '../host/hostErrors.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { toResultItems } from '../host/resultItems.ts';
import type { RawToolResult } from '../host/serverSession.ts';
import type { ServerSnapshot, ServerState } from '../host/serverState.ts';
import type { ToolCaller, ToolOutcome } from '../host/toolCaller.ts';
import { nativeText } from '../views/nativeText.ts';
import { askArguments, pickTool, type PickedTool } from '../views/pickTool.ts';
import type { ReadOnlyDocuments } from '../views/readOnlyDocuments.ts';
import { resultText } from '../views/resultText.ts';
import { readToolCall } from '../views/toolCallArgument.ts';
import { ToolProgressNotice } from '../views/toolProgress.ts';
import { viewError } from '../views/viewErrors.ts';

export interface RunToolPorts {
  readonly registry: HostRegistry;
  readonly caller: ToolCaller;
  /** Questions go to the consent panel. */
  readonly ask: Ask;
  readonly documents: ReadOnlyDocuments;
}

/** For key bindings, tasks and other extensions: the result, or a rejection with the reason. Never uses the chat's grants. */
export async function runToolForCaller(ports: RunToolPorts, argument: unknown): Promise<RawToolResult> {
  const call = readToolCall(argument);
  const server = await runningServer(ports, call.server);
  const outcome = await callTool(ports, 'command', server, call.tool, call.arguments);
  return resultOf(outcome, server.label, call.tool);
}

/** For a person: pickers for what is not given, and the result as a document. */
export async function runToolForPerson(ports: RunToolPorts, given: PickedTool | undefined): Promise<void> {
  const picked = given ?? (await pickTool(ports.registry.servers()));
  const args = picked === undefined ? undefined : await askArguments(picked);
  if (picked === undefined || args === undefined) {
    return;
  }
  const { server, tool } = picked;
  const outcome = await callTool(ports, 'palette', server, tool.name, args);
  if (outcome.kind === 'cancelled' || (outcome.kind === 'denied' && outcome.by === 'person')) {
    return; // whoever said no knows it
  }
  const result = resultOf(outcome, server.label, tool.name);
  const { extension, text } = resultText(toResultItems(result), result.isError);
  await ports.documents.show(`${server.label} ${tool.name}`, extension, text);
}

/** By the name that means one server; a server that only waits to be started is started, with its own question. */
async function runningServer({ registry, ask }: RunToolPorts, name: string): Promise<ServerSnapshot> {
  const server = registry.servers().find(({ label }) => label === name);
  if (server === undefined) {
    throw unknownServer(registry.servers(), name);
  }
  const { state } = server;
  if (state.kind === 'starting' || state.kind === 'failed' || (state.kind === 'stopped' && isWaiting(state.reason))) {
    await registry.start(server.id, { ask, signal: new AbortController().signal });
  }
  const now = registry.servers().find(({ id }) => id === server.id);
  if (now?.state.kind === 'ready') {
    return now;
  }
  throw notRunning(name, now?.state);
}

function notRunning(server: string, state: ServerState | undefined): AppError {
  if (state?.kind === 'failed') {
    return viewError('runTool.startFailed', { server, reason: state.error.message }, { cause: state.error });
  }
  const isNotAllowed = state?.kind === 'stopped' && state.reason === 'needsConsent';
  return isNotAllowed ? viewError('runTool.startNotAllowed', { server }) : hostError('host.notRunning', { server });
}

function isWaiting(reason: string): boolean {
  return reason === 'neverStarted' || reason === 'needsConsent';
}

function unknownServer(servers: readonly ServerSnapshot[], name: string): AppError {
  const same = servers.filter((server) => server.name === name).map(({ label }) => label);
  return same.length === 0
    ? hostError('host.unknownServer', { id: name })
    : viewError('runTool.ambiguousServer', { server: name, labels: same.join(', ') });
}

async function callTool(
  { caller, ask }: RunToolPorts,
  principal: 'palette' | 'command',
  server: ServerSnapshot,
  tool: string,
  args: JsonObject,
): Promise<ToolOutcome> {
  const cancel = new AbortController();
  const title = vscode.l10n.t('Running {0} of {1}', nativeText(tool, 60), nativeText(server.label, 60));
  const notice = new ToolProgressNotice(title, () => cancel.abort());
  try {
    return await caller.call({
      principal,
      serverId: server.id,
      tool,
      arguments: args,
      ask,
      signal: cancel.signal,
      onStart: () => notice.start(),
      onProgress: (progress) => notice.report(progress),
    });
  } finally {
    notice.end();
  }
}

function resultOf(outcome: ToolOutcome, server: string, tool: string): RawToolResult {
  switch (outcome.kind) {
    case 'result':
      return outcome.result;
    case 'denied':
      throw viewError(outcome.by === 'person' ? 'runTool.denied' : 'runTool.deniedBefore', { tool, server });
    case 'cancelled':
      throw viewError('runTool.cancelled', { tool, server });
    case 'failed':
      throw outcome.error;
  }
}
