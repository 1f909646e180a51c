import * as z from 'zod';

/** May the page that a server gave to its tool be shown? It runs code, behind glass. */
export const showApp = z.object({
  kind: z.literal('showApp'),
  server: z.string(),
  tool: z.string(),
  uri: z.string(),
  /** The size of the page in bytes. */
  bytes: z.number(),
  /** The addresses that the page may reach; empty: none. */
  reaches: z.array(z.string()),
  /** What the page declared and does not get, as it wrote it. */
  refused: z.array(z.string()),
});
export type ShowAppQuestion = z.infer<typeof showApp>;

/** May an app that is shown do something outside of its frame? */
export const appAct = z.object({
  kind: z.literal('appAct'),
  server: z.string(),
  tool: z.string(),
  what: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('openLink'), url: z.string(), host: z.string() }),
    /** The app wants a message to be sent in the person's name. */
    z.object({ kind: z.literal('message'), text: z.string() }),
    /** The app wants the model to know a text with the person's next message. */
    z.object({ kind: z.literal('tellModel'), text: z.string() }),
    /** The app wants files saved on this machine. */
    z.object({ kind: z.literal('download'), files: z.array(z.object({ name: z.string(), bytes: z.number() })) }),
  ]),
});
export type AppActQuestion = z.infer<typeof appAct>;
