import * as z from 'zod';
import { cutLocations, locations, place } from './languageShapes.ts';
import { resolvePlace } from './symbolPlace.ts';
import { defineTool, looksOnly } from './tool.ts';

export const findReferences = defineTool({
  name: 'find_references',
  title: 'Find References',
  description: 'Lists the places in the workspace that refer to the symbol at a place in a file, as the language service finds them.',
  input: z.strictObject({
    ...place,
    includeDeclaration: z.boolean().default(true).describe('Whether the declaration itself is one of them'),
  }),
  output: locations,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ includeDeclaration, ...at }, { editor, call }) => {
    const start = await resolvePlace(at, editor.language, call.signal);
    return cutLocations(await editor.language.findReferences(start, includeDeclaration, call.signal));
  },
});
