import { isJsonObject } from '../../../base/json.ts';
import { revealInvisible } from '../../../base/visibleText.ts';

const maxNameLength = 120;

/** The client's own words about itself, safe to show. */
export function callsItself(clientInfo: unknown): string {
  if (!isJsonObject(clientInfo)) {
    return '';
  }
  const { name, title, version } = clientInfo;
  const words = [typeof title === 'string' && title !== '' ? title : name, version].filter((word) => typeof word === 'string');
  return revealInvisible(words.join(' ').replace(/\s+/g, ' ').slice(0, maxNameLength));
}
