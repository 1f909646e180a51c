import { parsedJson } from '../base/json.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { isAppError } from '../base/errors.ts';
import { isLoopbackHost } from '../base/addresses.ts';
import { followRedirects } from './followRedirects.ts';
import type { KeptAnswers } from './keptAnswers.ts';
import { registryError } from './registryErrors.ts';
import { readPage, type RegistryEntry, type RegistryPage } from './serverJson.ts';

const pageSize = 50;
/** The most bytes of one answer of a registry; a larger one is refused. */
const maxAnswerBytes = 4 * 1024 * 1024;
/** The most characters of a search that a registry is sent; the rest is cut. */
const maxSearchLength = 200;
/** How long, in ms, a registry may take to answer. */
const patienceMs = 15_000;
/** How long, in ms, an answer that is kept counts. */
const maxAgeMs = 24 * 60 * 60_000;
/** The most answers that are kept in memory; the oldest go first. */
const maxKept = 40;
/** The most characters of the texts of all answers that are kept in memory. */
const maxKeptLength = 8 * 1024 * 1024;

interface ReadAnswer {
  readonly page: RegistryPage;
  /** The length of the text that it was read from. */
  readonly length: number;
}

interface KeptPage extends ReadAnswer {
  readonly at: number;
}

export interface RegistryClientOptions {
  readonly clock?: Clock | undefined;
  /** Where answers are kept beyond this window; in memory alone when it is left out. */
  readonly files?: KeptAnswers | undefined;
}

/** Asks an MCP Registry for servers. Nothing is sent before the first search; answers are kept for a day. */
export class RegistryClient {
  readonly #clock: Clock;
  readonly #files: KeptAnswers | undefined;
  readonly #kept = new Map<string, KeptPage>();

  constructor({ clock = systemClock, files }: RegistryClientOptions = {}) {
    this.#clock = clock;
    this.#files = files;
  }

  /** One page of the newest versions of the servers whose name has this text in it. `isFresh`: not from what was kept. */
  async page(base: string, search: string, cursor: string | undefined, signal: AbortSignal, isFresh = false): Promise<RegistryPage> {
    const url = pageUrl(base, search, cursor);
    const kept = isFresh ? undefined : (this.#young(this.#kept.get(url.href)) ?? (await this.#fromFile(url)));
    if (kept !== undefined) {
      return kept.page;
    }
    const { text, ...answer } = await ask(url, signal);
    const at = this.#clock.wallTime();
    this.#keep(url, { ...answer, at });
    await this.#files?.write(url.href, { at, text });
    return answer.page;
  }

  async #fromFile(url: URL): Promise<KeptPage | undefined> {
    const kept = this.#young(await this.#files?.read(url.href));
    const page = kept && pageOf(kept.text, url);
    if (page === undefined || kept === undefined) {
      return undefined;
    }
    const answer = { page, length: kept.text.length, at: kept.at };
    this.#keep(url, answer);
    return answer;
  }

  /** What is not older than a day, nor of a day to come. */
  #young<T extends { readonly at: number }>(kept: T | undefined): T | undefined {
    const age = kept === undefined ? Number.NaN : this.#clock.wallTime() - kept.at;
    return age >= 0 && age < maxAgeMs ? kept : undefined;
  }

  #keep(url: URL, answer: KeptPage): void {
    this.#kept.delete(url.href);
    this.#kept.set(url.href, answer);
    this.#letGo();
  }

  /** Lets the oldest answers go until the rest is within the limits. */
  #letGo(): void {
    let length = [...this.#kept.values()].reduce((sum, each) => sum + each.length, 0);
    for (const [url, each] of this.#kept) {
      if (this.#kept.size <= maxKept && length <= maxKeptLength) {
        return;
      }
      this.#kept.delete(url);
      length -= each.length;
    }
  }
}

