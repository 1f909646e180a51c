import * as z from 'zod';
import { paged } from './answers.ts';
import { foundOrNote, locations, locationsText, pageOfLocations, place, whyNothing } from './languageShapes.ts';
import { resolvePlace } from './symbolPlace.ts';
import { defineTool, looksOnly } from './tool.ts';

const nothing = 'The language service knows no definition of what is at this place: is it on a name?';

export const goToDefinition = defineTool({
  name: 'go_to_definition',
  title: 'Go to Definition',
  description: 'Tells where the symbol at a place is defined. Shows nothing in the editor.',
  input: z.strictObject({ ...place, ...paged }),
  output: locations,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ maxChars, cursor, ...named }, { editor: { language }, call }) => {
    const at = await resolvePlace(named, language, call.signal);
    const answer = await foundOrNote(language.goToDefinition(at, call.signal), []);
    const note = answer.note ?? (answer.found.length === 0 ? await whyNothing(language, at.path, nothing) : undefined);
    return pageOfLocations({ ...answer, ...(note !== undefined && { note }) }, { maxChars, cursor }, ['definition', at]);
  },
  toText: locationsText,
});
