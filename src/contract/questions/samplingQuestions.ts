import * as z from 'zod';

/** Where something in a text looks like a secret. */
const secretPlace = z.object({ from: z.number(), to: z.number() });

/** A text with the places in it that look like secrets. */
const markedText = z.object({ text: z.string(), secrets: z.array(secretPlace) });

/** One piece of a message to or from a model. The person can edit texts and what a tool is called with. */
const samplingPart = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), secrets: z.array(secretPlace) }),
  /** An image. `isSent`: the model takes images; otherwise a note is sent in its place. */
  z.object({ kind: z.literal('image'), mimeType: z.string(), data: z.string(), bytes: z.number(), isSent: z.boolean() }),
  z.object({ kind: z.literal('audio'), mimeType: z.string(), bytes: z.number(), isSent: z.boolean() }),
  /** A call of a tool by the model; `input` is JSON text. */
  z.object({ kind: z.literal('toolUse'), tool: z.string(), input: z.string(), secrets: z.array(secretPlace) }),
  /** The beginning of a tool's result: the parts after it, up to the next result, are what the tool returned. */
  z.object({ kind: z.literal('toolResult'), tool: z.string(), isError: z.boolean() }),
]);
export type SamplingPart = z.infer<typeof samplingPart>;

/** How much a server may use of the model, and how much it has used. */
const samplingBudget = z.object({
  requestsPerHour: z.number(),
  tokensPerDay: z.number(),
  /** How many requests it made in the last hour. */
  requests: z.number(),
  /** How many tokens it used in the last 24 hours. */
  tokens: z.number(),
  /** This request would go beyond the budget. */
  isExceeded: z.boolean(),
});
export type ShownBudget = z.infer<typeof samplingBudget>;

export const sampling = z.object({
  kind: z.literal('sampling'),
  server: z.string(),
  /** The tools of that server that run now, and the resources of it that are being read: one of them may have caused the request. */
  during: z.array(z.string()),
  /** The tool whose app asks, where it is not the server itself. */
  app: z.string().optional(),
  systemPrompt: markedText,
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), parts: z.array(samplingPart) })),
  /** The model that would answer, chosen by Duplex; '' for the provider's first, where the provider was not asked for its models yet. */
  model: z.string(),
  /** Who would get the request: an address, or the extension that gives VS Code its model. */
  destination: z.string(),
  /** Why this model was chosen. */
  chosenBy: z.enum(['hint', 'priorities', 'chat']),
  /** The ids of models that the provider is known to have; it is not asked before the person answers. */
  models: z.array(z.string()),
  /** The models that the server would like, in its words. */
  hints: z.array(z.string()),
  priorities: z.array(z.object({ name: z.enum(['cost', 'speed', 'intelligence']), value: z.number() })),
  /** The longest answer, after the cap. `asked` is given when the server asked for more. */
  maxTokens: z.object({ value: z.number(), cap: z.number(), asked: z.number().optional() }),
  /** The temperature, within what is allowed. `asked` is given when the server asked for another one; `isSent` is false where the model takes none. */
  temperature: z.object({ value: z.number(), asked: z.number().optional(), isSent: z.boolean() }).optional(),
  stopSequences: z.array(markedText),
  /** The tools that the server gives the model; `inputSchema` is JSON text. */
  tools: z.array(z.object({ name: z.string(), description: markedText, inputSchema: markedText })),
  toolChoice: z.enum(['auto', 'required', 'none']).optional(),
  /** What the server adds for the provider, as JSON text. It is not sent. */
  metadata: z.string().optional(),
  /** The results of that server in the conversation, where it asks for them. They are sent only if the person says so. */
  context: z.object({ results: z.number(), text: z.string(), secrets: z.array(secretPlace) }).optional(),
  budget: samplingBudget,
});
export type SamplingQuestion = z.infer<typeof sampling>;

/** May the server see what the model answered? */
export const samplingResponse = z.object({
  kind: z.literal('samplingResponse'),
  server: z.string(),
  model: z.string(),
  parts: z.array(samplingPart),
  stopReason: z.enum(['endTurn', 'stopSequence', 'maxTokens', 'toolUse']),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }),
});
export type SamplingResponseQuestion = z.infer<typeof samplingResponse>;

const editedText = z.string().max(1_000_000);

/** What the person changed in a request to the model, or in its answer. Whatever is left out or null stays as it was. */
export const samplingEdit = z.object({
  systemPrompt: editedText.optional(),
  /** One entry for each text and each `toolUse`, in the order of the question. */
  texts: z.array(editedText.nullable()).max(10_000).optional(),
  /** The indexes of the images, in the order of the question, that are not sent. */
  leftOutImages: z.array(z.number().int().min(0)).max(10_000).optional(),
  /** One entry for each; one that was emptied is not sent. */
  stopSequences: z.array(editedText.nullable()).max(1_000).optional(),
  /** Which of the tools, in the order of the question, the model is not offered. */
  leftOutTools: z.array(z.number().int().min(0)).max(1_000).optional(),
  model: z.string().max(200).optional(),
  maxTokens: z.number().int().min(1).optional(),
  /** The results to add to the request; without it nothing is added. */
  context: editedText.optional(),
  budget: z
    .object({ requestsPerHour: z.number().int().min(0).max(10_000), tokensPerDay: z.number().int().min(0).max(100_000_000) })
    .optional(),
});
export type SamplingEdit = z.infer<typeof samplingEdit>;
