import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import { answeredId, toRequest, type RequestId, type RpcRequest } from './messages.ts';

export interface HostRootsOptions {
  readonly toHost: (text: string) => void;
  /** False when they would change nothing: then the host is not asked. */
  readonly isWanted: boolean;
  /** How long the host may take to tell them before a window is chosen without. */
  readonly holdMs: number;
}

type Progress =
  /** Nothing is known of the host. */
  | { readonly kind: 'unheard' }
  /** It has roots; it may be asked once it has said that it is initialized. */
  | { readonly kind: 'declared'; readonly timer: NodeJS.Timeout }
  | { readonly kind: 'settled' };

const maxRoots = 100;

/**
 * Where the host works, in its own words. A host of the revisions with a handshake that declares `roots` is asked for them
 * before a window is chosen; the newest revision has no way to ask.
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

  /** As paths without links; resolves once a window can be chosen. */
  async known(): Promise<readonly string[]> {
    await this.#known;
    return this.#roots;
  }

  /** Whether this is a handshake after which the roots will be asked for: then it cannot wait for a window. */
  announces(request: RpcRequest | undefined): boolean {
    return this.#options.isWanted && this.#progress.kind === 'unheard' && request?.method === 'initialize' && declaresRoots(request.params);
  }

  /** `announces` was true, and the handshake is answered. */
  expect(): void {
    this.#progress = { kind: 'declared', timer: setTimeout(() => this.#decide(), this.#options.holdMs) };
  }

  /** Whether a message of the host was for us and not for a window. */
  takes(message: JsonObject): boolean {
    const id = answeredId(message);
    if (id === undefined || !this.#asked.delete(id)) {
      return false;
    }
    void this.#read(message).finally(() => this.#decide());
    return true;
  }

  /** Any other message of the host. */
  heard(message: JsonObject): void {
    const { kind } = this.#progress;
    if (kind === 'unheard' && toRequest(message)?.method !== 'ping') {
      this.#decide();
    } else if (kind === 'declared' && message.method === 'notifications/initialized') {
      this.#ask();
    } else if (this.#count > 0 && message.method === 'notifications/roots/list_changed') {
      // For the next connection: a host that works in one window is not moved to another in the middle of it.
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
    return []; // of no file on this machine
  }
}
