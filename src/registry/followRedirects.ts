import { registryError } from './registryErrors.ts';

/** The most redirects that are followed for one request. */
const maxRedirects = 5;

export interface RedirectOptions {
  readonly signal: AbortSignal;
  /** The kind of answer that is wanted. */
  readonly accept: string;
  /** Whether an address may be asked that another one leads to. */
  readonly mayFollow: (next: URL, from: URL) => boolean;
}

/** Asks an address without anything of the person's, and follows a few redirects, each only to where it may. */
export async function followRedirects(start: URL, { signal, accept, mayFollow }: RedirectOptions): Promise<Response> {
  let url = start;
  for (let count = 0; ; count += 1) {
    const response = await fetch(url, { redirect: 'manual', signal, headers: { accept }, credentials: 'omit' });
    const target = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (target === null) {
      return response;
    }
    await response.body?.cancel();
    const next = URL.canParse(target, url.href) ? new URL(target, url.href) : undefined;
    const isAllowed = next !== undefined && next.username === '' && next.password === '' && mayFollow(next, url);
    if (!isAllowed || count >= maxRedirects) {
      throw registryError('registry.redirected', { host: start.host, target: target.slice(0, 200) });
    }
    url = next;
  }
}
