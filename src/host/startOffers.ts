import type { HostRegistry, StartOptions } from './hostRegistry.ts';
import { needsPermission } from './shared/serverState.ts';

/** Offers servers that wait for permission, each once in this window's life: somebody who said no is not asked with every message. */
export class StartOffers {
  readonly #registry: Pick<HostRegistry, 'servers' | 'start'>;
  readonly #offered = new Set<string>();

  constructor(registry: Pick<HostRegistry, 'servers' | 'start'>) {
    this.#registry = registry;
  }

  async offer(options: StartOptions): Promise<void> {
    const servers = this.#registry.servers();
    // One that ran in between has changed since, and is offered again.
    servers.filter(({ state }) => state.kind === 'ready').forEach(({ id }) => this.#offered.delete(id));
    const waiting = servers.filter((server) => needsPermission(server) && !this.#offered.has(server.id));
    waiting.forEach(({ id }) => this.#offered.add(id));
    await Promise.all(waiting.map((server) => this.#registry.start(server.id, options)));
  }
}
