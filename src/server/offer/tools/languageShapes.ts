import * as z from 'zod';
import type { FoundLocation } from '../../seen/ports/languagePort.ts';
import { nextCursor, note, pageOf, type Measured } from './budget.ts';
import type { Found } from './languageNotes.ts';
import { pathInput, textRange } from './shapes.ts';
import { answerText, placeText } from './texts.ts';

export const symbolName = z.string().min(1).max(500);

/** What the tools about code share. */
export const place = {
  path: pathInput,
  line: z.int().min(1).optional().describe('1-based'),
  character: z.int().min(1).optional().describe('1-based'),
  symbol: symbolName.optional().describe('Instead of line and character: a name, as "Cart.addItem"'),
};

export const locations = z.object({
  locations: z.array(
    z.object({
      path: z.string(),
      range: textRange,
      preview: z.string().describe('The line it starts on, or the part of a long one'),
      previewStart: z.int().optional().describe('Only of a part: at which character of the line it starts'),
    }),
  ),
  note,
  nextCursor,
});
type Locations = z.input<typeof locations>;

export function pageOfLocations(
  { found, ...rest }: Found<readonly FoundLocation[]>,
  asked: { readonly maxChars: number; readonly cursor?: string | undefined },
  query: readonly unknown[],
): Measured<Locations> {
  return pageOf({
    items: found,
    asked,
    query,
    build: (shown, next): Locations => ({ locations: [...shown], ...rest, ...next }),
    toText: locationsText,
  });
}

export function locationsText({ locations: found, ...endings }: Locations): string {
  return answerText(
    found.map((each) => `${placeText(each)}: ${previewText(each)}`),
    endings,
  );
}

/** The line, or `(from 160) …` where it is only a part of one. */
export function previewText({ preview, previewStart }: { readonly preview: string; readonly previewStart?: number | undefined }): string {
  return previewStart === undefined ? preview : `(from character ${previewStart}) ${preview}`;
}

export const symbolKindText = 'As VS Code names it, in lower camel case, for example "function" or "enumMember"';
