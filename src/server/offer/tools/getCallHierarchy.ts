import * as z from 'zod';
import { answerText, clip, nextCursor, note, paged, pageOfList, placeText, rangeText } from './answers.ts';
import { explain, foundOrNote, place, symbolKindText } from './languageShapes.ts';
import { textRange } from './shapes.ts';
import { resolvePlace } from './symbolPlace.ts';
import { defineTool, looksOnly } from './tool.ts';

/** The most places listed for one caller or callee: a function may call another a thousand times. */
const maxRanges = 50;

const call = z.object({
  name: z.string(),
  kind: z.string().describe(symbolKindText),
  path: z.string(),
  range: textRange,
  ranges: z.array(textRange).describe('Where the calls are: in path for incoming ones, in the file asked about for outgoing ones'),
  rangesPath: z.string().optional().describe('The file of ranges, if it is another one'),
  moreRanges: z.int().optional().describe('How many more there are; search_text finds them'),
});

const output = z.object({ calls: z.array(call), note, nextCursor });
type Output = z.input<typeof output>;

const nothing = 'The language service knows no calls here: is the place on the name of a function?';

export const getCallHierarchy = defineTool({
  name: 'get_call_hierarchy',
  title: 'Get Call Hierarchy',
  description: 'Tells who calls the function at a place, or what it calls.',
  input: z.strictObject({
    ...place,
    direction: z.enum(['incoming', 'outgoing']).describe('incoming: who calls it'),
    ...paged,
  }),
  output,
  annotations: looksOnly,
  role: 'reader',
  call: async ({ direction, maxChars, cursor, ...named }, context) => {
    const { language } = context.editor;
    const at = await resolvePlace(named, language, context.call.signal);
    const { found, note: mistake } = await foundOrNote(language.getCallHierarchy(at, direction, context.call.signal), []);
    const why = mistake ?? (await explain(language, at.path, found, nothing));
    return pageOfList({
      items: found.map(({ ranges, functionPath, ...each }) => ({
        ...each,
        name: clip(each.name, maxChars / 5),
        ranges: ranges.slice(0, maxRanges),
        ...(direction === 'outgoing' && functionPath !== undefined && { rangesPath: functionPath }),
        ...(ranges.length > maxRanges && { moreRanges: ranges.length - maxRanges }),
      })),
      asked: { maxChars, cursor },
      query: [direction, at],
      build: (calls, rest): Output => ({ calls: [...calls], ...(why !== undefined && { note: why }), ...rest }),
      toText,
    });
  },
  toText,
});

function toText({ calls, ...endings }: Output): string {
  return answerText(
    calls.map(({ name, kind, ranges, rangesPath, moreRanges, ...where }) => {
      const more = moreRanges === undefined ? '' : ` and ${moreRanges} more`;
      const file = rangesPath === undefined ? '' : ` in ${rangesPath}`;
      return `${placeText(where)} ${kind} ${name}, called${file} at ${ranges.map(rangeText).join(' ')}${more}`;
    }),
    endings,
  );
}
