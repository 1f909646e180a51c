import * as z from 'zod';
import { answerText, clip, maxChars, note } from './answers.ts';
import { foundOrNote, place, whyNothing } from './languageShapes.ts';
import { resolvePlace } from './symbolPlace.ts';
import { defineTool, looksOnly } from './tool.ts';

const nothing = 'The language service has nothing to say about this place: is it on a name?';

export const getHover = defineTool({
  name: 'get_hover',
  title: 'Get Hover',
  description: 'Returns types, signatures and documentation of what is at a place.',
  input: z.strictObject({ ...place, maxChars }),
  output: z.object({ contents: z.string().describe('Markdown; empty if there is nothing to say'), note }),
  annotations: looksOnly,
  role: 'reader',
  call: async ({ maxChars: most, ...named }, { editor: { language }, call }) => {
    const at = await resolvePlace(named, language, call.signal);
    const { found, note: mistake } = await foundOrNote(language.getHover(at, call.signal), '');
    const why = mistake ?? (found === '' ? await whyNothing(language, at.path, nothing) : undefined);
    return { contents: clip(found, most - 200), ...(why !== undefined && { note: why }) };
  },
  toText: ({ contents, ...endings }) => answerText(contents === '' ? [] : [contents], endings),
});
