import * as z from 'zod';
import type { JsonObject } from '../base/json.ts';

/** `DUPLEX_HOME/windows/<id>.json`: how a process of the same user finds a window's server. Additive only. */
export const discoveryFile = z.object({
  version: z.literal(1),
  pid: z.number().int(),
  startedAt: z.string(),
  machine: z.string(),
  host: z.literal('127.0.0.1'),
  port: z.number().int(),
  certificateSha256: z.string().optional(),
  token: z.string(),
  urls: z.object({ mcp: z.string(), sse: z.string(), ws: z.string() }),
  workspaceFolders: z.array(z.object({ name: z.string(), path: z.string(), uri: z.string() })),
  name: z.string(),
});
export type DiscoveryFile = z.infer<typeof discoveryFile>;

/** One of the server's own results, kept for when there is no server. */
export interface RecordedResult {
  readonly rest: JsonObject;
  /** Lists are kept as places in `entries`: most revisions have the same. */
  readonly list?: { readonly key: string; readonly entries: readonly number[] } | undefined;
}

/** `dist/offlineAnswers.json`: written by the build out of the server, read by the bridge while no window is open. */
export interface OfflineAnswers {
  readonly entries: readonly JsonObject[];
  /** Revision, then method. */
  readonly revisions: Readonly<Record<string, Readonly<Record<string, RecordedResult>>>>;
}

export const offlineAnswersFile = 'offlineAnswers.json';
