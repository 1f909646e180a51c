import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifecycle.ts';
import { machineIdentity } from '../../platform/machineIdentity.ts';
import type { ClientApproval } from '../access/clientApproval.ts';
import { RateLimiter } from '../access/limits.ts';
import { IssuedTokensFile, type OauthStorage } from '../oauth/issuedTokens.ts';
import type { PageLanguage } from '../oauth/oauthPages.ts';
import { OauthProvider } from '../oauth/oauthProvider.ts';
import type { SignInPause } from '../oauth/signInPause.ts';
import type { Workbench } from '../seen/workbench.ts';
import { createEndpoints, type Endpoints, type EndpointsOptions, originsOf, type ServerUrls, urlsOf } from '../wire/endpoints.ts';
import { Listener, type ListenerOptions } from '../wire/http/listener.ts';
import { WindowProofs } from '../wire/http/frontDoor.ts';
import { type DiscoveryState, WindowDiscovery, type WindowDiscoveryOptions } from './discovery.ts';

export type RunningOptions = EndpointsOptions &
  Omit<OpenListenerOptions, keyof Endpoints> &
  Omit<WindowDiscoveryOptions, 'machine' | 'port' | 'urls' | 'certificateSha256'>;

/** What exists between `start` and `stop` of the server: the listener, its endpoints, sign-in, and the discovery file. */
export class Running implements Disposable {
  readonly port: number;
  /** The configured port, if it was taken and another one is used. */
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

  /** Closes WebSockets before their sessions end, so that clients hear that the server stops, and not that their session was ended. */
  closeWebSockets(): void {
    this.#endpoints.webSockets.dispose();
  }

  /** Ends everything but the connections themselves, which `close` and `closeNow` end. */
  dispose(): void {
    this.#endpoints.hub.dispose();
    this.oauth.dispose();
    this.#discovery.dispose();
  }

  /** Call it after `dispose`. It lets answers that are being sent finish, for at most `graceMs`. */
  async close(graceMs: number): Promise<void> {
    await Promise.all([this.#listener.close(graceMs), this.#discovery.settled(), this.oauth.settled()]);
  }

  /** Call it after `dispose`, at the end of the process. */
  closeNow(): void {
    this.#listener.closeNow();
  }
}

interface OpenListenerOptions extends Omit<ListenerOptions, 'open' | 'proofs'> {
  readonly approval: Pick<ClientApproval, 'ask'>;
  readonly oauthStorage: OauthStorage | undefined;
  readonly pause: SignInPause;
  readonly pageLanguage: PageLanguage | undefined;
  readonly clock: Clock;
  /** The window token; it is read at every use, because it may have been rotated. */
  readonly token: () => string | undefined;
  readonly workbench: Pick<Workbench, 'answers'>;
}

interface OpenedListener {
  readonly listener: Listener;
  readonly oauth: OauthProvider;
  readonly port: number;
  /** The configured port, if it was taken and another one is used. */
  readonly takenPort: number | undefined;
  readonly urls: ServerUrls;
}

/** Opens a listener, with the OAuth sign-in for its address. */
async function openListener({ approval, oauthStorage, pause, pageLanguage, ...options }: OpenListenerOptions): Promise<OpenedListener> {
  const { clock, token, workbench } = options;
  const { port, credentials, limits, log, tls } = options;
  const oauth = new OauthProvider({ approval, credentials, pause, clock, log, pageLanguage });
  try {
    // The file is read before anybody can connect.
    const store = oauthStorage === undefined || port === 0 ? undefined : await IssuedTokensFile.open(oauthStorage, port, { log, clock });
    const limiter = new RateLimiter(limits.oauthPerSecond, clock);
    // With client certificates no sign-in is offered: whoever has one of the person's own authority needs none.
    const open = { routes: oauth.routes, limiter, isOffered: tls?.ca === undefined };
    const listener = new Listener({ ...options, open, proofs: new WindowProofs({ token, workbench, clock }) });
    const bound = await listener.listen();
    const isSecure = tls !== undefined;
    // Another port is another address, for which stored tokens are not valid.
    oauth.begin(originsOf(bound, isSecure), bound === port ? store : undefined);
    return { listener, oauth, port: bound, takenPort: port === 0 || port === bound ? undefined : port, urls: urlsOf(bound, isSecure) };
  } catch (error) {
    oauth.dispose();
    throw error;
  }
}
