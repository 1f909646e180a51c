import * as z from 'zod';
import { formGroup, argumentRefusal } from '../forms/formFields.ts';
import { asker, callKnowledge } from './callKnowledge.ts';
import { contentDestination } from './sentContent.ts';
import { claim } from './rolesAndClaims.ts';

/** One parameter of a tool, as the model was told it. Parameters inside it follow as rows of their own (`list[].name`). */
const toolParameter = z.object({
  name: z.string(),
  /** The type, such as "string" or "integer | null"; empty where the schema says nothing. */
  type: z.string(),
  isRequired: z.boolean(),
  description: z.string(),
  /** The only values allowed, as JSON texts. */
  values: z.array(z.string()),
  /** The default as JSON text. */
  default: z.string().optional(),
  /** Limits in words, such as "minimum 1". */
  limits: z.array(z.string()),
  /** Whether the parameter has more inside than is listed here. */
  isCut: z.boolean(),
  /** How much is not shown after the last parameter that is listed, because nobody would read so much. */
  hidden: z.object({ parameters: z.number(), characters: z.number() }).optional(),
});
export type ToolParameter = z.infer<typeof toolParameter>;

/** Another tool of the same server, with as much as a question about that tool would tell. */
const otherTool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  claims: z.array(claim()),
  parameters: z.array(toolParameter),
});
export type OtherTool = z.infer<typeof otherTool>;

/** Where an answer by a rule can hold. */
export const ruleScope = z.enum(['session', 'workspace']);
export type RuleScope = z.infer<typeof ruleScope>;

/** A rule that the person can allow further calls by. The words for it are made of this alone; the extension host keeps the rule itself. */
const ruleOffer = z.object({
  what: z.discriminatedUnion('kind', [
    /** Calls with exactly the arguments of the question. */
    z.object({ kind: z.literal('exactArguments') }),
    /** Calls whose `path` lies in a folder. `realFolder` is where that folder really is, when it is a link. */
    z.object({ kind: z.literal('pathInside'), folder: z.string(), realFolder: z.string().optional() }),
  ]),
  scopes: z.array(ruleScope),
});
export type RuleOffer = z.infer<typeof ruleOffer>;

/** The rule that the person chose, by its place among those that the question offers. */
export const chosenRule = z.object({ offer: z.number().int().min(0).max(10), scope: ruleScope });
export type ChosenRule = z.infer<typeof chosenRule>;

export const callToolDetail = z.object({
  kind: z.literal('callTool'),
  asker,
  server: z.string(),
  tool: z.string(),
  title: z.string().optional(),
  description: z.string(),
  /** What the server claims about its tool. It is shown as a claim and never makes a check weaker. */
  claims: z.array(claim()),
  parameters: z.array(toolParameter).optional(),
  /** The arguments as JSON text; the person may edit them. */
  arguments: z.string(),
  /** The same arguments as a form, where the tool's schema tells how. */
  form: formGroup.optional(),
  /** Why the question is asked again: what the tool's schema says against the arguments as the person left them. */
  refusal: z.string().optional(),
  /** The reasons of `refusal`, each with its place in the arguments. */
  refusals: z.array(argumentRefusal).optional(),
  /** What the host itself knows about the effect. */
  risk: z.enum(['readsEditor', 'changesEditor', 'runsCode', 'unknown']),
  /** The other tools of the server as they are now, where the answer can be given for all of them. */
  otherTools: z.array(otherTool).optional(),
  /** The rules that further calls can be allowed by; for the choice `allowWhen`. */
  rules: z.array(ruleOffer).optional(),
  knows: callKnowledge.optional(),
  /**
   * Set when a resource is to be read: at an address that the server lists, at one that follows a pattern of the server, which is then the
   * description, or at another one.
   */
  reads: z.enum(['listed', 'pattern', 'unlisted']).optional(),
  /** Whether it is no tool but a prompt that is wanted of the server. */
  isPrompt: z.boolean().optional(),
  /** Whether it is no tool of the server but one that its app offers while it is shown. */
  isOfApp: z.boolean().optional(),
  /** How many further tools the server has that were refused; they stay refused. */
  refusedTools: z.number().optional(),
});
export type CallToolQuestion = z.infer<typeof callToolDetail>;

/** May the chat use the editor's tools that only look? There is one answer for all of them. */
export const seeEditor = z.object({
  kind: z.literal('seeEditor'),
  asker,
  server: z.string(),
  /** The tool that is called now; its arguments are JSON text. */
  tool: z.string(),
  arguments: z.string(),
  /** The names of all tools that the answer is about. */
  tools: z.array(z.string()),
  /** Who gets what is read; the answer holds for no other. */
  destination: contentDestination,
});
export type SeeEditorQuestion = z.infer<typeof seeEditor>;
