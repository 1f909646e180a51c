import { isLoopbackHost } from '../base/addresses.ts';

export const defaultBaseUrl = 'https://api.anthropic.com';

/** How an endpoint wants its key. `none` is for one on this machine that needs no key, and only if the person says so. */
export const keyHeaders = ['bearer', 'x-api-key', 'none'] as const;
export type KeyHeader = (typeof keyHeaders)[number];

/** The key of one base URL; it is sent to no other. */
export interface EndpointKey {
  readonly baseUrl: string;
  readonly sentAs: KeyHeader;
  /** The key itself; empty when `sentAs` is `none`. */
  readonly key: string;
}

/** Reads the setting of a base URL. '' stands for Anthropic's own address. A trailing `/v1` is taken off, because the SDK adds it. Undefined for what is no plain address. */
export function toBaseUrl(setting: string): string | undefined {
  const text = setting.trim() === '' ? defaultBaseUrl : setting.trim();
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isUsable && url.search === '' && url.hash === '' ? url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '') : undefined;
}

/** Whether what is sent to this address can be read on the way. */
export function isUnencrypted(baseUrl: string): boolean {
  return !baseUrl.startsWith('https:') && !isOnThisMachine(baseUrl);
}

export function isOnThisMachine(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && isLoopbackHost(new URL(baseUrl).hostname);
}
