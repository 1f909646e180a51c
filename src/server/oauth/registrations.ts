import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { isJsonObject } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { OauthError } from './oauthAnswers.ts';

/**
 * A program that may ask for tokens. Its id is that of the credential; its name is only what it calls itself. It is stored:
 * additive only.
 */
export const registration = z.object({
  clientId: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  /** The time of registration in milliseconds since 1970, like `usedAt`. */
  registeredAt: z.number(),
  /** When it was last used; missing before the person has approved it for the first time. */
  usedAt: z.number().optional(),
});
export type OauthRegistration = Readonly<z.infer<typeof registration>>;

/** The most registrations that wait for a first approval. */
const maxUnapproved = 50;
/** The most approved registrations; the longest unused is dropped. */
const maxApproved = 200;
/** How long a registration waits for its first approval. */
const unapprovedMs = 10 * 60_000;
/** How long an approved registration is kept without being used. */
const unusedMs = 30 * 24 * 60 * 60_000;
/** The most return addresses of a registration. */
const maxRedirects = 10;
/** The longest name of a registration that is kept. */
const maxNameLength = 200;

/** The client registrations of RFC 7591, for public clients that use codes. No URL in a registration is ever fetched. */
export class Registrations {
  readonly #now: () => number;
  readonly #known = new Map<string, OauthRegistration>();
  /** The clients about which a question is open. */
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

  /** Keeps a registration from expiring while the person is asked about it. */
  hold(clientId: string): () => void {
    this.#held.add(clientId);
    return () => this.#held.delete(clientId);
  }

  /** Notes that a client was approved or has used its tokens. */
  touch(clientId: string): void {
    const known = this.#known.get(clientId);
    if (known !== undefined) {
      this.#known.delete(clientId);
      this.#known.set(clientId, { ...known, usedAt: this.#now() });
    }
  }

  /** The registrations that were approved, the longest unused first. */
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

/**
 * The hosts of this machine on which a return address may change its port, see `withoutLoopbackPort`. The list is by name and
 * narrower than `isLoopbackHost`.
 */
const redirectHosts = ['127.0.0.1', 'localhost', '[::1]'];

/** Editors whose scheme leads to one of their extensions, by `PUBLISHER.NAME`; other addresses of theirs open files or settings. */
const editorSchemes = [
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'code-oss:',
  'cursor:',
  'windsurf:',
  'windsurf-next:',
  'kiro:',
  'trae:',
  'positron:',
  'antigravity:',
];

/**
 * A scheme of a program itself, as RFC 8252 wants it: a domain name of its maker, backwards. Every other scheme may belong to the
 * system, and could run something, so the schemes that are allowed are listed and not those that are refused.
 */
const ownScheme = /^[a-z]{2,63}(?:\.[a-z0-9-]{1,63}){1,10}:$/;
/** What systems call parts of themselves in the same way. */
const systemScheme = /^(?:microsoft|windows|com\.apple)\./;

/** The longest return address. */
const maxUriLength = 2_000;

/** Whether a browser may be sent to this address with a code: this machine, an https site, or a scheme of a program. */
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
      return (
        (editorSchemes.includes(protocol) && /^[\w-]{1,100}\.[\w-]{1,100}$/.test(hostname)) ||
        (ownScheme.test(protocol) && !systemScheme.test(protocol) && uri.length > protocol.length)
      );
  }
}

/** Compares addresses character by character. Only the port on this machine may differ, because a program cannot know it beforehand. */
function matchesRedirect(registered: string, given: string): boolean {
  return registered === given || (isAcceptableRedirect(given) && withoutLoopbackPort(registered) === withoutLoopbackPort(given));
}

/** Removes the port from an address on this machine. It works on the text, because parsing a URL would normalize it. */
export function withoutLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d{1,5}(?=\/|\?|$)/, '$1');
}
