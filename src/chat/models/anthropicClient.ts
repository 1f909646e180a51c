import type { Anthropic } from '@anthropic-ai/sdk';
import { defaultBaseUrl, isOnThisMachine, toBaseUrl, type EndpointKey, type KeyHeader } from '../../contract/modelEndpoint.ts';
import { modelError } from './modelErrors.ts';

export interface AnthropicAccess {
  readonly apiKey: string;
  readonly sentAs: KeyHeader;
  readonly baseUrl: string;
}

export interface ClientOptions extends AnthropicAccess {
  readonly fetch: typeof fetch;
  /** The longest time, in ms, until the first byte of an answer. */
  readonly timeoutMs: number;
  /** Called for every piece of a response body, pings included (the SDK hides those). */
  readonly onBytes: () => void;
}

/** The headers that our own code and the SDK set. Any other would come from the environment, and is removed. */
const allowedHeaders = /^(accept|content-type|content-length|user-agent|anthropic-version|x-stainless-[a-z-]+)$/;

/**
 * Makes a client that depends only on its arguments. The SDK reads `ANTHROPIC_*` variables even when a key is passed, and custom
 * headers cannot be switched off by any option. So the variables are removed while the constructor runs, and only known headers to the
 * configured host are let out.
 */
export async function createAnthropicClient(options: ClientOptions): Promise<Anthropic> {
  const sdk = await import('@anthropic-ai/sdk');
  return withoutAnthropicVariables(
    () =>
      new sdk.Anthropic({
        // `guardedFetch` decides which header the key goes into; the SDK only requires that there is one.
        apiKey: options.apiKey === '' ? 'none' : options.apiKey,
        authToken: null,
        credentials: null,
        config: null,
        profile: null,
        webhookKey: null,
        baseURL: options.baseUrl,
        logLevel: 'off',
        openTelemetry: false,
        maxRetries: 0,
        timeout: options.timeoutMs,
        defaultHeaders: {},
        defaultQuery: {},
        middleware: [],
        // A redirect would carry the conversation to a host that nobody configured.
        fetchOptions: { redirect: 'error' },
        fetch: guardedFetch(options),
      }),
  );
}

function withoutAnthropicVariables<T>(run: () => T): T {
  const hidden = Object.entries(process.env).filter(([name]) => name.toUpperCase().startsWith('ANTHROPIC_'));
  hidden.forEach(([name]) => Reflect.deleteProperty(process.env, name));
  try {
    return run();
  } finally {
    hidden.forEach(([name, value]) => (process.env[name] = value));
  }
}

function guardedFetch(options: ClientOptions): typeof fetch {
  const origin = new URL(options.baseUrl).origin;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) {
      throw modelError('model.unreachable', {}, { detail: 'A request to another host than the configured one was held back.' });
    }
    const headers = new Headers(init?.headers);
    [...headers.keys()].filter((name) => !allowedHeaders.test(name)).forEach((name) => headers.delete(name));
    if (options.sentAs === 'bearer') {
      headers.set('authorization', `Bearer ${options.apiKey}`);
    } else if (options.sentAs === 'x-api-key') {
      headers.set('x-api-key', options.apiKey);
    }
    const response = await options.fetch(url, { ...init, headers });
    options.onBytes();
    return response.body === null ? response : watchBody(response, options.onBytes);
  };
}

function watchBody(response: Response, onBytes: () => void): Response {
  const watched = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        onBytes();
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(watched ?? null, { status: response.status, statusText: response.statusText, headers: response.headers });
}

export function readBaseUrl(setting: string): string {
  const baseUrl = toBaseUrl(setting);
  if (baseUrl === undefined) {
    throw modelError('model.badBaseUrl');
  }
  return baseUrl;
}

/** Checks the key for an address. A plain text is sent as a bearer token; a key of another address counts as none. */
export function readAccess(key: string | EndpointKey | undefined, baseUrl: string): AnthropicAccess {
  const own: EndpointKey | undefined = typeof key === 'string' ? { baseUrl, sentAs: 'bearer', key } : key;
  if (own?.baseUrl !== baseUrl) {
    throw noKey(baseUrl);
  }
  if (own.sentAs === 'none' && isOnThisMachine(baseUrl)) {
    return { apiKey: '', sentAs: 'none', baseUrl };
  }
  return { apiKey: readApiKey(own.key, baseUrl), sentAs: own.sentAs === 'none' ? 'bearer' : own.sentAs, baseUrl };
}

/** Refuses a key that cannot be in a header, because `fetch` would quote it in its error. */
function readApiKey(key: string, baseUrl: string): string {
  const trimmed = key.trim();
  if (trimmed === '') {
    throw noKey(baseUrl);
  }
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw modelError('model.badKey', {}, { detail: 'The API key contains characters that no key has.' });
  }
  return trimmed;
}

function noKey(baseUrl: string): Error {
  return modelError('model.noKey', { host: baseUrl === defaultBaseUrl ? '' : new URL(baseUrl).host });
}
