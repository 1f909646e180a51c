import * as z from 'zod';
import { place } from './languageShapes.ts';
import { resolvePlace } from './symbolPlace.ts';
import { defineTool, looksOnly } from './tool.ts';

export const getHover = defineTool({
  name: 'get_hover',
  title: 'Get Hover',
  description: 'Returns what VS Code would show when the mouse rests at a place in a file: types, signatures, documentation.',
  input: z.strictObject(place),
  output: z.object({ contents: z.string().describe('Markdown; empty if there is nothing to say') }),
  annotations: looksOnly,
  role: 'reader',
  call: async (input, { editor, call }) => ({
    contents: await editor.language.getHover(await resolvePlace(input, editor.language, call.signal), call.signal),
  }),
});
