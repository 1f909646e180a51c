import { isJsonObject } from '../../../base/json.ts';
import { revealInvisible } from '../../../base/visibleText.ts';

const maxNameLength = 120;
const maxReadLength = 1_000;

/** For one client that says it with every request: worked out again only when its words are others. */
export function rememberingCallsItself(): typeof callsItself {
  let words: readonly unknown[] = [];
  let shown = '';
  return (clientInfo) => {
    if (!isJsonObject(clientInfo)) {
      return '';
    }
    const { name, title, version } = clientInfo;
    if (name === words[0] && title === words[1] && version === words[2] && words.length > 0) {
      return shown;
    }
    const said = [name, title, version];
    // What is long is not kept, nor what is no text.
    words = said.every((word) => word === undefined || (typeof word === 'string' && word.length <= maxNameLength)) ? said : [];
    shown = callsItself(clientInfo);
    return shown;
  };
}

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
