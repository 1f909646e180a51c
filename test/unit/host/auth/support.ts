import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Log } from '../../../../src/base/log.ts';
import type { AuthPorts, ConfiguredClient, Lock, SignInRecord, TokenStore } from '../../../../src/host/auth/authPorts.ts';
import { openLoopbackReceiver } from '../../../../src/host/auth/loopbackReceiver.ts';
import { createAuthProvider, type ServerAuth } from '../../../../src/host/auth/serverAuth.ts';
import { PersonAtBrowser } from '../../../fixtures/authorizationServer/personAtBrowser.ts';

/** What the browser shows when it comes back. */
export const pageTexts = { language: 'de', done: 'Die Antwort ist <da>.', notOurs: 'Nicht unsere.' };

/** What all windows see, with nothing behind it. */
export class MemoryStore implements TokenStore {
  readonly records = new Map<string, SignInRecord>();
  readonly #issuers = new Map<string, string>();

  get(serverId: string, issuer: string): Promise<SignInRecord | undefined> {
    return Promise.resolve(this.records.get(`${serverId} ${issuer}`));
  }

  set(serverId: string, record: SignInRecord): Promise<void> {
    this.records.set(`${serverId} ${record.issuer}`, record);
    this.#issuers.set(serverId, record.issuer);
    return Promise.resolve();
  }

  delete(serverId: string, issuer: string): Promise<void> {
    this.records.delete(`${serverId} ${issuer}`);
    return Promise.resolve();
  }

  issuerOf(serverId: string): Promise<string | undefined> {
    return Promise.resolve(this.#issuers.get(serverId));
  }
}

export class MemoryLock implements Lock {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(_name: string, work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Keeps every line, so that a test can look for what must not be there. */
export class KeptLog implements Log {
  readonly lines: string[] = [];
  readonly trace = (message: string): void => void this.lines.push(message);
  readonly debug = this.trace;
  readonly info = this.trace;
  readonly warn = this.trace;
  readonly error = (message: string, error?: unknown): void => void this.lines.push(`${message} ${String(error)}`);
}

export interface Window {
  readonly auth: ServerAuth;
  readonly person: PersonAtBrowser;
  readonly log: KeptLog;
}

export interface WindowOptions {
  readonly ports?: Partial<AuthPorts>;
  readonly configured?: ConfiguredClient;
  readonly waitMs?: number;
}

/** One window with a person in front of it, who lets the browser open whenever a server asks. */
export function openWindow(serverUrl: URL, { ports, configured = {}, waitMs }: WindowOptions = {}): Window {
  const person = new PersonAtBrowser();
  const log = new KeptLog();
  const auth = createAuthProvider({
    serverId: 'user:notes',
    label: 'notes',
    serverUrl,
    configured: () => Promise.resolve(configured),
    log,
    ...(waitMs === undefined ? {} : { waitMs }),
    ports: {
      store: new MemoryStore(),
      lock: new MemoryLock(),
      browser: person,
      openReceiver: (preferred) => openLoopbackReceiver(preferred, pageTexts),
      maySignIn: () => Promise.resolve(true),
      issuers: { allow: () => Promise.resolve(true), isAllowed: () => true },
      fetch: (url, init) => fetch(url, init),
      lookUp: () => Promise.resolve([]),
      now: () => Date.now(),
      ...ports,
    },
  });
  return { auth, person, log };
}

/** The SDK's own client and transport, joined as the host joins them. */
export async function connect(serverUrl: URL, auth: ServerAuth): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(serverUrl, {
    authProvider: auth.provider,
    fetch: auth.wrapFetch((url, init) => fetch(url, init)),
  });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

export function never(): AbortSignal {
  return new AbortController().signal;
}
