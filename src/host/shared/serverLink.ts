// shared/: what every folder of the host uses: the SDK (sdk.ts), the states of a server, its failures, and a way to it (this file).
import type { AppError } from '../../base/errors.ts';
import type { EraCache } from './eraCache.ts';
import type { Transport } from './sdk.ts';

/** A way to reach a server. Every start makes a new one. */
export interface ServerLink {
  readonly transport: Transport;
  /** Why the server is gone; undefined while it is there, and when it was asked to go. */
  readonly end: AppError | undefined;
  readonly lastWords: string;
  /** The origin of a remote server; undefined for a local one. */
  readonly origin?: string | undefined;
  /** Whether a debugger may hold the server at a breakpoint. Its silence then means nothing. */
  readonly isDebugged?: boolean | undefined;
  /** Where the era of this server is remembered. Without it the server is known to be of the legacy era. */
  readonly era?: { readonly cache: EraCache; readonly key: string } | undefined;
}

/** The beginning of log lines that quote the server's own output. The reader of the log recognises them by it (logDiagnosis.ts). */
export const strayMark = 'Not a message, ignored: ';
export const errorOutputMark = 'stderr: ';

/** The beginning of the log line that is written when a server is started. */
export const startMark = 'Starting (attempt ';

export type OpenLink = (signal: AbortSignal) => Promise<ServerLink>;
