import * as vscode from 'vscode';
import { AppError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Ask } from '../consent/consentGate.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { toResultItems } from '../host/resultItems.ts';
import type { RawToolResult } from '../host/serverSession.ts';
import type { ServerSnapshot } from '../host/serverState.ts';
import type { ToolCaller, ToolOutcome } from '../host/toolCaller.ts';
import { nativeText } from '../views/nativeText.ts';
import { askArguments, pickTool, type PickedTool } from '../views/pickTool.ts';
import type { ReadOnlyDocuments } from '../views/readOnlyDocuments.ts';
import { resultText } from '../views/resultText.ts';
import { readToolCall } from '../views/toolCallArgument.ts';
import { ToolProgressNotice } from '../views/toolProgress.ts';

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
  throw new AppError('host.notRunning', `The server “${name}” is not running.${whyNot(now)}`, { args: { server: name } });
}

function whyNot(server: ServerSnapshot | undefined): string {
  const state = server?.state;
  if (state?.kind === 'failed') {
    return ` ${state.error.message}`;
  }
  return state?.kind === 'stopped' && state.reason === 'needsConsent' ? ' It was not allowed to start.' : '';
}

function isWaiting(reason: string): boolean {
  return reason === 'neverStarted' || reason === 'needsConsent';
}

function unknownServer(servers: readonly ServerSnapshot[], name: string): AppError {
  const same = servers.filter((server) => server.name === name).map(({ label }) => label);
  const message =
    same.length === 0 ? `There is no server “${name}”.` : `There are several servers “${name}”; say which: ${same.join(' or ')}.`;
  return new AppError('host.unknownServer', message, { args: { id: name } });
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
    case 'denied': {
      const message = outcome.by === 'person' ? 'was not allowed.' : 'is not allowed: a remembered answer says so.';
      throw new AppError('runTool.denied', `Running “${tool}” of “${server}” ${message}`, { args: { server, tool } });
    }
    case 'cancelled':
      throw new AppError('runTool.cancelled', `Running “${tool}” of “${server}” was cancelled.`, { args: { server, tool } });
    case 'failed':
      throw outcome.error;
  }
}
