import { neverAborted } from '../../base/abort.ts';
import { type AppError, errorMaker, type SentenceTable } from '../../base/errors.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { RawToolResult } from '../connection/serverSession.ts';
import type { HostRegistry } from '../hostRegistry.ts';
import type { ServerSnapshot } from '../shared/serverState.ts';
import type { CallOutcome } from './toolCaller.ts';

/** Finds a running server by its unique label. A server that only waits to be started is started, with its own question. */
export async function runningServer(
  registry: Pick<HostRegistry, 'servers' | 'start' | 'requireTrust'>,
  name: string,
  ask: Ask,
  signal = neverAborted(),
): Promise<ServerSnapshot> {
  registry.requireTrust();
  const server = registry.servers().find(({ label }) => label === name);
  if (server === undefined) {
    throw unknownServer(registry.servers(), name);
  }
  const { state } = server;
  if (state.kind === 'starting' || state.kind === 'failed' || (state.kind === 'stopped' && isWaiting(state.reason))) {
    await registry.start(server.id, { ask, signal });
  }
  signal.throwIfAborted();
  const now = registry.servers().find(({ id }) => id === server.id);
  if (now?.state.kind === 'ready') {
    return now;
  }
  throw notRunning(now, name);
}

/** Starts the server if necessary, with its own question, because the person has just asked for it: even one that they had stopped. */
export async function startedServer(
  registry: Pick<HostRegistry, 'servers' | 'start' | 'requireTrust' | 'labelOf'>,
  id: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<ServerSnapshot> {
  registry.requireTrust();
  const find = (): ServerSnapshot | undefined => registry.servers().find((server) => server.id === id);
  if (find()?.state.kind !== 'ready') {
    await registry.start(id, { ask, signal });
  }
  signal.throwIfAborted();
  const now = find();
  if (now?.state.kind === 'ready') {
    return now;
  }
  throw notRunning(now, registry.labelOf(id));
}

function notRunning(found: ServerSnapshot | undefined, server: string): AppError {
  const state = found?.state;
  if (state?.kind === 'failed') {
    return calledServerError('runTool.startFailed', { server, reason: state.error.message }, { cause: state.error });
  }
  const isRefused = state?.kind === 'stopped' && state.reason === 'needsConsent';
  return calledServerError(isRefused ? 'runTool.startNotAllowed' : 'runTool.notRunning', { server });
}

function isWaiting(reason: string): boolean {
  return reason === 'neverStarted' || reason === 'needsConsent';
}

function unknownServer(servers: readonly ServerSnapshot[], name: string): AppError {
  const same = servers.filter((server) => server.name === name).map(({ label }) => label);
  return same.length === 0
    ? calledServerError('runTool.unknownServer', { server: name })
    : calledServerError('runTool.severalServers', { server: name, labels: same.join(', ') });
}

/** Returns the result of a call, and throws every other outcome. */
export function requireResult(outcome: CallOutcome, server: string, tool: string): RawToolResult {
  switch (outcome.kind) {
    case 'result':
      return outcome.result;
    case 'denied':
      throw toolRunError(outcome.by === 'person' ? 'runTool.denied' : 'runTool.deniedBefore', { server, tool });
    case 'cancelled':
      throw toolRunError('runTool.cancelled', { server, tool });
    case 'failed':
      throw outcome.error;
  }
}

/** Why the call of a tool has no result. */
export const toolRunErrorTable = {
  'runTool.denied': 'Running “{tool}” of “{server}” was not allowed.',
  'runTool.deniedBefore':
    'Running “{tool}” of “{server}” is refused by a stored answer (“Always deny”). Take it back with “Duplex: Manage Permissions”.',
  'runTool.cancelled': 'Running “{tool}” of “{server}” was cancelled.',
} as const satisfies SentenceTable;

const toolRunError = errorMaker(toolRunErrorTable);

/** Why a server cannot be called by its name. */
export const calledServerErrorTable = {
  'runTool.unknownServer': 'There is no server “{server}”.',
  'runTool.severalServers': 'There are several servers “{server}”; say which: {labels}.',
  'runTool.notRunning': 'The server “{server}” is not running.',
  'runTool.startNotAllowed': 'The server “{server}” is not running. It was not allowed to start.',
  'runTool.startFailed': 'The server “{server}” is not running. {reason}',
} as const satisfies SentenceTable;

export const calledServerError = errorMaker(calledServerErrorTable);
