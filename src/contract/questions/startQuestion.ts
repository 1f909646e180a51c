import * as z from 'zod';

export const startServer = z.object({
  kind: z.literal('startServer'),
  server: z.string(),
  /** Where the definition stands, in words: "workspace settings of demo". */
  configuredIn: z.string(),
  /** For `consent/show`: the definition stands in a file that the person can open. */
  serverId: z.string().optional(),
  /** Every field after expansion, in the order of the definition. `isHidden`: what looks like a secret is not in it. */
  fields: z.array(z.object({ name: z.string(), value: z.string(), isDangerous: z.boolean(), isHidden: z.boolean().optional() })),
  /** Secrets and variables by name, never by value, with where they go. */
  disclosures: z.array(z.object({ name: z.string(), destination: z.string() })),
});
export type StartServerQuestion = z.infer<typeof startServer>;
