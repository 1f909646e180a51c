import * as z from 'zod';
import { paged } from './answers.ts';
import { explain, foundOrNote, locations, locationsText, pageOfLocations, place } from './languageShapes.ts';
import { resolvePlace } from './symbolPlace.ts';
import { defineTool, looksOnly } from './tool.ts';

const nothing = 'The language service knows no reference to what is at this place: is it on a name?';

export const findReferences = defineTool({
  name: 'find_references',
  title: 'Find References',
  description: 'Lists the places that refer to the symbol at a place.',
  input: z.strictObject({
    ...place,
    includeDeclaration: z.boolean().default(true).describe('Also the declaration itself'),
    ...paged,
  }),
  output: locations,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ includeDeclaration, maxChars, cursor, ...named }, { editor: { language }, call }) => {
    const at = await resolvePlace(named, language, call.signal);
    const answer = await foundOrNote(language.findReferences(at, includeDeclaration, call.signal), []);
    const note = answer.note ?? (await explain(language, at.path, answer.found, nothing));
    return pageOfLocations({ ...answer, ...(note !== undefined && { note }) }, { maxChars, cursor }, [includeDeclaration, at]);
  },
  toText: locationsText,
});
