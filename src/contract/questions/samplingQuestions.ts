import * as z from 'zod';

/** Where something in a text looks like a secret. */
const secretPlace = z.object({ from: z.number(), to: z.number() });

/** A text that can be edited. */
const markedText = z.object({ text: z.string(), secrets: z.array(secretPlace) });

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

export const sampling = z.object({
  kind: z.literal('sampling'),
  server: z.string(),
  /** The tools of that server that run now, and what is read of it: one of them may want this. */
  during: z.array(z.string()),
  systemPrompt: markedText,
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), parts: z.array(samplingPart) })),
  /** What would answer, chosen by this side; '' for the provider's first, which nobody has been asked for yet. */
  model: z.string(),
  /** Who would hear it: an address, or who gives VS Code its model. */
  destination: z.string(),
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
  stopSequences: z.array(markedText),
  /** `inputSchema` is JSON text. */
  tools: z.array(z.object({ name: z.string(), description: markedText, inputSchema: markedText })),
  toolChoice: z.enum(['auto', 'required', 'none']).optional(),
  /** JSON text of what the server adds for the provider. It stays here. */
  metadata: z.string().optional(),
  /** That server's own results of the conversation, where it asks for them; sent only if the person says so. */
  context: z.object({ results: z.number(), text: z.string(), secrets: z.array(secretPlace) }).optional(),
  budget: samplingBudget,
});
export type SamplingQuestion = z.infer<typeof sampling>;

/** What the model answered, before the server sees it. */
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

/** What the person changed in a request for the model, or in its answer. What is left out, or null, stays as it was. */
export const samplingEdit = z.object({
  systemPrompt: editedText.optional(),
  /** One for each text and each `toolUse` in the order of the question. */
  texts: z.array(editedText.nullable()).max(10_000).optional(),
  /** Which of the images, in the order of the question, do not go along. */
  leftOutImages: z.array(z.number().int().min(0)).max(10_000).optional(),
  /** One for each; one that was emptied does not go along. */
  stopSequences: z.array(editedText.nullable()).max(1_000).optional(),
  /** Which of the tools, in the order of the question, the model is not offered. */
  leftOutTools: z.array(z.number().int().min(0)).max(1_000).optional(),
  model: z.string().max(200).optional(),
  maxTokens: z.number().int().min(1).optional(),
  /** The text to add; without it nothing is added. */
  context: editedText.optional(),
  budget: z
    .object({ requestsPerHour: z.number().int().min(0).max(10_000), tokensPerDay: z.number().int().min(0).max(100_000_000) })
    .optional(),
});
export type SamplingEdit = z.infer<typeof samplingEdit>;
