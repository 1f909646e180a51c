import { hostError } from '../shared/hostErrors.ts';
import type { Client } from '../shared/sdk.ts';

/** What one URI gave. A server may answer with several, for a folder for example. */
export type ResourceContent =
  | { readonly kind: 'text'; readonly uri: string; readonly mimeType: string | undefined; readonly text: string }
  /** Base64. */
  | { readonly kind: 'blob'; readonly uri: string; readonly mimeType: string | undefined; readonly data: string };

/** Characters of text or Base64. */
const maxReadSize = 10 * 1024 * 1024;
const maxCacheSize = 16 * 1024 * 1024;
const maxCached = 200;
const maxTtlMs = 24 * 60 * 60 * 1000;

interface Entry {
  readonly contents: readonly ResourceContent[];
  readonly size: number;
  readonly expiresAt: number;
}

/** Reads of one connection, kept as long as the server says and no longer; bounded in size, oldest out first. */
export class ResourceReads {
  readonly #entries = new Map<string, Entry>();
  /** Counts what was dropped, so that an answer overtaken by a change is not kept. */
  readonly #generations = new Map<string, number>();
  readonly #now: () => number;
  #size = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  async read(client: Client, uri: string, options: { timeout: number; signal: AbortSignal }): Promise<readonly ResourceContent[]> {
    const kept = this.#entries.get(uri);
    if (kept !== undefined && kept.expiresAt > this.#now()) {
      return kept.contents;
    }
    this.drop(uri);
    const generation = this.#generations.get(uri);
    // The SDK's own store counts entries, not bytes: this one is used instead.
    const result = await client.readResource({ uri }, { ...options, cacheMode: 'bypass' });
    const contents = result.contents.map(toContent);
    const size = contents.reduce((sum, content) => sum + (content.kind === 'text' ? content.text : content.data).length, 0);
    if (size > maxReadSize) {
      throw hostError('host.resourceTooLarge', { limit: maxReadSize / 1024 / 1024 });
    }
    const ttlMs = Math.min(typeof result.ttlMs === 'number' ? result.ttlMs : 0, maxTtlMs);
    if (ttlMs > 0 && this.#generations.get(uri) === generation) {
      this.#keep(uri, { contents, size, expiresAt: this.#now() + ttlMs });
    }
    return contents;
  }

  drop(uri: string): void {
    if (this.#generations.size > 10 * maxCached) {
      this.#generations.clear(); // a server that tells of changes without end; an overtaken answer is then merely kept for its time
    }
    this.#generations.set(uri, (this.#generations.get(uri) ?? 0) + 1);
    const entry = this.#entries.get(uri);
    if (entry !== undefined) {
      this.#entries.delete(uri);
      this.#size -= entry.size;
    }
  }

  #keep(uri: string, entry: Entry): void {
    this.#entries.set(uri, entry);
    this.#size += entry.size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= maxCacheSize && this.#entries.size <= maxCached) {
        break;
      }
      this.drop(oldest);
    }
  }
}

type RawContent = Awaited<ReturnType<Client['readResource']>>['contents'][number];

function toContent(raw: RawContent): ResourceContent {
  const { uri, mimeType } = raw;
  return 'text' in raw ? { kind: 'text', uri, mimeType, text: raw.text } : { kind: 'blob', uri, mimeType, data: raw.blob };
}
