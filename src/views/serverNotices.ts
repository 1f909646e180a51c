import type { Disposable } from '../base/lifecycle.ts';
import type { ServerLogs } from '../editor/serverLogs.ts';
import { FailureBatch } from '../host/failureBatch.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { PermissionOffers } from '../host/permissionOffers.ts';
import type { ServerSnapshot } from '../host/shared/serverState.ts';
import { tellOfFailures } from './failureNotice.ts';
import { offerReview, tellNothingWaits, tellRevoked } from './permissionNotice.ts';
import type { ServerStarts } from './serverStarts.ts';

export interface ServerNoticesOptions {
  readonly registry: HostRegistry;
  readonly starts: ServerStarts;
  /** A failure the person caused and knows of. */
  readonly isExpected: (server: ServerSnapshot) => boolean;
  readonly logs: ServerLogs;
}

/** Failures this close together are one event for a person. */
const failureQuietMs = 1_500;
const failureMaxMs = 15_000;

/** What the person is told about servers without asking: those that failed, and those that wait for permission. */
export class ServerNotices implements Disposable {
  readonly #options: ServerNoticesOptions;
  readonly #offers: PermissionOffers;
  readonly #failures: FailureBatch;

  constructor(options: ServerNoticesOptions) {
    this.#options = options;
    this.#offers = new PermissionOffers({
      servers: () => options.registry.servers(),
      show: (waiting) => offerReview(waiting.map((server) => server.label)),
      start: (server) => options.starts.start(server.id),
      tellSettled: tellNothingWaits,
    });
    this.#failures = new FailureBatch({
      quietMs: failureQuietMs,
      maxMs: failureMaxMs,
      tell: (failed) => this.#tell(failed),
    });
  }

  /** To be called when a server's state has changed. */
  update(servers: readonly ServerSnapshot[]): void {
    this.#failures.update(servers);
  }

  /** One notification for all that wait, none beside another, and none twice for the same server. */
  offerReview(): Promise<void> {
    return this.#offers.offer();
  }

  /** The person, or one of their other windows, took back the permission to start. */
  tellRevoked(label: string): void {
    tellRevoked(label);
  }

  dispose(): void {
    this.#failures.dispose();
  }

  #tell(failed: readonly ServerSnapshot[]): void {
    const { starts, isExpected, logs } = this.#options;
    const news = failed.filter((server) => !isExpected(server));
    void tellOfFailures(news, { showLog: (label) => logs.show(label), signIn: (id) => starts.startAndReport(id) });
  }
}