/** The address of a registry. Throws if it could be read or changed on its way. */
export function registryAddress(base: string): URL {
  if (base.trim() === '') {
    throw registryError('registry.off');
  }
  const url = URL.canParse(base) ? new URL(base) : undefined;
  if (url === undefined || !isSafe(url)) {
    throw registryError('registry.badAddress', { url: base.slice(0, 200) });
  }
  return url;
}

function isSafe({ protocol, hostname, username, password }: URL): boolean {
  const isOpen = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
  return isOpen && username === '' && password === '';
}

function pageUrl(base: string, search: string, cursor: string | undefined): URL {
  const url = registryAddress(base);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v0.1/servers`;
  url.hash = '';
  const wanted = search.trim().slice(0, maxSearchLength);
  const query = {
    ...(wanted === '' ? {} : { search: wanted }),
    version: 'latest',
    limit: String(pageSize),
    ...(cursor === undefined ? {} : { cursor }),
  };
  url.search = new URLSearchParams(query).toString();
  return url;
}

async function ask(url: URL, signal: AbortSignal): Promise<ReadAnswer & { readonly text: string }> {
  const limit = AbortSignal.timeout(patienceMs);
  const { host } = url;
  try {
    const response = await followRedirects(url, { signal: AbortSignal.any([signal, limit]), accept: 'application/json', mayFollow });
    if (!response.ok) {
      await response.body?.cancel();
      throw registryError('registry.refused', { host, status: response.status });
    }
    const text = await readBody(response, host);
    const page = pageOf(text, url);
    if (page === undefined) {
      throw registryError('registry.notAList', { host });
    }
    return { page, length: text.length, text };
  } catch (error) {
    if (signal.aborted || isAppError(error)) {
      throw error;
    }
    throw limit.aborted
      ? registryError('registry.tooLate', { host, seconds: patienceMs / 1_000 }, { cause: error })
      : registryError('registry.unreachable', { host }, { cause: error });
  }
}

function pageOf(text: string, url: URL): RegistryPage | undefined {
  return readPage(parsedJson(text), pageSize * 2, isLoopbackHost(url.hostname));
}

/** A registry may be where its address is, and none leads from elsewhere into this machine. */
function mayFollow(next: URL, from: URL): boolean {
  return isSafe(next) && (isLoopbackHost(from.hostname) || !isLoopbackHost(next.hostname));
}

async function readBody(response: Response, host: string): Promise<string> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > maxAnswerBytes) {
      throw registryError('registry.tooLarge', { host });
    }
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** The most pages of answers that one search reads. */
const maxPages = 20;
/** The most servers that one search finds. */
const maxEntries = 1_000;

/** A search that is read on page by page, as far as a person looks. It ends where a registry goes round in circles or never ends. */
export class RegistrySearch {
  readonly #client: RegistryClient;
  readonly #base: string;
  readonly text: string;
  readonly #entries = new Map<string, RegistryEntry>();
  readonly #cursors = new Set<string>();
  #next: string | undefined;
  #isBegun = false;

  constructor(client: RegistryClient, base: string, text: string) {
    this.#client = client;
    this.#base = base;
    this.text = text;
  }

  get entries(): readonly RegistryEntry[] {
    return [...this.#entries.values()];
  }

  /** Whether there is more to read. */
  get hasMore(): boolean {
    return !this.#isBegun || (this.#next !== undefined && this.#cursors.size < maxPages && this.#entries.size < maxEntries);
  }

  /** Reads the next page. Nothing changes when that fails, so that it can be tried again. */
  async read(signal: AbortSignal, isFresh = false): Promise<void> {
    if (!this.hasMore) {
      return;
    }
    const { entries, nextCursor } = await this.#client.page(this.#base, this.text, this.#next, signal, isFresh);
    this.#isBegun = true;
    const isNew = nextCursor !== undefined && !this.#cursors.has(nextCursor);
    this.#next = isNew ? nextCursor : undefined;
    if (isNew) {
      this.#cursors.add(nextCursor);
    }
    for (const entry of entries) {
      if (this.#entries.size < maxEntries && !this.#entries.has(entry.name)) {
        this.#entries.set(entry.name, entry);
      }
    }
  }
}
