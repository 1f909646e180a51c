import * as z from 'zod';
import { argumentForm } from './argumentFields.ts';
import { callKnowledge } from './callKnowledge.ts';
import { formField, formValue } from './formFields.ts';
import { contentDestination, contentItem, contentSource, foundSecret, maxSecrets } from './sentContent.ts';

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

/** A tool of the same server, as much of it as a question about itself would tell. */
const otherTool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  claims: z.array(claim),
  parameters: z.array(toolParameter),
});
export type OtherTool = z.infer<typeof otherTool>;

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
  /** The same arguments as a form, where the tool's schema tells how. */
  form: argumentForm.optional(),
  /** Why the arguments came back: what the tool's schema says against those that the person had left. */
  refusal: z.string().optional(),
  /** What the host itself knows about the effect. */
  risk: z.enum(['readsEditor', 'changesEditor', 'runsCode', 'unknown']),
  /** The rest of the server as it is now, where the answer can be given for all its tools. */
  otherTools: z.array(otherTool).optional(),
  knows: callKnowledge.optional(),
  /** How many tools it has beside those, which are refused and stay so. */
  refusedTools: z.number().optional(),
});

/** The chat wants to use the tools of the editor that only look: one answer for all of them. */
const seeEditor = z.object({
  kind: z.literal('seeEditor'),
  asker,
  server: z.string(),
  /** The one that is called now, and with what: JSON text. */
  tool: z.string(),
  arguments: z.string(),
  /** All that are meant. */
  tools: z.array(z.string()),
  /** Who gets what is read; an answer holds for no other. */
  destination: contentDestination,
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
const ownAct = z.object({
  kind: z.literal('ownAct'),
  asker,
  tool: z.string(),
  what: act,
  unsaved,
  /** Of the arguments of the call that wants it. */
  knows: callKnowledge.optional(),
});

const roots = z.object({
  kind: z.literal('roots'),
  server: z.string(),
  /** What the server will be told of. */
  folders: z.array(z.object({ name: z.string(), path: z.string() })),
});

/** Where something in a text looks like a secret. */
const secretPlace = z.object({ from: z.number(), to: z.number() });
export type SecretPlace = z.infer<typeof secretPlace>;

/** One piece of a message to or from a model. Texts, and what a tool is called with, can be edited. */
const samplingPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), secrets: z.array(secretPlace) }),
  /** `isSent`: the model takes such data; else a note stands in its place. */
  z.object({ kind: z.literal('image'), mimeType: z.string(), data: z.string(), bytes: z.number(), isSent: z.boolean() }),
  z.object({ kind: z.literal('audio'), mimeType: z.string(), bytes: z.number(), isSent: z.boolean() }),
  /** `input` is JSON text. */
  z.object({ kind: z.literal('toolUse'), tool: z.string(), input: z.string(), secrets: z.array(secretPlace) }),
  /** The parts after it, up to the next of its kind, are what the tool said. */
  z.object({ kind: z.literal('toolResult'), tool: z.string(), isError: z.boolean() }),
]);
export type SamplingPart = z.infer<typeof samplingPart>;

/** What a server may spend, and what it has spent. */
const samplingBudget = z.object({
  requestsPerHour: z.number(),
  tokensPerDay: z.number(),
  /** In the last hour. */
  requests: z.number(),
  /** In the last 24 hours. */
  tokens: z.number(),
  /** What is asked for would go beyond it. */
  isExceeded: z.boolean(),
});
export type ShownBudget = z.infer<typeof samplingBudget>;

const sampling = z.object({
  kind: z.literal('sampling'),
  server: z.string(),
  /** The tools of that server that run now: one of them may want this. */
  during: z.array(z.string()),
  systemPrompt: z.object({ text: z.string(), secrets: z.array(secretPlace) }),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), parts: z.array(samplingPart) })),
  /** What would answer, chosen by this side; '' for the provider's first, which nobody has been asked for yet. */
  model: z.string(),
  /** What decided it. */
  chosenBy: z.enum(['hint', 'priorities', 'chat']),
  /** The ids that the provider is known to have; it is not asked before the answer. */
  models: z.array(z.string()),
  /** The server's wishes, in its words. */
  hints: z.array(z.string()),
  priorities: z.array(z.object({ name: z.enum(['cost', 'speed', 'intelligence']), value: z.number() })),
  /** After the cap; `asked` is there when it was more. */
  maxTokens: z.object({ value: z.number(), cap: z.number(), asked: z.number().optional() }),
  /** After the clamp; `isSent` is false where the model takes none. */
  temperature: z.object({ value: z.number(), asked: z.number().optional(), isSent: z.boolean() }).optional(),
  stopSequences: z.array(z.string()),
  tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: z.string() })),
  toolChoice: z.enum(['auto', 'required', 'none']).optional(),
  /** JSON text of what the server adds for the provider. It stays here. */
  metadata: z.string().optional(),
  /** That server's own results of the conversation, where it asks for them; sent only if the person says so. */
  context: z.object({ results: z.number(), text: z.string(), secrets: z.array(secretPlace) }).optional(),
  budget: samplingBudget,
});

