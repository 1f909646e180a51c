import * as z from 'zod';

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
