import * as z from 'zod';
import { asker, callKnowledge } from './callKnowledge.ts';
import { role } from './rolesAndClaims.ts';

const clientIdentity = {
  /** What the client calls itself: shown as its own words, never as an identity. */
  callsItself: z.string(),
  transport: z.string(),
  credential: z.enum(['windowToken', 'clientToken', 'oauth']),
  /** As `duplex.clients` shows it. */
  credentialId: z.string(),
};

export const connectClient = z.object({
  kind: z.literal('connectClient'),
  ...clientIdentity,
  roles: z.array(role()),
  /** What the page in the browser shows too. */
  pairingCode: z.string().optional(),
});
export type ConnectClientQuestion = z.infer<typeof connectClient>;

/** Everything that runs with a command or a task: package scripts by name with their text, and what cannot be known of it. */
const runChain = z.object({
  steps: z.array(z.object({ name: z.string(), text: z.string() })),
  /** In the words of those parts. Where there are any, it is allowed once only. */
  unknown: z.array(z.string()),
});
export type ShownChain = z.infer<typeof runChain>;

/** What would be done, whole. */
const act = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('command'), commandLine: z.string(), cwd: z.string() }),
  z.object({ kind: z.literal('task'), name: z.string(), definition: z.string(), chain: runChain }),
  z.object({
    kind: z.literal('script'),
    commandLine: z.string(),
    /** Of the task that it is, if it is one. */
    definition: z.string().optional(),
    chain: runChain,
    cwd: z.string(),
  }),
  z.object({ kind: z.literal('save'), path: z.string() }),
  z.object({ kind: z.literal('codeAction'), title: z.string(), path: z.string(), command: z.string() }),
]);
export type ShownAct = z.infer<typeof act>;

/** Files whose unsaved text a run would not see; left out: none. */
const unsaved = z.array(z.string()).optional();

export const clientAct = z.object({
  kind: z.literal('clientAct'),
  ...clientIdentity,
  tool: z.string(),
  /** The one the client has. */
  role: role(),
  /** The one it takes, when it has less. */
  neededRole: role().optional(),
  what: z.discriminatedUnion('kind', [
    /** A call, with its arguments as JSON. */
    z.object({ kind: z.literal('call'), arguments: z.string() }),
    z.object({ kind: z.literal('read'), uri: z.string() }),
    ...act.options,
  ]),
  unsaved,
});
export type ClientActQuestion = z.infer<typeof clientAct>;

/** The same for what a surface of Duplex's own asks for: the chat, Run Tool, or a command of another program in the editor. */
export const ownAct = z.object({
  kind: z.literal('ownAct'),
  asker,
  tool: z.string(),
  what: act,
  unsaved,
  /** Of the arguments of the call that wants it. */
  knows: callKnowledge.optional(),
});
export type OwnActQuestion = z.infer<typeof ownAct>;
