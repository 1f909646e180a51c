import { OauthProvider } from '../oauth/oauthProvider.ts';
import { IssuedTokensFile, type OauthStorage } from '../oauth/issuedTokensFile.ts';
import type { Clock } from '../../base/clock.ts';
import { Listener, type ListenerOptions } from '../wire/http/listener.ts';
import { WindowProofs } from '../wire/http/windowProofs.ts';
import type { Workbench } from '../seen/workbench.ts';
import { RateLimiter } from '../access/rateLimiter.ts';
import type { ClientApproval } from '../access/clientApproval.ts';
import { originsOf, urlsOf, type ServerUrls } from '../wire/serverUrls.ts';

export interface OpenListenerOptions extends Omit<ListenerOptions, 'open' | 'proofs'> {
  readonly approval: Pick<ClientApproval, 'ask'>;
  readonly oauthStorage: OauthStorage | undefined;
  readonly clock: Clock;
  /** The window's own, asked at every use: it may have been rotated. */
  readonly token: () => string | undefined;
  readonly workbench: Pick<Workbench, 'answers'>;
}

export interface OpenedListener {
  readonly listener: Listener;
  readonly oauth: OauthProvider;
  readonly port: number;
  /** The wanted port, if another one had to do. */
  readonly takenPort: number | undefined;
  readonly urls: ServerUrls;
}

/** A listener and the sign-in that belongs to its address. */
export async function openListener({ approval, oauthStorage, ...options }: OpenListenerOptions): Promise<OpenedListener> {
  const { clock, token, workbench } = options;
  const { port, credentials, limits, log, tls } = options;
  const oauth = new OauthProvider({ approval, credentials, clock, log });
  try {
    // Read before anybody can ask for what is in it.
    const store = oauthStorage === undefined || port === 0 ? undefined : await IssuedTokensFile.open(oauthStorage, port, log);
    const limiter = new RateLimiter(limits.oauthPerSecond, clock);
    // Who has a certificate of the person's own authority needs no sign-in.
    const open = { routes: oauth.routes, limiter, isOffered: tls?.ca === undefined };
    const listener = new Listener({ ...options, open, proofs: new WindowProofs({ token, workbench, clock }) });
    const bound = await listener.listen();
    const isSecure = tls !== undefined;
    // Another port is another address: what was given for this one does not count there.
    oauth.begin(originsOf(bound, isSecure), bound === port ? store : undefined);
    return { listener, oauth, port: bound, takenPort: port === 0 || port === bound ? undefined : port, urls: urlsOf(bound, isSecure) };
  } catch (error) {
    oauth.dispose();
    throw error;
  }
}
