import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { OauthError } from './oauthAnswers.ts';

/** A program that may ask for tokens. Its id is the credential's, its name only what it calls itself. Additive only: it is stored. */
export const registration = z.object({
  clientId: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  /** Milliseconds since 1970, like the others. */
  registeredAt: z.number(),
  /** None before the person let it in for the first time. */
  usedAt: z.number().optional(),
});
export type OauthRegistration = Readonly<z.infer<typeof registration>>;

const maxUnapproved = 50;
const maxApproved = 200;
const unapprovedMs = 10 * 60_000;
const unusedMs = 30 * 24 * 60 * 60_000;
const maxRedirects = 10;
const maxNameLength = 200;

/** RFC 7591, for public clients that use codes. Nothing a client describes itself with is ever fetched. */
export class Registrations {
  readonly #now: () => number;
  readonly #known = new Map<string, OauthRegistration>();
  /** Those a question is open about. */
  readonly #held = new Set<string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  register(metadata: unknown): OauthRegistration {
    if (!isJsonObject(metadata)) {
      throw new OauthError('invalid_client_metadata', 'the body is not a JSON object');
    }
    const redirectUris = readRedirectUris(metadata.redirect_uris);
    const { client_name: name } = metadata;
    this.#sweep();
    if (this.#unapproved().length >= maxUnapproved) {
      throw new OauthError('temporarily_unavailable', 'too many registrations wait for approval');
    }
    const made: OauthRegistration = {
      clientId: `oauth-${randomBytes(8).toString('hex')}`,
      name: typeof name === 'string' && name.trim() !== '' ? revealInvisible(name.slice(0, maxNameLength)) : 'unnamed client',
      redirectUris,
      registeredAt: this.#now(),
    };
    this.#known.set(made.clientId, made);
    return made;
  }

  find(clientId: string | undefined): OauthRegistration | undefined {
    this.#sweep();
    return clientId === undefined ? undefined : this.#known.get(clientId);
  }

  /** While the person looks at the question it does not expire. */
  hold(clientId: string): () => void {
    this.#held.add(clientId);
    return () => this.#held.delete(clientId);
  }

  /** It was let in, or used what it was given. */
  touch(clientId: string): void {
    const known = this.#known.get(clientId);
    if (known !== undefined) {
      this.#known.delete(clientId);
      this.#known.set(clientId, { ...known, usedAt: this.#now() });
    }
  }

  /** Those that were let in, the longest unused first. */
  approved(): readonly OauthRegistration[] {
    return [...this.#known.values()].filter(({ usedAt }) => usedAt !== undefined);
  }

  restore(stored: readonly OauthRegistration[]): void {
    for (const each of stored) {
      this.#known.set(each.clientId, each);
    }
    this.#sweep();
  }

  #unapproved(): readonly OauthRegistration[] {
    return [...this.#known.values()].filter(({ usedAt }) => usedAt === undefined);
  }

  #sweep(): void {
    const now = this.#now();
    for (const { clientId, registeredAt, usedAt } of [...this.#known.values()]) {
      const isOver = usedAt === undefined ? now - registeredAt >= unapprovedMs : now - usedAt >= unusedMs;
      if (isOver && !this.#held.has(clientId)) {
        this.#known.delete(clientId);
      }
    }
    for (const { clientId } of this.approved().slice(0, -maxApproved)) {
      this.#known.delete(clientId);
    }
  }
}

export function findRedirect({ redirectUris }: OauthRegistration, given: string | undefined): string | undefined {
  return given !== undefined && redirectUris.some((registered) => matchesRedirect(registered, given)) ? given : undefined;
}

function readRedirectUris(value: unknown): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxRedirects) {
    throw new OauthError('invalid_redirect_uri', `redirect_uris is not a list of 1 to ${maxRedirects} addresses`);
  }
  const uris: unknown[] = value;
  if (!uris.every(isAcceptableRedirect)) {
    throw new OauthError('invalid_redirect_uri', 'a redirect URI is https, http on this machine, or a scheme of the program itself');
  }
  return uris;
}

/** By name, not by `isLoopbackHost`: the ones that a registered address may change its port on, see `withoutLoopbackPort`. */
const redirectHosts = ['127.0.0.1', 'localhost', '[::1]'];

/** Would run something or show something as if it were ours, in the browser or in a program the system starts for it. */
const refusedSchemes =
  /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source|jar|intent|content|ftp|ws|wss|mailto|tel|sms|shell|chrome|edge|chrome-extension|moz-extension|resource|ms-.*|search.*|x-apple.*|x-help.*|help|ssh|telnet|ldap|smb|afp)$/;

const maxUriLength = 2_000;

/** Where a browser may be sent with a code: this machine, a site by https, or a program's own scheme. */
function isAcceptableRedirect(uri: unknown): uri is string {
  if (typeof uri !== 'string' || uri.length > maxUriLength || !URL.canParse(uri) || /[\u0000-\u0020\u007F-\uFFFF\\]/.test(uri)) {
    return false;
  }
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes('#') || username !== '' || password !== '') {
    return false;
  }
  switch (protocol) {
    case 'https:':
      return hostname !== '';
    case 'http:':
      return redirectHosts.includes(hostname);
    default:
      return !refusedSchemes.test(protocol.slice(0, -1)) && uri.length > protocol.length;
  }
}

/** Character by character; only the port of a program on this machine may differ, which it cannot know beforehand. */
function matchesRedirect(registered: string, given: string): boolean {
  return registered === given || (isAcceptableRedirect(given) && withoutLoopbackPort(registered) === withoutLoopbackPort(given));
}

/** The same for a program that only took another port. Not by the URL's parts: those are tidied up. */
export function withoutLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d{1,5}(?=\/|\?|$)/, '$1');
}
