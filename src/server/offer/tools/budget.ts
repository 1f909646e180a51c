import * as z from 'zod';

/** What an answer holds unless the caller asks for more: as text, and as much again as structure. */
const usualChars = 25_000;

export const maxChars = z.int().min(1_000).max(200_000).default(usualChars).describe('Most characters of the answer');

/**
 * The first items that fit, both as structure and as the text made of them; one at least, so that paging goes on. `kept` is
 * for what else is in the answer.
 */
export function fitItems<T>(items: readonly T[], most: number, toText: (item: T) => string, kept = 500): readonly T[] {
  let structure = kept;
  let text = kept;
  const fitting = items.findIndex((item) => {
    structure += JSON.stringify(item).length + 1;
    text += toText(item).length + 1;
    return structure > most || text > most;
  });
  return fitting < 0 ? items : items.slice(0, Math.max(1, fitting));
}
