import { Late } from '../../base/late.ts';
import { Sequencer } from '../../base/sequencer.ts';
import type { Event } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { SettingReading } from '../../contract/settings/readSetting.ts';
import type { IgnorableSettingName, SettingName, SettingValue, WindowSettingName } from '../../contract/settings/settings.ts';
import type { EmbeddedServer, ServerState } from './serverCore.ts';

/** What decides whether and how the window listens. */
export interface ListenerWishes {
  get<N extends IgnorableSettingName>(name: N): SettingValue<N>;
  read<N extends WindowSettingName>(name: N): SettingReading<N>;
  readonly onDidChange: Event<(name: SettingName) => boolean>;
  isTrusted(): boolean;
}

/** Who hears how it went. */
export interface ListenerReports {
  limits(limits: SettingReading<'duplex.server.limits'>): void;
  started(state: ServerState): void;
  failed(error: unknown): void;
}

type Listening = Pick<EmbeddedServer, 'state' | 'start' | 'stop'>;

export interface WindowListenerOptions<S extends Listening> {
  readonly wishes: ListenerWishes;
  /** Its code is loaded with the first use. */
  readonly create: () => Promise<S>;
  /** Of the listener that was: its end is the end of what was allowed to its window tokens. */
  readonly forgetWindowTokens: () => void;
  readonly reports: ListenerReports;
}

/** A change of one of these is a new start of the listener. */
const listenerSettings = [
  'duplex.server.enabled',
  'duplex.server.port',
  'duplex.server.allowedOrigins',
  'duplex.server.limits',
  'duplex.server.tls',
] as const;

/** The window's server, made on first use; it listens in a trusted window and while enabled, and nowhere else. */
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

  /** Undefined before its first use. */
  get server(): S | undefined {
    return this.#server.made;
  }

  get state(): ServerState {
    return this.server?.state ?? { kind: 'stopped' };
  }

  /** The port the person chose; none: every start has another. */
  get fixedPort(): number | undefined {
    return this.#options.wishes.get('duplex.server.port') || undefined;
  }

  /** Waits for a start that is under way. */
  async ownPort(): Promise<number | undefined> {
    await this.#changes.idle();
    const { state } = this;
    return state.kind === 'listening' ? state.port : undefined;
  }

  load(): Promise<S> {
    return this.#server.get();
  }

  /** Brings the listener into the state that trust and settings ask for, one change after the other. Never rejects. */
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
      return; // also when it was switched off while the server was loading
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
