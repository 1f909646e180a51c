import type { Disposable } from '../base/lifecycle.ts';
import type { ServerLogs } from '../editor/serverLogs.ts';
import { FailureBatch } from '../host/failureBatch.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { PermissionNews } from '../host/permissionNews.ts';
import { needsPermission, type ServerSnapshot } from '../host/shared/serverState.ts';
import { tellOfFailures } from './failureNotice.ts';
import { offerReview, tellRevoked } from './permissionNotice.ts';
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
  readonly #permissionNews = new PermissionNews();
  readonly #failures: FailureBatch;

  constructor(options: ServerNoticesOptions) {
    this.#options = options;
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

  /** One notification for all that wait, and none twice for the same server. */
  async offerReview(): Promise<void> {
    const { registry, starts } = this.#options;
    const news = this.#permissionNews.since(registry.servers());
    if (news.length > 0 && (await offerReview(news.map((server) => server.label)))) {
      const wanted = new Set(news.map((server) => server.id));
      const still = registry.servers().filter((server) => wanted.has(server.id) && needsPermission(server));
      await Promise.all(still.map((server) => starts.start(server.id)));
    }
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
