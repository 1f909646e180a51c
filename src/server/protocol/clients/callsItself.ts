import { isJsonObject } from '../../../base/json.ts';
import { revealInvisible } from '../../../base/visibleText.ts';

const maxNameLength = 120;
const maxReadLength = 1_000;

/** The client's own words about itself, safe to show. */
export function callsItself(clientInfo: unknown): string {
  if (!isJsonObject(clientInfo)) {
    return '';
  }
  const { name, title, version } = clientInfo;
  const words = [typeof title === 'string' && title !== '' ? title : name, version].filter((word) => typeof word === 'string');
  const shown = words
    .map((word) => word.slice(0, maxReadLength))
    .join(' ')
    .replace(/\s+/g, ' ')
    .slice(0, maxNameLength);
  // A copy: a piece of a text keeps the whole text, and that may be megabytes.
  return revealInvisible(Buffer.from(shown).toString());
}
