import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { isAppError, messageOf } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/addresses.ts';
import { followRedirects } from '../followRedirects.ts';
import { isAddressOfOthers } from '../installWays.ts';
import { registryError } from '../registryErrors.ts';

/** The most bytes of a bundle; a larger one is refused. */
export const maxBundleBytes = 256 * 1024 * 1024;
/** How long the host may say nothing. */
const maxSilenceMs = 30_000;

export interface BundleSource {
  readonly url: string;
  /** The digest that the entry names, in small letters. */
  readonly sha256: string;
  /** The registry itself is on this machine, so that its bundles may be. */
  readonly isLocal: boolean;
}

export interface Fetching {
  readonly signal: AbortSignal;
  readonly onProgress?: ((received: number, total: number | undefined) => void) | undefined;
  readonly maxBytes?: number | undefined;
}

/** Downloads a bundle into a new file, which the caller removes if this throws. What is not exactly what the entry names is refused. */
export async function fetchBundle({ url, sha256, isLocal }: BundleSource, file: string, fetching: Fetching): Promise<number> {
  const start = new URL(url);
  const silence = new Silence();
  const signal = AbortSignal.any([fetching.signal, silence.signal]);
  const mayFollow = (next: URL): boolean => (isLocal && isLoopbackHost(next.hostname)) || isAddressOfOthers(next.href);
  try {
    const response = await followRedirects(start, { signal, accept: 'application/octet-stream', mayFollow });
    if (!response.ok) {
      await response.body?.cancel();
      throw registryError('registry.bundleRefused', { host: start.host, status: response.status });
    }
    const digest = await receive(response, file, { ...fetching, silence, host: start.host });
    if (digest.sha256 !== sha256) {
      throw registryError('registry.wrongHash', { expected: sha256, found: digest.sha256 });
    }
    return digest.size;
  } catch (error) {
    if (fetching.signal.aborted || isAppError(error)) {
      throw error;
    }
    throw registryError('registry.bundleUnreachable', { host: start.host }, { cause: error });
  } finally {
    silence.end();
  }
}

interface Receiving extends Fetching {
  readonly silence: Silence;
  readonly host: string;
}

async function receive(
  response: Response,
  file: string,
  receiving: Receiving,
): Promise<{ readonly sha256: string; readonly size: number }> {
  const { silence, host, onProgress, maxBytes = maxBundleBytes } = receiving;
  const declared = Number(response.headers.get('content-length') ?? Number.NaN);
  const total = Number.isSafeInteger(declared) && response.headers.get('content-encoding') === null ? declared : undefined;
  const tooLarge = (): Error => registryError('registry.bundleTooLarge', { host, megabytes: Math.floor(maxBytes / 1024 / 1024) });
  if (total !== undefined && total > maxBytes) {
    await response.body?.cancel();
    throw tooLarge();
  }
  const hash = createHash('sha256');
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  const target = await open(file, 'wx', 0o600).catch(notWritten);
  try {
    for await (const piece of body ?? []) {
      silence.broken();
      size += piece.byteLength;
      if (size > maxBytes) {
        throw tooLarge();
      }
      hash.update(piece);
      await target.appendFile(piece).catch(notWritten);
      onProgress?.(size, total);
    }
  } finally {
    await target.close();
  }
  return { sha256: hash.digest('hex'), size };
}

/** Nobody should look for a fault of the network when it is the disk that is full. */
function notWritten(error: unknown): never {
  throw registryError('registry.bundleNotWritten', { reason: messageOf(error) }, { cause: error });
}

/** Ends a download that goes silent. */
class Silence {
  readonly #abort = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.broken();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  broken(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#abort.abort(), maxSilenceMs);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
