import * as z from 'zod';
import { cutLocations, locations, place } from './languageShapes.ts';
import { resolvePlace } from './symbolPlace.ts';
import { defineTool, looksOnly } from './tool.ts';

export const goToDefinition = defineTool({
  name: 'go_to_definition',
  title: 'Go to Definition',
  description: 'Tells where the symbol at a place in a file is defined. Shows nothing in the editor.',
  input: z.strictObject(place),
  output: locations,
  annotations: looksOnly,
  role: 'reader',
  call: async (input, { editor, call }) =>
    cutLocations(await editor.language.goToDefinition(await resolvePlace(input, editor.language, call.signal), call.signal)),
});
