import * as z from 'zod';
import { place, symbolKindText } from './languageShapes.ts';
import { textRange } from './shapes.ts';
import { resolvePlace } from './symbolPlace.ts';
import { defineTool, looksOnly } from './tool.ts';

const call = z.object({
  name: z.string(),
  kind: z.string().describe(symbolKindText),
  path: z.string(),
  range: textRange,
  ranges: z.array(textRange).describe('Where the calls are: in path for incoming ones, in the file asked about for outgoing ones'),
});

export const getCallHierarchy = defineTool({
  name: 'get_call_hierarchy',
  title: 'Get Call Hierarchy',
  description: 'Tells who calls the function at a place in a file (incoming), or what it calls (outgoing).',
  input: z.strictObject({
    ...place,
    direction: z.enum(['incoming', 'outgoing']).describe('incoming: who calls it; outgoing: what it calls'),
  }),
  output: z.object({ calls: z.array(call) }),
  annotations: looksOnly,
  role: 'reader',
  call: async ({ direction, ...at }, { editor: { language }, call: { signal } }) => {
    const calls = await language.getCallHierarchy(await resolvePlace(at, language, signal), direction, signal);
    return { calls: calls.map((found) => ({ ...found, ranges: [...found.ranges] })) };
  },
});
