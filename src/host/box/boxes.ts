import { Emitter } from '../../base/events.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { StartServerQuestion } from '../../contract/questions/serverQuestions.ts';
import type { PreparedLaunch } from '../../definitions/prepareLaunch.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ChildSpec, ServerProcess } from '../processes/serverProcess.ts';
import type { BoxPlan } from './boxPlan.ts';

export interface BoxesOptions {
  /** Where each confined server has a folder of its own. */
  readonly folder: string;
  readonly userHome: string;
  /** The environment variables of the editor itself. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Further places that no box reads: those of VS Code and of Duplex. */
  readonly secretPlaces: readonly string[];
  /** Another program than macOS's own to make boxes with. */
  readonly sandboxProgram?: string | undefined;
}

/** Why a server cannot run confined. */
export type BoxObstacle = NonNullable<NonNullable<StartServerQuestion['box']>['obstacle']>;

export type BoxOffer = { readonly kind: 'ready'; readonly plan: BoxPlan } | { readonly kind: 'obstacle'; readonly obstacle: BoxObstacle };

export interface BoxWishes {
  readonly folders: readonly string[];
  readonly isOfRepository: boolean;
  /** The hosts that the person allowed before. */
  readonly allowedHosts: readonly string[];
}

/** Starts a process, and makes sure that it does not outlive the window. */
export interface BoxStarter {
  start(spec: ChildSpec): ServerProcess;
  /** Called instead of `start` when nothing will be started: what was made for that is cleared away. */
  discard?(): void;
}

export interface BoxStart {
  readonly starter: BoxStarter;
  readonly log: Log;
  /** Fires when the start is given up. */
  readonly signal: AbortSignal;
}

/** A start whose box is made: what to start, and what starts it. */
export interface BoxedStart {
  readonly spec: ChildSpec;
  readonly starter: BoxStarter;
}

/** The boxes of confined servers in this window: what they offer, and which hosts were refused in them. */
export class Boxes implements Disposable {
  readonly #options: BoxesOptions;
  readonly #wanted = new Map<string, Set<string>>();
  readonly #allowing = new Map<string, Set<string>>();
  readonly #changed = new Emitter<void>();
  #trial: Promise<BoxObstacle | undefined> | undefined;

  /** Fired when a server wanted another host. */
  readonly onDidChange = this.#changed.event;

  constructor(options: BoxesOptions) {
    this.#options = options;
  }

  /** The box that a server would have, or why it can have none. Nothing is started for that, and no box is tried yet. */
  async offer(launch: PreparedLaunch, wishes: BoxWishes): Promise<BoxOffer> {
    const { offerBox } = await import('./boxStart.ts');
    const allowing = this.#allowing.get(launch.definition.id) ?? [];
    return offerBox(launch, { ...wishes, allowedHosts: [...wishes.allowedHosts, ...allowing] }, this.#options);
  }

  /**
   * Tries a box on this machine, once in a window: until one has held what it must, none is offered and none is used. What did not hold is
   * tried again the next time, since the person may have mended it.
   */
  async try(): Promise<BoxObstacle | undefined> {
    const { tryBoxes } = await import('./boxStart.ts');
    const trial = (this.#trial ??= tryBoxes(this.#options));
    const obstacle = await trial;
    if (obstacle !== undefined && this.#trial === trial) {
      this.#trial = undefined;
    }
    return obstacle;
  }

  /** Makes the box. Throws an AppError when it cannot be made or relied on; the server then does not run. */
  async start(launch: PreparedLaunch, plan: BoxPlan, start: BoxStart): Promise<BoxedStart> {
    const { startInBox } = await import('./boxStart.ts');
    const obstacle = await this.try();
    if (obstacle?.kind === 'unreliable') {
      throw hostError('host.boxUnreliable', {}, { detail: `${obstacle.probes.join(', ')} ${obstacle.said}` });
    }
    const { id } = launch.definition;
    this.#wanted.delete(id);
    return startInBox(launch, plan, { ...start, ...this.#options, onRefused: (host) => this.#want(id, host, start.log) });
  }

  /** The hosts that a server wanted since its start and may not reach. */
  wantedHosts(serverId: string): readonly string[] {
    return [...(this.#wanted.get(serverId) ?? [])];
  }

  /** The person wants to let a server reach a host: the question of its next start has it. Until that is answered, nothing is allowed. */
  proposeHost(serverId: string, host: string): void {
    this.#allowing.set(serverId, new Set([...(this.#allowing.get(serverId) ?? []), host]));
  }

  /** Forgets the proposed hosts: the question about them was answered. */
  endProposal(serverId: string): void {
    this.#allowing.delete(serverId);
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #want(serverId: string, host: string, log: Log): void {
    log.warn(`It runs confined and wanted to reach ${host}, which is not allowed.`);
    this.#wanted.set(serverId, new Set([...(this.#wanted.get(serverId) ?? []), host]));
    this.#changed.fire();
  }
}
