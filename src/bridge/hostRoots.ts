import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { answeredId, toRequest, type RequestId, type RpcRequest } from './messages.ts';

export interface HostRootsOptions {
  readonly toHost: (text: string) => void;
  /** Whether the roots could change anything; else the host is not asked for them. */
  readonly isWanted: boolean;
  /** How long, in ms, the host may take to tell its roots before a window is chosen without them. */
  readonly holdMs: number;
}

type Progress =
  /** Nothing is known of the host yet. */
  | { readonly kind: 'unheard' }
  /** The host has roots, and may be asked for them once it has said that it is initialized. */
  | { readonly kind: 'declared'; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'settled' };

/** The most folders (roots) of the host that are looked at; the rest is ignored. */
const maxRoots = 100;

/**
 * Finds out where the host works, in its own words. A host of the protocol revisions with a handshake that declares `roots` is asked
 * for them before a window is chosen; the newest revision has no way to ask.
 */
export class HostRoots {
  readonly #options: HostRootsOptions;
  readonly #asked = new Set<RequestId>();
  #progress: Progress = { kind: 'unheard' };
  #roots: readonly string[] = [];
  #count = 0;
  readonly #known: Promise<void>;
  #settle: () => void = () => undefined;

  constructor(options: HostRootsOptions) {
    this.#options = options;
    this.#known = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** The roots as paths without links. The promise resolves once a window can be chosen. */
  async known(): Promise<readonly string[]> {
    await this.#known;
    return this.#roots;
  }

  /** Whether this is a handshake after which the roots will be asked for. It cannot wait for a window then. */
  announces(request: RpcRequest | undefined): boolean {
    return this.#options.isWanted && this.#progress.kind === 'unheard' && request?.method === 'initialize' && declaresRoots(request.params);
  }

  /** Begins to wait for the host to be ready, after a handshake of which `announces` was true. */
  expect(): void {
    this.#progress = { kind: 'declared', timer: setTimeout(() => this.#decide(), this.#options.holdMs) };
  }

  /** Whether a message of the host was an answer for the bridge, and not for a window. */
  takes(message: JsonObject): boolean {
    const id = answeredId(message);
    if (id === undefined || !this.#asked.delete(id)) {
      return false;
    }
    void this.#read(message).finally(() => this.#decide());
    return true;
  }

  /** Called with every other message of the host. */
  heard(message: JsonObject): void {
    const { kind } = this.#progress;
    if (kind === 'unheard' && toRequest(message)?.method !== 'ping') {
      this.#decide();
    } else if (kind === 'declared' && message.method === 'notifications/initialized') {
      this.#ask();
    } else if (this.#count > 0 && message.method === 'notifications/roots/list_changed') {
      // The answer counts for the next connection: a host that works in one window is not moved to another meanwhile.
      this.#ask();
    }
  }

  close(): void {
    this.#decide();
  }

  #ask(): void {
    this.#count += 1;
    const id = `duplex-bridge-roots-${this.#count}`;
    this.#asked.add(id);
    this.#options.toHost(JSON.stringify({ jsonrpc: '2.0', id, method: 'roots/list' }));
  }

  #decide(): void {
    if (this.#progress.kind === 'declared') {
      clearTimeout(this.#progress.timer);
    }
    this.#progress = { kind: 'settled' };
    this.#settle();
  }

  async #read({ result }: JsonObject): Promise<void> {
    const roots: readonly unknown[] = isJsonObject(result) && Array.isArray(result.roots) ? result.roots : [];
    const uris = roots.slice(0, maxRoots).flatMap((root) => (isJsonObject(root) && typeof root.uri === 'string' ? [root.uri] : []));
    this.#roots = (await Promise.all(uris.map(toPlace))).flat();
  }
}

function declaresRoots({ capabilities }: JsonObject): boolean {
  return isJsonObject(capabilities) && isJsonObject(capabilities.roots);
}

async function toPlace(uri: string): Promise<readonly string[]> {
  try {
    const place = fileURLToPath(uri);
    return [await realpath(place).catch(() => place)];
  } catch {
    return []; // the URI is of no file on this machine
  }
}
