// shared/: what every folder of the host uses: the SDK (sdk.ts), the states of a server, its failures, and a way to it (this file).
import type { AppError } from '../../base/errors.ts';
import type { EraCache } from './eraCache.ts';
import type { Transport } from './sdk.ts';

/** A way to a server, made anew for every start. */
export interface ServerLink {
  readonly transport: Transport;
  /** Why the server is gone, if it is and was not asked to. */
  readonly end: AppError | undefined;
  readonly lastWords: string;
  /** Of a remote server. */
  readonly origin?: string | undefined;
  /** It may be held at a breakpoint: silence then says nothing. */
  readonly isDebugged?: boolean | undefined;
  /** Where the era of the server is remembered. Without it the link is known to be of the legacy era. */
  readonly era?: { readonly cache: EraCache; readonly key: string } | undefined;
}

/** How lines of a server's log begin that are the server's own words; who reads the log knows them by it. */
export const strayMark = 'Not a message, ignored: ';
export const errorOutputMark = 'stderr: ';

/** How the line begins that is written when a server is started. */
export const startMark = 'Starting (attempt ';

export type OpenLink = (signal: AbortSignal) => Promise<ServerLink>;
