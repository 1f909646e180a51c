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
  /** When the window last got the focus (ISO 8601); left out until it has had it. */
  lastUsedAt: z.string().optional(),
  /** What tells windows with the same name apart, as their titles do. It is for the person: it may name any file. */
  title: z.string().optional(),
});
export type DiscoveryFile = z.infer<typeof discoveryFile>;

/** One of the server's own results, recorded for the time when there is no server. */
export interface RecordedResult {
  readonly rest: JsonObject;
  /** A list in the result, as indexes into `entries`: most revisions of the protocol have the same entries. */
  readonly list?: { readonly key: string; readonly entries: readonly number[] } | undefined;
}

/** The content of `dist/offlineAnswers.json`: the build records it from the server, and the bridge answers with it while no window is open. */
export interface OfflineAnswers {
  readonly entries: readonly JsonObject[];
  /** The results by revision of the protocol, then by method. */
  readonly revisions: Readonly<Record<string, Readonly<Record<string, RecordedResult>>>>;
}

export const offlineAnswersFile = 'offlineAnswers.json';
