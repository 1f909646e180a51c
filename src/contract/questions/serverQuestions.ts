import * as z from 'zod';
import { formField } from '../forms/formFields.ts';

export const startServer = z.object({
  kind: z.literal('startServer'),
  server: z.string(),
  /** Where the definition stands, in words such as "workspace settings of demo". */
  configuredIn: z.string(),
  /** The id of the server, where its definition stands in a file that the person can open with `consent/show`. */
  serverId: z.string().optional(),
  /** Where “Allow” holds, until the definition changes: a repository's own server is allowed for its workspace only. */
  holdsIn: z.enum(['workspace', 'always']).optional(),
  /** Every field with its variables replaced, in the order of the definition. `isHidden`: what looks like a secret was taken out of the value. */
  fields: z.array(z.object({ name: z.string(), value: z.string(), isDangerous: z.boolean(), isHidden: z.boolean().optional() })),
  /** The names of secrets and variables, never their values, with where they go. */
  disclosures: z.array(z.object({ name: z.string(), destination: z.string() })),
  /** How the server would run confined; left out where no server can. */
  box: z
    .object({
      /** Whether it runs confined unless the person says otherwise; where there is an obstacle, whether its definition asks for it. */
      isPreselected: z.boolean(),
      /** What it would read and write, and which hosts it would reach. */
      read: z.array(z.string()),
      write: z.array(z.string()),
      hosts: z.array(z.string()),
      /** What a repository's definition asks for beyond that, and does not get. */
      notApplied: z.array(z.string()),
      /** Whether its packages are fetched first, in a box that reaches the registry alone. */
      isFetched: z.boolean(),
      /** Whether VS Code's own file asks for a box: the rules that VS Code has for it are not applied. */
      isOfEditor: z.boolean().optional(),
      /** Why it cannot run confined here. */
      obstacle: z
        .discriminatedUnion('kind', [
          z.object({ kind: z.literal('system') }),
          z.object({ kind: z.literal('debugged') }),
          z.object({ kind: z.literal('missing'), program: z.string() }),
          z.object({ kind: z.literal('fetches'), program: z.string() }),
          z.object({ kind: z.literal('elsewhere'), program: z.string() }),
          z.object({
            kind: z.literal('unreliable'),
            /** What went wrong in a box that was tried: it did not start, let a file be read or written or a port be reached, or was of no use. */
            probes: z.array(z.enum(['starts', 'reads', 'writes', 'connects', 'works'])),
            /** What the program that makes boxes said. */
            said: z.string(),
          }),
        ])
        .optional(),
    })
    .optional(),
});
export type StartServerQuestion = z.infer<typeof startServer>;

export const roots = z.object({
  kind: z.literal('roots'),
  server: z.string(),
  /** The folders that the server will be told of. */
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

/** May a server send the person, and maybe a secret of theirs, to the authorization server that it names? */
export const signIn = z.object({
  kind: z.literal('signIn'),
  server: z.string(),
  issuer: z.string(),
  /** The name of the configured client secret, never its value, with every origin that gets it. */
  secret: z.object({ name: z.string(), sentTo: z.array(z.string()) }).optional(),
  /** The authorization server where the person signed in before, if it was another one. */
  earlierIssuer: z.string().optional(),
});
export type SignInQuestion = z.infer<typeof signIn>;