/** What the model answered, before the server sees it. */
const samplingResponse = z.object({
  kind: z.literal('samplingResponse'),
  server: z.string(),
  model: z.string(),
  parts: z.array(samplingPart),
  stopReason: z.enum(['endTurn', 'stopSequence', 'maxTokens', 'toolUse']),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
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

/** What a server gave would become part of the conversation, and so go to whoever answers in it. */
const sendContent = z.object({
  kind: z.literal('sendContent'),
  server: z.string(),
  source: contentSource,
  destination: contentDestination,
  items: z.array(contentItem),
  /** Of what would be sent. */
  bytes: z.number(),
  /** Together with the rest of what the server gave, when that is more than is sent. */
  totalBytes: z.number().optional(),
  /** Those of the server, when they are more than the items. */
  totalParts: z.number().optional(),
  /** The one of number 1 is the first. */
  secrets: z.array(foundSecret),
  /** How many invisible characters are written out in the items. */
  invisible: z.number(),
});

export const questionDetail = z.discriminatedUnion('kind', [
  startServer,
  callTool,
  connectClient,
  clientAct,
  ownAct,
  roots,
  sampling,
  samplingResponse,
  elicitation,
  signIn,
  sendConversation,
  seeEditor,
  sendContent,
]);
export type QuestionDetail = z.infer<typeof questionDetail>;
export type StartServerQuestion = z.infer<typeof startServer>;
export type CallToolQuestion = z.infer<typeof callTool>;
export type ConnectClientQuestion = z.infer<typeof connectClient>;
export type ClientActQuestion = z.infer<typeof clientAct>;
export type OwnActQuestion = z.infer<typeof ownAct>;
export type RootsQuestion = z.infer<typeof roots>;
export type SamplingQuestion = z.infer<typeof sampling>;
export type SamplingResponseQuestion = z.infer<typeof samplingResponse>;
export type ElicitationQuestion = z.infer<typeof elicitation>;
export type SendConversationQuestion = z.infer<typeof sendConversation>;
export type SendContentQuestion = z.infer<typeof sendContent>;
export type SignInQuestion = z.infer<typeof signIn>;
export type SeeEditorQuestion = z.infer<typeof seeEditor>;

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

const editedText = z.string().max(1_000_000);

/** What the person changed in a request for the model, or in its answer. What is left out, or null, stays as it was. */
const samplingEdit = z.object({
  systemPrompt: editedText.optional(),
  /** One for each text and each `toolUse` in the order of the question. */
  texts: z.array(editedText.nullable()).max(10_000).optional(),
  model: z.string().max(200).optional(),
  maxTokens: z.number().int().min(1).optional(),
  /** The text to add; without it nothing is added. */
  context: editedText.optional(),
  budget: z
    .object({ requestsPerHour: z.number().int().min(0).max(10_000), tokensPerDay: z.number().int().min(0).max(100_000_000) })
    .optional(),
});
export type SamplingEdit = z.infer<typeof samplingEdit>;

export const personAnswer = z.object({
  askId: z.string(),
  choice,
  /** For `connectClient`. */
  role: role.optional(),
  /** For `callTool`, when the person changed them: JSON text. */
  arguments: z.string().max(1_000_000).optional(),
  /** For `callTool` with other tools: the answer is meant for them too. */
  allTools: z.boolean().optional(),
  /** For `elicitation` with a form. */
  form: z.record(z.string().max(1_000), formValue).optional(),
  /** For `sendContent`: the secrets that the person wants to send as they are, by number. All others are removed. */
  keptSecrets: z.array(z.number().int().positive()).max(maxSecrets).optional(),
  /** For `sampling` and `samplingResponse`. */
  sampling: samplingEdit.optional(),
});
export type PersonAnswer = z.infer<typeof personAnswer>;

/** The person wants to see what a start question is about in the file where it is configured. */
export const definitionToShow = z.object({ askId: z.string() });
