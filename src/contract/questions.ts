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
  /** Once, and all unsaved text is written to disk before. */
  'saveAndRun',
  'deny',
  'denyAlways',
  'cancel',
  'newConversation',
]);
export type Choice = z.infer<typeof choice>;

/** `isHidden`: a secret that is another one now; neither is shown. */
const difference = z.object({
  field: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
  isHidden: z.boolean().optional(),
});
export type Difference = z.infer<typeof difference>;

const startServer = z.object({
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

/** One parameter of a tool as the model was told it; those inside it follow as rows of their own (`list[].name`). */
const toolParameter = z.object({
  name: z.string(),
  /** "string", "integer | null"; empty where the schema says nothing. */
  type: z.string(),
  isRequired: z.boolean(),
  description: z.string(),
  /** JSON texts of the only values allowed. */
  values: z.array(z.string()),
  /** JSON text. */
  default: z.string().optional(),
  /** Such as "minimum 1". */
  limits: z.array(z.string()),
  /** There is more inside than is told here. */
  isCut: z.boolean(),
});
export type ToolParameter = z.infer<typeof toolParameter>;

/** Who wants a tool to run: never the server, which only carries it out. */
const asker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('model'), name: z.string() }),
  z.object({ kind: z.literal('guide') }),
  /** The person, with Run Tool. */
  z.object({ kind: z.literal('person') }),
  /** A task of the type `duplex`, by its name in tasks.json. */
  z.object({ kind: z.literal('task'), name: z.string() }),
  /** A key binding or another extension, through the command: it cannot know which. */
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
  parameters: z.array(toolParameter).optional(),
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
    ...act.options,
  ]),
  unsaved,
});

/** The same for what a surface of Duplex's own asks for: the chat, Run Tool, or a command of another program in the editor. */
const ownAct = z.object({ kind: z.literal('ownAct'), asker, tool: z.string(), what: act, unsaved });

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
  /** What would answer, chosen by this side; '' for the provider's first, which nobody has been asked for yet. */
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

/** A server sends the person, and maybe a secret of theirs, to an authorization server of its choice. */
const signIn = z.object({
  kind: z.literal('signIn'),
  server: z.string(),
  issuer: z.string(),
  /** The configured client secret by name, never by value, with every origin that gets it. */
  secret: z.object({ name: z.string(), sentTo: z.array(z.string()) }).optional(),
  /** Where the person signed in before. */
  earlierIssuer: z.string().optional(),
});

/** What was said to one model, or to the guide, would go to another. */
const sendConversation = z.object({
  kind: z.literal('sendConversation'),
  /** Who would get it. */
  destination: z.string(),
  messages: z.number(),
  images: z.number(),
  bytes: z.number(),
});

export const questionDetail = z.discriminatedUnion('kind', [
  startServer,
  callTool,
  connectClient,
  clientAct,
  ownAct,
  roots,
  sampling,
  elicitation,
  signIn,
  sendConversation,
]);
export type QuestionDetail = z.infer<typeof questionDetail>;
export type StartServerQuestion = z.infer<typeof startServer>;
export type CallToolQuestion = z.infer<typeof callTool>;
export type ConnectClientQuestion = z.infer<typeof connectClient>;
export type ClientActQuestion = z.infer<typeof clientAct>;
export type OwnActQuestion = z.infer<typeof ownAct>;
export type RootsQuestion = z.infer<typeof roots>;
export type SamplingQuestion = z.infer<typeof sampling>;
export type ElicitationQuestion = z.infer<typeof elicitation>;
export type SendConversationQuestion = z.infer<typeof sendConversation>;
export type SignInQuestion = z.infer<typeof signIn>;

export const question = z.object({
  askId: z.string(),
  detail: questionDetail,
  /** Why it is asked: first time, or something changed since the last answer. */
  why: z.enum(['new', 'changed']),
  differences: z.array(difference),
  /** The person has read this very definition before and allowed it, so that its description may stay folded. */
  isRead: z.boolean().optional(),
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

/** The person wants to see what a start question is about in the file where it is configured. */
export const definitionToShow = z.object({ askId: z.string() });
