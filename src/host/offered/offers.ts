// offered/: servers of this window that the person offers to outside clients: which ones (this file), what of them is listed, and how
// their tools are called on behalf of a client.
import { Emitter, type Event } from '../../base/events.ts';
import { type Disposable, DisposableStore } from '../../base/lifecycle.ts';
import { productName } from '../../contract/identity.ts';
import type { HostRegistry } from '../hostRegistry.ts';
import type { ServerSnapshot } from '../shared/serverState.ts';

/** Where it is kept what the person offers. */
export interface OfferStorage {
  /** The setting of the person: names of their own servers. */
  userNames(): readonly string[];
  setUserNames(names: readonly string[]): Promise<void>;
  /** The servers of this workspace and of other programs' files, by id, with the fingerprint that they were offered with. */
  inWorkspace(): Readonly<Record<string, string>>;
  setInWorkspace(offered: Readonly<Record<string, string>>): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** The registry, as far as it is looked at here. */
export type OfferedRegistry = Pick<HostRegistry, 'servers' | 'find' | 'onDidChange'>;

/**
 * Knows which servers the person offers. Their own are named in a setting that no repository can write. Any other server is offered on
 * its row, in this workspace, as it was started then: when its fingerprint changes, it is offered no more.
 */
export class Offers implements Disposable {
  readonly #registry: OfferedRegistry;
  readonly #storage: OfferStorage;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<void>());

  readonly onDidChange = this.#changed.event;

  constructor(registry: OfferedRegistry, storage: OfferStorage) {
    this.#registry = registry;
    this.#storage = storage;
    this.#lifetime.add(storage.onDidChange(() => this.#changed.fire()));
  }

  /** Whether a server is offered now. One that does not run is, when it was; what it was started from is compared once it runs. */
  isOffered(server: ServerSnapshot): boolean {
    if (!isOfferable(server)) {
      return false;
    }
    if (isOwn(server)) {
      return this.#storage.userNames().includes(server.name);
    }
    const given = this.#storage.inWorkspace()[server.id];
    const identity = this.#registry.find(server.id)?.identity ?? '';
    return given !== undefined && (identity === '' || identity === given);
  }

  /** Whether the person can offer a server now: one that is not their own must run, because the answer is bound to what runs. */
  canOffer(server: ServerSnapshot): boolean {
    const isBound = isOwn(server) || (server.state.kind === 'ready' && this.#registry.find(server.id)?.identity !== '');
    return isOfferable(server) && isBound && !this.isOffered(server);
  }

  /** What the row of a server says of it. */
  stateOf(server: ServerSnapshot): 'offered' | 'offerable' | undefined {
    if (this.isOffered(server)) {
      return 'offered';
    }
    return this.canOffer(server) ? 'offerable' : undefined;
  }

  async offer(id: string): Promise<void> {
    const server = this.#find(id);
    if (server === undefined || !this.canOffer(server)) {
      return;
    }
    if (isOwn(server)) {
      await this.#storage.setUserNames([...this.#storage.userNames(), server.name]);
    } else {
      const identity = this.#registry.find(id)?.identity ?? '';
      await this.#storage.setInWorkspace({ ...this.#storage.inWorkspace(), [id]: identity });
    }
    this.#changed.fire();
  }

  async stopOffering(id: string): Promise<void> {
    const server = this.#find(id);
    if (server !== undefined && isOwn(server)) {
      await this.#storage.setUserNames(this.#storage.userNames().filter((name) => name !== server.name));
    } else {
      const kept = Object.entries(this.#storage.inWorkspace()).filter(([other]) => other !== id);
      await this.#storage.setInWorkspace(Object.fromEntries(kept));
    }
    this.#changed.fire();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  #find(id: string): ServerSnapshot | undefined {
    return this.#registry.servers().find((server) => server.id === id);
  }
}

/** Whether the definition is in the person's own settings, where no repository writes. Those of a remote machine are not. */
function isOwn({ scope }: ServerSnapshot): boolean {
  return scope === 'user';
}

/**
 * Whether a server can be offered at all. The editor's own server is there for clients already. So is another window of Duplex: two
 * windows that offer each other would offer what they offer for ever.
 */
function isOfferable({ scope, state }: ServerSnapshot): boolean {
  const isDuplex = state.kind === 'ready' && state.serverName.toLowerCase() === productName.toLowerCase();
  const isHere = state.kind === 'stopped' && (state.reason === 'thisEditor' || state.reason === 'disabled');
  return scope !== 'builtIn' && !isDuplex && !isHere;
}
