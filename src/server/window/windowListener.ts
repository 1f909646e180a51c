import { Late } from '../../base/late.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { Event } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { SettingReading } from '../../contract/settings/readSetting.ts';
import type { IgnorableSettingName, SettingName, SettingValue, WindowSettingName } from '../../contract/settings/settings.ts';
import type { EmbeddedServer, EmbeddedServerState } from './serverCore.ts';

/** The settings and the trust that decide whether and how the window listens. */
export interface ListenerWishes {
  get<N extends IgnorableSettingName>(name: N): SettingValue<N>;
  read<N extends WindowSettingName>(name: N): SettingReading<N>;
  readonly onDidChange: Event<(name: SettingName) => boolean>;
  isTrusted(): boolean;
}

/** Reports how a start went. */
export interface ListenerReports {
  limits(limits: SettingReading<'duplex.server.limits'>): void;
  started(state: EmbeddedServerState): void;
  failed(error: unknown): void;
}

type Listening = Pick<EmbeddedServer, 'state' | 'start' | 'stop'>;

export interface WindowListenerOptions<S extends Listening> {
  readonly wishes: ListenerWishes;
  /** Makes the server; its code is loaded on first use. */
  readonly create: () => Promise<S>;
  /** Forgets what was allowed to the window tokens of the listener that has stopped. */
  readonly forgetWindowTokens: () => void;
  readonly reports: ListenerReports;
}

/** When one of these settings changes, the listener is restarted. */
const listenerSettings = [
  'duplex.server.enabled',
  'duplex.server.port',
  'duplex.server.allowedOrigins',
  'duplex.server.limits',
  'duplex.server.tls',
] as const;

/**
 * Starts and stops the server of the window. It is made on first use, and listens only while the window is trusted and the server
 * enabled.
 */
export class WindowListener<S extends Listening> implements Disposable {
  readonly #options: WindowListenerOptions<S>;
  readonly #lifetime = new DisposableStore();
  readonly #server: Late<S>;
  readonly #changes = new Sequencer();

  constructor(options: WindowListenerOptions<S>) {
    this.#options = options;
    this.#server = new Late(() => options.create());
    this.#lifetime.add(
      options.wishes.onDidChange((affects) => {
        if (listenerSettings.some(affects)) {
          void this.apply();
        }
      }),
    );
  }

  /** The server; `undefined` before its first use. */
  get server(): S | undefined {
    return this.#server.made;
  }

  get state(): EmbeddedServerState {
    return this.server?.state ?? { kind: 'stopped' };
  }

  /** The port that the person chose; `undefined` if every start has another port. */
  get fixedPort(): number | undefined {
    return this.#options.wishes.get('duplex.server.port') || undefined;
  }

  /** The port on which the window listens; waits for a start that is under way. */
  async ownPort(): Promise<number | undefined> {
    await this.#changes.idle();
    const { state } = this;
    return state.kind === 'listening' ? state.port : undefined;
  }

  load(): Promise<S> {
    return this.#server.get();
  }

  /** Starts or stops the listener as trust and settings demand, one change after the other. Never rejects. */
  apply(): Promise<void> {
    return this.#changes.run(() => this.#applyNow()).catch((error: unknown) => this.#options.reports.failed(error));
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #applyNow(): Promise<void> {
    const { wishes, reports, forgetWindowTokens } = this.#options;
    await this.server?.stop();
    forgetWindowTokens();
    const server = this.#isWanted() ? await this.load() : undefined;
    if (server === undefined || !this.#isWanted()) {
      return; // it may have been switched off while the server was loading
    }
    const limits = wishes.read('duplex.server.limits');
    reports.limits(limits);
    const state = await server.start({
      port: wishes.get('duplex.server.port'),
      allowedOrigins: wishes.get('duplex.server.allowedOrigins'),
      limits: limits.kind === 'valid' ? limits.value : limits.rest,
      tls: wishes.read('duplex.server.tls'),
    });
    reports.started(state);
  }

  #isWanted(): boolean {
    const { wishes } = this.#options;
    return wishes.isTrusted() && wishes.get('duplex.server.enabled');
  }
}
