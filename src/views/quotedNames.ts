import { nativeText } from './nativeText.ts';

const maxName = 60;

/** Names that others chose, in quotes: where one ends and the sentence goes on is never in doubt. */
export function quotedNames(names: readonly string[], maxNames = 5): string {
  const shown = names.slice(0, maxNames).map((name) => `“${nativeText(name, maxName)}”`);
  return names.length > maxNames ? `${shown.join(', ')}, …` : shown.join(', ');
}
