import type { Disposable } from '../base/lifecycle.ts';
import type { ServerLogs } from '../editor/serverLogs.ts';
import type { SignedInServers } from '../host/signedInServers.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { isFreshStart, lineFor, StateChanges } from '../host/stateChanges.ts';
import type { ServerNotices } from '../views/serverNotices.ts';

export interface StateJoinOptions {
  readonly registry: HostRegistry;
  readonly signedIn: SignedInServers;
  readonly notices: ServerNotices;
  readonly logs: ServerLogs;
}

/** Joins the states of the servers to their logs, to the sign-ins and to what the person is told. */
export function joinStates({ registry, signedIn, notices, logs }: StateJoinOptions): Disposable {
  const stateChanges = new StateChanges();
  return registry.onDidChange(() => {
    const servers = registry.servers();
    const changes = stateChanges.since(servers);
    const changed = changes.map(({ server }) => server);
    signedIn.look(changed);
    changes.filter(isFreshStart).forEach(({ server }) => logs.forgetLines(server.label));
    changed.filter(({ scope }) => scope !== 'builtIn').forEach(({ label, state }) => logs.logFor(label).info(lineFor(state)));
    notices.update(servers);
  });
}
