import * as z from 'zod';

/** In tasks.json: a task that runs a tool. package.json declares the same, which a test compares. */
export const toolTaskDefinition = z.object({
  server: z.string().min(1),
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).optional(),
});
