import type { Disposable } from '../../base/lifecycle.ts';
import { machineIdentity } from '../../platform/machineIdentity.ts';
import type { OauthProvider } from '../oauth/oauthProvider.ts';
import { createEndpoints, type Endpoints, type EndpointsOptions } from '../wire/endpoints.ts';
import type { ServerUrls } from '../wire/serverUrls.ts';
import { openListener, type OpenedListener, type OpenListenerOptions } from './openListener.ts';
import { WindowDiscovery, type DiscoveryState, type WindowDiscoveryOptions } from './windowDiscovery.ts';

export type RunningOptions = EndpointsOptions &
  Omit<OpenListenerOptions, keyof Endpoints> &
  Omit<WindowDiscoveryOptions, 'machine' | 'port' | 'urls' | 'certificateSha256'>;

/** What exists between `start` and `stop`: the listener, what answers on it, sign-in, and the discovery file. */
export class Running implements Disposable {
  readonly port: number;
  /** The configured port, when it was taken and another one had to do. */
  readonly takenPort: number | undefined;
  readonly urls: ServerUrls;
  readonly oauth: OauthProvider;
  readonly #listener: OpenedListener['listener'];
  readonly #endpoints: Endpoints;
  readonly #discovery: WindowDiscovery;

  static async open(options: RunningOptions): Promise<Running> {
    const endpoints = createEndpoints(options);
    try {
      const machine = await machineIdentity();
      const { routes, upgrades } = endpoints;
      const opened = await openListener({ ...options, routes, upgrades });
      const { port, urls } = opened;
      const discovery = new WindowDiscovery({ ...options, machine, port, urls, certificateSha256: options.tls?.certificateSha256 });
      return new Running(opened, endpoints, discovery);
    } catch (error) {
      endpoints.webSockets.dispose();
      endpoints.hub.dispose();
      throw error;
    }
  }

  private constructor({ listener, oauth, port, takenPort, urls }: OpenedListener, endpoints: Endpoints, discovery: WindowDiscovery) {
    this.port = port;
    this.takenPort = takenPort;
    this.urls = urls;
    this.oauth = oauth;
    this.#listener = listener;
    this.#endpoints = endpoints;
    this.#discovery = discovery;
  }

  publish(): Promise<DiscoveryState> {
    return this.#discovery.publish();
  }

  /** Before their sessions end: then a client hears that the server goes, and not that it was turned out. */
  closeWebSockets(): void {
    this.#endpoints.webSockets.dispose();
  }

  /** Ends everything but the connections themselves; `close` or `closeNow` is for those. */
  dispose(): void {
    this.#endpoints.hub.dispose();
    this.oauth.dispose();
    this.#discovery.dispose();
  }

  /** After `dispose`. Lets answers on their way finish, for at most `graceMs`. */
  async close(graceMs: number): Promise<void> {
    await Promise.all([this.#listener.close(graceMs), this.#discovery.settled(), this.oauth.settled()]);
  }

  /** After `dispose`, for the end of the process. */
  closeNow(): void {
    this.#listener.closeNow();
  }
}
