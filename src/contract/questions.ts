import * as z from 'zod';
import { formField, formValue } from './formFields.ts';

/**
 * What a person is asked, as data. The extension host makes it, a webview shows it whole, and only the answer comes back.
 * Texts inside are already free of invisible characters and of secret values.
 */
export const choice = z.enum([
  'allow',
  'allowOnce',
  'allowSession',
  'allowWorkspace',
  'allowAlways',
  'raiseRole',
  'deny',
  'denyAlways',
  'cancel',
]);
export type Choice = z.infer<typeof choice>;

const difference = z.object({ field: z.string(), before: z.string().optional(), after: z.string().optional() });
export type Difference = z.infer<typeof difference>;

const startServer = z.object({
  kind: z.literal('startServer'),
  server: z.string(),
  /** Where the definition stands, in words: "workspace settings of demo". */
  configuredIn: z.string(),
  /** Every field after expansion, in the order of the definition. */
  fields: z.array(z.object({ name: z.string(), value: z.string(), isDangerous: z.boolean() })),
  /** Secrets and variables by name, never by value, with where they go. */
  disclosures: z.array(z.object({ name: z.string(), destination: z.string() })),
});

/** Who wants a tool to run: never the server, which only carries it out. */
const asker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('model'), name: z.string() }),
  z.object({ kind: z.literal('guide') }),
  /** The person, with Run Tool. */
  z.object({ kind: z.literal('person') }),
  /** A key binding, a task or another extension, through the command. */
  z.object({ kind: z.literal('command') }),
]);
export type Asker = z.infer<typeof asker>;

/** What the annotations of a tool claim, by its server. */
const claim = z.enum(['readOnly', 'changesThings', 'destructive', 'notDestructive', 'repeatable', 'openWorld', 'closedWorld']);
export type Claim = z.infer<typeof claim>;

const callTool = z.object({
  kind: z.literal('callTool'),
  asker,
  server: z.string(),
  tool: z.string(),
  title: z.string().optional(),
  description: z.string(),
  /** What the server says about its tool. Shown as claims; never lowers a check. */
  claims: z.array(claim),
  /** JSON text; the person may edit it. */
  arguments: z.string(),
  /** What the host itself knows about the effect. */
  risk: z.enum(['readsEditor', 'changesEditor', 'runsCode', 'unknown']),
});

export const role = z.enum(['reader', 'editor', 'runner']);
export type Role = z.infer<typeof role>;

const clientIdentity = {
  /** What the client calls itself: shown as its own words, never as an identity. */
  callsItself: z.string(),
  transport: z.string(),
  credential: z.enum(['windowToken', 'clientToken', 'oauth']),
  /** As `duplex.clients` shows it. */
  credentialId: z.string(),
};

const connectClient = z.object({
  kind: z.literal('connectClient'),
  ...clientIdentity,
  roles: z.array(role),
  /** What the page in the browser shows too. */
  pairingCode: z.string().optional(),
});

const clientAct = z.object({
  kind: z.literal('clientAct'),
  ...clientIdentity,
  tool: z.string(),
  /** The one the client has. */
  role: role,
  /** The one it takes, when it has less. */
  neededRole: role.optional(),
  what: z.discriminatedUnion('kind', [
    /** A call, with its arguments as JSON. */
    z.object({ kind: z.literal('call'), arguments: z.string() }),
    z.object({ kind: z.literal('read'), uri: z.string() }),
    z.object({ kind: z.literal('command'), commandLine: z.string(), cwd: z.string() }),
    z.object({ kind: z.literal('task'), name: z.string(), definition: z.string() }),
    z.object({ kind: z.literal('script'), commandLine: z.string(), script: z.string(), cwd: z.string() }),
    z.object({ kind: z.literal('save'), path: z.string() }),
    z.object({ kind: z.literal('codeAction'), title: z.string(), path: z.string(), command: z.string() }),
  ]),
});

const roots = z.object({
  kind: z.literal('roots'),
  server: z.string(),
  /** What the server will be told of. */
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
});

const sampling = z.object({
  kind: z.literal('sampling'),
  server: z.string(),
  systemPrompt: z.string(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), text: z.string() })),
  /** What would answer, chosen by this side. */
  model: z.string(),
  /** After the cap. */
  maxTokens: z.number(),
});

const elicitation = z.object({
  kind: z.literal('elicitation'),
  server: z.string(),
  message: z.string(),
  request: z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('form'), fields: z.array(formField) }),
    z.object({ mode: z.literal('url'), url: z.string(), host: z.string() }),
  ]),
});

export const questionDetail = z.discriminatedUnion('kind', [startServer, callTool, connectClient, clientAct, roots, sampling, elicitation]);
export type QuestionDetail = z.infer<typeof questionDetail>;
export type StartServerQuestion = z.infer<typeof startServer>;
export type CallToolQuestion = z.infer<typeof callTool>;
export type ConnectClientQuestion = z.infer<typeof connectClient>;
export type ClientActQuestion = z.infer<typeof clientAct>;
export type RootsQuestion = z.infer<typeof roots>;
export type SamplingQuestion = z.infer<typeof sampling>;
export type ElicitationQuestion = z.infer<typeof elicitation>;

export const question = z.object({
  askId: z.string(),
  detail: questionDetail,
  /** Why it is asked: first time, or something changed since the last answer. */
  why: z.enum(['new', 'changed']),
  differences: z.array(difference),
  choices: z.array(choice),
  /** The person has just asked for what it is about, so the focus goes to it. Never set for what another program caused. */
  takesFocus: z.boolean().optional(),
});
export type Question = z.infer<typeof question>;

export const personAnswer = z.object({
  askId: z.string(),
  choice,
  /** For `connectClient`. */
  role: role.optional(),
  /** For `callTool`, when the person changed them: JSON text. */
  arguments: z.string().max(1_000_000).optional(),
  /** For `elicitation` with a form. */
  form: z.record(z.string().max(1_000), formValue).optional(),
});
export type PersonAnswer = z.infer<typeof personAnswer>;
