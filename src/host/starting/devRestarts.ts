import { neverAborted } from '../../base/abort.ts';
import { systemClock, type Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { WorkspaceFolder } from '../../definitions/serverDefinition.ts';
import type { HostRegistry } from '../hostRegistry.ts';
import type { ServerState } from '../shared/serverState.ts';

export interface DevRestartsOptions {
  readonly registry: Pick<HostRegistry, 'servers' | 'definitionOf' | 'restart' | 'onDidChange'>;
  readonly folders: () => readonly WorkspaceFolder[];
  /** Calls `onChange` for every file that is created, changed or deleted. */
  readonly watch: (folder: string, patterns: readonly string[], onChange: () => void) => Disposable;
  readonly logFor: (label: string) => Log;
  readonly clock?: Clock | undefined;
}

/** A build writes many files: the restart comes after the last one. */
const restMs = 300;
/** The most restarts within `withinMs`: a server that writes a watched file itself would be restarted for ever. */
const maxRestarts = 10;
/** The time, in ms, within which the restarts of a server are counted. */
const withinMs = 60_000;

interface WatchedFiles {
  readonly wish: string;
  readonly folder: string;
  readonly patterns: readonly string[];
}

interface Watched {
  readonly wish: string;
  readonly lifetime: DisposableStore;
  timer: Disposable | undefined;
  /** The times of its latest restarts. */
  restarts: readonly number[];
  isRestarting: boolean;
}

/**
 * Restarts servers whose definition names files to watch (`dev.watch`) when one of these changes. Nobody is asked: a server
 * without permission stays stopped.
 */
export class DevRestarts implements Disposable {
  readonly #options: DevRestartsOptions;
  readonly #clock: Clock;
  readonly #lifetime = new DisposableStore();
  readonly #watched = new Map<string, Watched>();

  constructor(options: DevRestartsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#lifetime.add(options.registry.onDidChange(() => this.#follow()));
    this.#follow();
  }

  dispose(): void {
    this.#lifetime.dispose();
    [...this.#watched.keys()].forEach((id) => this.#leave(id));
  }

  #follow(): void {
    const servers = this.#options.registry.servers();
    const wanted = new Map(
      servers.flatMap(({ id, state }) => {
        const isMeant = isWanted(state) || this.#watched.get(id)?.isRestarting === true;
        const files = isMeant ? this.#filesOf(id) : undefined;
        return files === undefined ? [] : [[id, files] as const];
      }),
    );
    [...this.#watched].filter(([id, { wish }]) => wanted.get(id)?.wish !== wish).forEach(([id]) => this.#leave(id));
    [...wanted].filter(([id]) => !this.#watched.has(id)).forEach(([id, files]) => this.#watch(id, files));
  }

  #filesOf(id: string): WatchedFiles | undefined {
    const definition = this.#options.registry.definitionOf(id);
    const folder = (definition?.folder ?? this.#options.folders()[0])?.path;
    const watch = definition?.kind === 'stdio' ? definition.raw.dev?.watch : undefined;
    if (watch === undefined || folder === undefined) {
      return undefined;
    }
    const patterns = typeof watch === 'string' ? [watch] : watch;
    return { wish: JSON.stringify([folder, patterns]), folder, patterns };
  }

  #watch(id: string, { wish, folder, patterns }: WatchedFiles): void {
    const watched: Watched = { wish, lifetime: new DisposableStore(), timer: undefined, restarts: [], isRestarting: false };
    this.#watched.set(id, watched);
    watched.lifetime.add(this.#options.watch(folder, patterns, () => this.#restartSoon(id, watched)));
  }

  #leave(id: string): void {
    const watched = this.#watched.get(id);
    this.#watched.delete(id);
    watched?.timer?.dispose();
    watched?.lifetime.dispose();
  }

  #restartSoon(id: string, watched: Watched): void {
    watched.timer?.dispose();
    watched.timer = this.#clock.schedule(restMs, () => {
      watched.timer = undefined;
      void this.#restart(id, watched);
    });
  }

  async #restart(id: string, watched: Watched): Promise<void> {
    const server = this.#options.registry.servers().find((each) => each.id === id);
    if (server === undefined || this.#watched.get(id) !== watched) {
      return;
    }
    if (watched.isRestarting) {
      this.#restartSoon(id, watched); // the server that starts now may have read the file before it changed
      return;
    }
    const log = this.#options.logFor(server.label);
    const now = this.#clock.now();
    watched.restarts = [...watched.restarts.filter((at) => now - at < withinMs), now];
    if (watched.restarts.length > maxRestarts) {
      watched.lifetime.dispose(); // it is watched again once it was stopped and started
      log.warn(`Its files change all the time: it was restarted ${maxRestarts} times within a minute and is not watched any more.`);
      return;
    }
    log.info('One of its files changed; it is restarted.');
    watched.isRestarting = true;
    try {
      await this.#options.registry.restart(id, { signal: neverAborted() });
    } catch (error) {
      log.warn(`It could not be restarted: ${messageOf(error)}`);
    } finally {
      watched.isRestarting = false;
      this.#follow();
    }
  }
}

/** A failed server counts too: a change of its file may mend it. */
function isWanted(state: ServerState): boolean {
  return state.kind !== 'stopped';
}
