import * as z from 'zod';
import { asker, callKnowledge } from './callKnowledge.ts';
import { role } from './rolesAndClaims.ts';

const clientIdentity = {
  /** What the client calls itself: shown as its own words, never as an identity. */
  callsItself: z.string(),
  transport: z.string(),
  credential: z.enum(['windowToken', 'clientToken', 'oauth']),
  /** The id that `duplex.clients` shows. */
  credentialId: z.string(),
};

export const connectClient = z.object({
  kind: z.literal('connectClient'),
  ...clientIdentity,
  roles: z.array(role()),
  /** A code that the page in the browser shows too. */
  pairingCode: z.string().optional(),
});
export type ConnectClientQuestion = z.infer<typeof connectClient>;

/** Everything that a command or a task would run: package scripts by name with their text, and the parts that cannot be known. */
const runChain = z.object({
  steps: z.array(z.object({ name: z.string(), text: z.string() })),
  /** The parts that cannot be known, as they are written. Where there are any, it can be allowed only once. */
  unknown: z.array(z.string()),
});
export type ShownChain = z.infer<typeof runChain>;

const script = z.object({
  commandLine: z.string(),
  /** The definition of the task, if the script is run as one. */
  definition: z.string().optional(),
  chain: runChain,
  cwd: z.string(),
});
export type ShownScript = z.infer<typeof script>;

/** Code that the debugger would run: where, and what. */
const debugCode = z.array(z.object({ place: z.string(), text: z.string() }));

/** What would be done, in full. */
const act = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    commandLine: z.string(),
    cwd: z.string(),
    /** The shell, and what settings say about it and its variables, as JSON text. */
    terminal: z.string(),
    /** What ran before in the same terminal, oldest first, and how many more there were before that; left out for a new one. */
    earlier: z.array(z.string()).optional(),
    moreEarlier: z.number().optional(),
  }),
  /** A text that is typed for a command that runs, whose line breaks are the key Enter. */
  z.object({ kind: z.literal('input'), text: z.string(), commandLine: z.string() }),
  z.object({ kind: z.literal('task'), name: z.string(), definition: z.string(), chain: runChain }),
  z.object({
    kind: z.literal('script'),
    ...script.shape,
    /** What runs after it, in other folders. */
    next: z.array(script).optional(),
  }),
  z.object({ kind: z.literal('save'), path: z.string() }),
  z.object({ kind: z.literal('codeAction'), title: z.string(), path: z.string(), command: z.string() }),
  /** A debug configuration, and the code that the debugger runs at places on the way. */
  z.object({ kind: z.literal('debug'), name: z.string(), definition: z.string(), chain: runChain, code: debugCode.optional() }),
  /** Code for the debugger: expressions, conditions and log messages. */
  z.object({ kind: z.literal('debugCode'), session: z.string().optional(), code: debugCode }),
  z.object({ kind: z.literal('debugSession'), session: z.string() }),
]);
export type ShownAct = z.infer<typeof act>;

/** Files whose unsaved text a run would not see; left out where there are none. */
const unsaved = z.array(z.string()).optional();

export const clientAct = z.object({
  kind: z.literal('clientAct'),
  ...clientIdentity,
  tool: z.string(),
  /** The role that the client has. */
  role: role(),
  /** The role that it would need, when it has a lower one. */
  neededRole: role().optional(),
  what: z.discriminatedUnion('kind', [
    /** A call of the tool, with its arguments as JSON text. */
    z.object({ kind: z.literal('call'), arguments: z.string() }),
    z.object({ kind: z.literal('read'), uri: z.string() }),
    ...act.options,
  ]),
  unsaved,
});
export type ClientActQuestion = z.infer<typeof clientAct>;

/** The same question for what Duplex itself asks for: the chat, Run Tool, or a command that another program in the editor runs. */
export const ownAct = z.object({
  kind: z.literal('ownAct'),
  asker,
  tool: z.string(),
  what: act,
  unsaved,
  /** What is known about the arguments of the call that wants it. */
  knows: callKnowledge.optional(),
});
export type OwnActQuestion = z.infer<typeof ownAct>;
