// starting/: what starts servers without a press of Start: a message that needs one, a sign-in, a changed file.
import type { HostRegistry, StartOptions } from '../hostRegistry.ts';
import { needsPermission, type ServerSnapshot } from '../shared/serverState.ts';

export interface StartOfferOptions extends StartOptions {
  readonly message: string;
  readonly needsAny: boolean;
  readonly named?: readonly string[];
  readonly pinned?: readonly string[];
}

/**
 * Offers the servers that wait for permission and that a message needs: those that it names, or that the person chose for it, and,
 * where one has a pinned tool or any may have what it asks for, each other one once in this window's life, so that nobody who said
 * no is asked with every message.
 */
export class StartOffers {
  readonly #registry: Pick<HostRegistry, 'servers' | 'start'>;
  readonly #offered = new Set<string>();

  constructor(registry: Pick<HostRegistry, 'servers' | 'start'>) {
    this.#registry = registry;
  }

  async offer({ message, needsAny, named = [], pinned = [], ...options }: StartOfferOptions): Promise<void> {
    const servers = this.#registry.servers();
    // A server that ran in between has changed since, and is offered again.
    servers.filter(({ state }) => state.kind === 'ready').forEach(({ id }) => this.#offered.delete(id));
    const isNeeded = ({ id, label }: ServerSnapshot): boolean =>
      isNamed(label, message) || named.includes(id) || ((needsAny || pinned.includes(id)) && !this.#offered.has(id));
    const waiting = servers.filter((server) => needsPermission(server) && isNeeded(server));
    waiting.forEach(({ id }) => this.#offered.add(id));
    await Promise.all(waiting.map((server) => this.#registry.start(server.id, options)));
  }
}

/** Whether a message names a server as people do, with “@”, “/” or “#” before its name. */
function isNamed(label: string, message: string): boolean {
  const [text, name] = [message.toLowerCase(), label.toLowerCase()];
  for (let at = name === '' ? -1 : text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    if (/^[\s(]?[@/#]$/.test(before) && !/^[\p{L}\p{N}_-]/u.test(text.slice(at + name.length, at + name.length + 2))) {
      return true;
    }
  }
  return false;
}
