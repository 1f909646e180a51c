import { needsPermission, type ServerSnapshot } from './shared/serverState.ts';

/** Tells, from one look at the servers to the next, which of them have come to wait for permission. */
export class PermissionNews {
  #noticed: ReadonlySet<string> = new Set();

  since(servers: readonly ServerSnapshot[]): readonly ServerSnapshot[] {
    const waiting = servers.filter(needsPermission);
    const news = waiting.filter((server) => !this.#noticed.has(server.id));
    // One that was running and waits again has changed, and is news again.
    this.#noticed = new Set(waiting.map((server) => server.id));
    return news;
  }
}
