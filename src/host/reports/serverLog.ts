import { startMark } from '../shared/serverLink.ts';
import type { ServerSnapshot, ServerState } from '../shared/serverState.ts';

export interface StateChange {
  readonly server: ServerSnapshot;
  readonly before: ServerState | undefined;
}

/** Finds the servers whose state changed since the last look. */
export class StateChanges {
  readonly #seen = new Map<string, ServerState>();

  since(servers: readonly ServerSnapshot[]): StateChange[] {
    const changes = servers.flatMap((server) => {
      const before = this.#seen.get(server.id);
      return before === server.state || (before !== undefined && lineFor(before) === lineFor(server.state)) ? [] : [{ server, before }];
    });
    this.#seen.clear();
    servers.forEach((server) => this.#seen.set(server.id, server.state));
    return changes;
  }
}

/** Whether this is a new start, not a retry. Before a retry the log is kept: what the server said last is the reason for it. */
export function isFreshStart({ server, before }: StateChange): boolean {
  return server.state.kind === 'starting' && !(before?.kind === 'failed' && before.retryAt !== undefined);
}

/** The line about a state in the server's log. Logs are in English. */
export function lineFor(state: ServerState): string {
  switch (state.kind) {
    case 'ready':
      return `Running: ${state.serverName} ${state.version}, MCP ${state.protocolVersion}; it offers ${state.capabilities.join(', ') || 'nothing'}.`;
    case 'starting':
      return `${startMark}${state.attempt}).`;
    case 'failed': {
      const retry = state.retryAt === undefined ? '' : ` It is tried again at ${new Date(state.retryAt).toISOString()}.`;
      return `Failed: ${state.error.message}${retry}`;
    }
    case 'stopped':
      return stoppedLines[state.reason] ?? `Stopped (${state.reason}).`;
  }
}

const stoppedLines: Readonly<Record<string, string>> = {
  neverStarted: 'Not started yet.',
  byUser: 'Stopped.',
  needsConsent: 'Waiting for permission to start.',
  disabled: 'Disabled in the settings.',
};
