import * as z from 'zod';
import { formGroup, argumentRefusal } from '../forms/formFields.ts';
import { asker, callKnowledge } from './callKnowledge.ts';
import { contentDestination } from './sentContent.ts';
import { claim } from './rolesAndClaims.ts';

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
  /** On the last one: what would follow it, and what its own description would still say, is more than anybody reads. */
  hidden: z.object({ parameters: z.number(), characters: z.number() }).optional(),
});
export type ToolParameter = z.infer<typeof toolParameter>;

/** A tool of the same server, as much of it as a question about itself would tell. */
const otherTool = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  claims: z.array(claim()),
  parameters: z.array(toolParameter),
});
export type OtherTool = z.infer<typeof otherTool>;

export const callTool = z.object({
  kind: z.literal('callTool'),
  asker,
  server: z.string(),
  tool: z.string(),
  title: z.string().optional(),
  description: z.string(),
  /** What the server says about its tool. Shown as claims; never lowers a check. */
  claims: z.array(claim()),
  parameters: z.array(toolParameter).optional(),
  /** JSON text; the person may edit it. */
  arguments: z.string(),
  /** The same arguments as a form, where the tool's schema tells how. */
  form: formGroup.optional(),
  /** Why the arguments came back: what the tool's schema says against those that the person had left. */
  refusal: z.string().optional(),
  /** The same by where it stands. */
  refusals: z.array(argumentRefusal).optional(),
  /** What the host itself knows about the effect. */
  risk: z.enum(['readsEditor', 'changesEditor', 'runsCode', 'unknown']),
  /** The rest of the server as it is now, where the answer can be given for all its tools. */
  otherTools: z.array(otherTool).optional(),
  knows: callKnowledge.optional(),
  /** How many tools it has beside those, which are refused and stay so. */
  refusedTools: z.number().optional(),
});
export type CallToolQuestion = z.infer<typeof callTool>;

/** The chat wants to use the tools of the editor that only look: one answer for all of them. */
export const seeEditor = z.object({
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
export type SeeEditorQuestion = z.infer<typeof seeEditor>;
