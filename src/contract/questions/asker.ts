import * as z from 'zod';

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
