import * as z from 'zod';
import type { FoundLocation } from '../../seen/ports/languagePort.ts';
import { pathInput, textRange } from './shapes.ts';

export const symbolName = z.string().min(1).max(500);

/** What the tools about code share. */
export const place = {
  path: pathInput,
  line: z.int().min(1).optional().describe('1-based'),
  character: z.int().min(1).optional().describe('1-based'),
  symbol: symbolName.optional().describe('Instead of line and character: a name, as "Cart.addItem"'),
};

const maxLocations = 1_000;

export const locations = z.object({
  locations: z.array(
    z.object({
      path: z.string(),
      range: textRange,
      preview: z.string().describe('The line it starts on'),
    }),
  ),
  note: z.string().optional().describe('Only when places were left out'),
});

export function cutLocations(found: readonly FoundLocation[]): z.input<typeof locations> {
  const left = found.length - maxLocations;
  const note = `${left} more places were left out; search_text pages through all lines with the name.`;
  return { locations: found.slice(0, maxLocations), ...(left > 0 && { note }) };
}

export const symbolKindText = 'As VS Code names it, in lower camel case, for example "function" or "enumMember"';
