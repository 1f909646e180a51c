import * as z from 'zod';
import { hasCode, isAppError } from '../../../base/errors.ts';
import type { FoundLocation, LanguagePort } from '../../seen/ports/languagePort.ts';
import { answerText, type Measured, nextCursor, note, pageOf, placeText } from './answers.ts';
import { pathInput, textRange } from './shapes.ts';

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

/** Mistakes about a place: the answer is empty then, and says what is there instead. */
const mistakes = ['editor.noSuchLine', 'editor.noSuchCharacter', 'editor.isFolder'] as const;

export interface Found<T> {
  readonly found: T;
  readonly note?: string;
}

export async function foundOrNote<T>(work: Promise<T>, nothing: T): Promise<Found<T>> {
  try {
    return { found: await work };
  } catch (error) {
    if (isAppError(error) && mistakes.some((code) => hasCode(error, code))) {
      return { found: nothing, note: error.message };
    }
    throw error;
  }
}

/** Why a language service had nothing to say of a file. */
export async function whyNothing(language: LanguagePort, path: string, nothing: string): Promise<string> {
  const coverage = await language.coverage(path);
  if (coverage === 'none') {
    return `No language service has answered for this kind of file; none may be installed, or it is still starting. search_text finds text in "${path}".`;
  }
  return coverage === 'alone' ? `${nothing} ${isAlone(path)}` : nothing;
}

/** The same for what is looked for in all files: what was found may be true and yet not all. */
export async function explain(
  language: LanguagePort,
  path: string,
  found: readonly unknown[],
  nothing: string,
): Promise<string | undefined> {
  if (found.length === 0) {
    return whyNothing(language, path, nothing);
  }
  return (await language.coverage(path)) === 'alone' ? isAlone(path) : undefined;
}

function isAlone(path: string): string {
  return `"${path}" belongs to no tsconfig.json or jsconfig.json, so the language service knows it and what it imports, and no other files: search_text finds a name anywhere.`;
}
