import { AppError } from '../base/errors.ts';
import type { Ask } from '../consent/consentGate.ts';
import type { HostRegistry } from './hostRegistry.ts';
import type { ServerSnapshot } from './serverState.ts';

/** By the name that means one server; a server that only waits to be started is started, with its own question. */
export async function runningServer(registry: Pick<HostRegistry, 'servers' | 'start'>, name: string, ask: Ask): Promise<ServerSnapshot> {
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
