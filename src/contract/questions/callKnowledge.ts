import * as z from 'zod';

// What Duplex itself knows about a call of a tool. It is shown beside what the server says about itself.

/** A text in the arguments that also stands in the result of an earlier call of the same conversation. */
const carriedText = z.object({
  /** The server of the earlier call. */
  server: z.string(),
  tool: z.string(),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('result') }),
    /** The earlier call asked for a file that by its name holds secrets. */
    z.object({ kind: z.literal('withheldFile'), name: z.string() }),
    /** The earlier call was given a web address, or its result named one. */
    z.object({ kind: z.literal('webPage'), host: z.string() }),
  ]),
  /** Where the text stands in the arguments, such as `list[0].name`. */
  path: z.string(),
  encoding: z.enum(['plain', 'percent', 'base64', 'hex', 'disguised']),
  /** The text, or its beginning. */
  excerpt: z.string(),
  characters: z.number(),
});
export type CarriedText = z.infer<typeof carriedText>;

/** The machine on which the call is carried out. */
const callPlace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('editor') }),
  z.object({ kind: z.literal('thisMachine') }),
  z.object({ kind: z.literal('remote'), host: z.string() }),
]);
export type CallPlace = z.infer<typeof callPlace>;

export const callKnowledge = z.object({
  /** Where the call is carried out; left out where that is not known. */
  place: callPlace.optional(),
  carried: z.array(carriedText),
  /** How many results of this conversation were compared with the arguments. */
  compared: z.number(),
  /** There was too much to compare all of it. */
  isPartly: z.boolean(),
});
export type CallKnowledge = z.infer<typeof callKnowledge>;

/** Who wants a tool to run. It is never the server, which only runs it. */
export const asker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('model'), name: z.string() }),
  z.object({ kind: z.literal('guide') }),
  /** The person runs it with Run Tool. */
  z.object({ kind: z.literal('person') }),
  /** A task of the type `duplex`, by its name in tasks.json. */
  z.object({ kind: z.literal('task'), name: z.string() }),
  /** An app, the page of the server that is named. */
  z.object({ kind: z.literal('app'), name: z.string() }),
  /** A key binding or another extension runs it through the command, which cannot know which of them. */
  z.object({ kind: z.literal('command') }),
  /** An outside client runs it, on a server that the person offers. The name is what it calls itself, the id that of its credential. */
  z.object({ kind: z.literal('client'), name: z.string(), credentialId: z.string() }),
]);
export type Asker = z.infer<typeof asker>;
