import { needsPermission, needsSignIn, type ServerSnapshot } from '../../host/shared/serverState.ts';

/**
 * Finds the servers that begin to need the person while they look at the sidebar, so that the view of servers opens for them. Each is
 * found once for each time that it needs something: a person who closes the view again is not argued with.
 */
export class ServersInNeed {
  #told: ReadonlySet<string> = new Set();

  /** The first server that needs the person since the last look. While nobody looks, nothing counts as told. */
  look(servers: readonly ServerSnapshot[], isLooking: boolean): ServerSnapshot | undefined {
    const needy = servers.filter(needsPerson);
    const news = needy.find(({ id }) => !this.#told.has(id));
    const told = isLooking ? needy : needy.filter(({ id }) => this.#told.has(id));
    this.#told = new Set(told.map(({ id }) => id));
    return isLooking ? news : undefined;
  }
}

/** Whether only the person can go on: with a permission, a sign-in, or by looking why it failed for good. */
function needsPerson(server: ServerSnapshot): boolean {
  const { state } = server;
  return needsPermission(server) || needsSignIn(server) || (state.kind === 'failed' && state.retryAt === undefined);
}
