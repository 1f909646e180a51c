import { hasCode, isAppError } from '../../../base/errors.ts';
import type { LanguagePort } from '../../seen/ports/languagePort.ts';

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
