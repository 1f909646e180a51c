import * as z from 'zod';

/** What Duplex itself knows about a call of a tool, as far as it goes. Shown beside what the server says of itself. */

/** A text in the arguments that stands in the result of an earlier call of the same conversation. */
const carriedText = z.object({
  /** Of the earlier call. */
  server: z.string(),
  tool: z.string(),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('result') }),
    /** The call asked for a file that holds secrets by custom. */
    z.object({ kind: z.literal('withheldFile'), name: z.string() }),
    /** The call was given an address of the web, or its result named one. */
    z.object({ kind: z.literal('webPage'), host: z.string() }),
  ]),
  /** Where in the arguments: `list[0].name`. */
  path: z.string(),
  encoding: z.enum(['plain', 'percent', 'base64', 'hex']),
  /** The part of the argument, or its beginning. */
  excerpt: z.string(),
  characters: z.number(),
});
export type CarriedText = z.infer<typeof carriedText>;

/** Where the call is carried out. */
const callPlace = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('editor') }),
  z.object({ kind: z.literal('thisMachine') }),
  z.object({ kind: z.literal('remote'), host: z.string() }),
]);
export type CallPlace = z.infer<typeof callPlace>;

export const callKnowledge = z.object({
  /** Left out where it is not known. */
  place: callPlace.optional(),
  carried: z.array(carriedText),
  /** Results of this conversation that were compared with the arguments. */
  compared: z.number(),
  /** There was more than was compared. */
  isPartly: z.boolean(),
});
export type CallKnowledge = z.infer<typeof callKnowledge>;

/** Who wants a tool to run: never the server, which only carries it out. */
export const asker = z.discriminatedUnion('kind', [
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
