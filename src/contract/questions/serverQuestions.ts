import * as z from 'zod';
import { formField } from '../forms/formFields.ts';

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

export const roots = z.object({
  kind: z.literal('roots'),
  server: z.string(),
  /** What the server will be told of. */
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
});
export type RootsQuestion = z.infer<typeof roots>;

export const elicitation = z.object({
  kind: z.literal('elicitation'),
  server: z.string(),
  message: z.string(),
  request: z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('form'), fields: z.array(formField) }),
    z.object({ mode: z.literal('url'), url: z.string(), host: z.string() }),
  ]),
});
export type ElicitationQuestion = z.infer<typeof elicitation>;

/** A server sends the person, and maybe a secret of theirs, to an authorization server of its choice. */
export const signIn = z.object({
  kind: z.literal('signIn'),
  server: z.string(),
  issuer: z.string(),
  /** The configured client secret by name, never by value, with every origin that gets it. */
  secret: z.object({ name: z.string(), sentTo: z.array(z.string()) }).optional(),
  /** Where the person signed in before. */
  earlierIssuer: z.string().optional(),
});
export type SignInQuestion = z.infer<typeof signIn>;
