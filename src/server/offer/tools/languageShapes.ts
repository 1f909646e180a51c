import * as z from 'zod';
import { hasCode, isAppError } from '../../../base/errors.ts';
import { without } from '../../../base/without.ts';
import type { FoundLocation, LanguagePort } from '../../seen/ports/languagePort.ts';
import { answerText, type Measured, nextCursor, note, pageOfList, placeText } from './answers.ts';
import { pathInput, textRange } from './shapes.ts';

export const symbolName = z.string().min(1).max(500);

/** The parameters that name a place in code: by line and character, or by the name of a symbol. */
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
  return pageOfList({
    items: found,
    asked,
    query,
    build: (shown, next): Locations => {
      const why = [rest.note, shown.some(({ isUnread }) => isUnread === true) ? unread : undefined].filter((each) => each !== undefined);
      const places = shown.map((each) => without(each, 'isUnread'));
      return { locations: places, ...(why.length > 0 && { note: why.join(' ') }), ...next };
    },
    toText: locationsText,
  });
}

const unread = 'Where preview is empty, the file was not read for it: there are too many, or it took too long; read_file shows the line.';

export function locationsText({ locations: found, ...endings }: Locations): string {
  return answerText(
    found.map((each) => `${placeText(each)}: ${previewText(each)}`),
    endings,
  );
}

/** Writes a preview line; of a part it says from which character on. */
export function previewText({ preview, previewStart }: { readonly preview: string; readonly previewStart?: number | undefined }): string {
  return previewStart === undefined ? preview : `(from character ${previewStart}) ${preview}`;
}

export const symbolKindText = 'As VS Code names it, in lower camel case, for example "function" or "enumMember"';

/** Errors about a place that does not exist. They become an empty answer with a note, so that the client learns what is there instead. */
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

/** Says why a language service had no answer about a file. */
export async function whyNothing(language: LanguagePort, path: string, nothing: string): Promise<string> {
  const coverage = await language.coverage(path);
  if (coverage === 'none') {
    return `No language service has answered for this kind of file; none may be installed, or it is still starting. search_text finds text in "${path}".`;
  }
  return coverage === 'alone' ? `${nothing} ${isAlone(path)}` : nothing;
}

/** Says why nothing was found in all files, or why the places found may not be all of them. */
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
