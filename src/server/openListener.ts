import { OauthProvider } from './auth/oauthProvider.ts';
import { OauthStore, type OauthStorage } from './auth/oauthStore.ts';
import type { Clock } from './clock.ts';
import { Listener, type ListenerOptions } from './http/listener.ts';
import { RateLimiter } from './http/rateLimiter.ts';
import type { ClientApproval } from './ports/clientApproval.ts';
import { originsOf, urlsOf, type ServerUrls } from './serverUrls.ts';

export interface OpenListenerOptions extends Omit<ListenerOptions, 'open'> {
  readonly approval: Pick<ClientApproval, 'ask'>;
  readonly oauthStorage: OauthStorage | undefined;
  readonly clock: Clock;
}

export interface OpenedListener {
  readonly listener: Listener;
  readonly oauth: OauthProvider;
  readonly port: number;
  readonly urls: ServerUrls;
}

/** A listener and the sign-in that belongs to its address. */
export async function openListener({ approval, oauthStorage, clock, ...options }: OpenListenerOptions): Promise<OpenedListener> {
  const { port, credentials, limits, log, tls } = options;
  const oauth = new OauthProvider({ approval, credentials, clock, log });
  try {
    // Read before anybody can ask for what is in it.
    const store = oauthStorage === undefined || port === 0 ? undefined : await OauthStore.open(oauthStorage, port, log);
    const limiter = new RateLimiter(limits.oauthPerSecond, clock);
    // Who has a certificate of the person's own authority needs no sign-in.
    const listener = new Listener({ ...options, open: { routes: oauth.routes, limiter, isOffered: tls?.ca === undefined } });
    const bound = await listener.listen();
    const isSecure = tls !== undefined;
    // Another port is another address: what was given for this one does not count there.
    oauth.begin(originsOf(bound, isSecure), bound === port ? store : undefined);
    return { listener, oauth, port: bound, urls: urlsOf(bound, isSecure) };
  } catch (error) {
    oauth.dispose();
    throw error;
  }
}
