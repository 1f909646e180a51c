import { revealInContent, revealInvisible } from '../base/visibleText.ts';
import type { CommandId } from '../contract/commands.ts';
import type { Translate } from './sentences/translate.ts';

/**
 * Makes text from outside (a server's name, an error) safe for VS Code's own notifications, pickers and tooltips: those turn
 * `[x](command:…)` into links and `$(x)` into icons, so both are taken apart.
 */
export function nativeText(text: string, maxLength = 200): string {
  const flat = revealInvisible(text).replace(/\s+/g, ' ').trim();
  const inert = flat.replace(/\]\(/g, '] (').replace(/\$\(/g, '$ (');
  return inert.length <= maxLength ? inert : `${inert.slice(0, maxLength - 1)}…`;
}

/**
 * Makes a sentence a link to a command. Brackets in the sentence, which may hold text from outside, would begin or end the link
 * and are replaced.
 */
export function nativeLink(sentence: string, command: CommandId, argument: string): string {
  const label = nativeText(sentence).replaceAll('[', '(').replaceAll(']', ')');
  // `encodeURIComponent` leaves parentheses as they are, and one of them would end the link.
  const given = encodeURIComponent(JSON.stringify([argument]))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  return `[${label}](command:${command}?${given})`;
}

/** The most characters of each name in a list of names. */
const maxName = 60;
/** The most names in such a list; an ellipsis stands for the rest. */
const maxNames = 5;

/** Lists names that others chose, in the quotes of the language, so that it is clear where a name ends and the sentence goes on. */
export function quotedNames(names: readonly string[], t: Translate): string {
  const shown = names.slice(0, maxNames).map((name) => t('“{0}”', nativeText(name, maxName)));
  return names.length > maxNames ? `${shown.join(', ')}, …` : shown.join(', ');
}

/** The longest text that is written to a terminal; no terminal keeps more in its history. */
const maxLength = 500_000;

/**
 * Makes text safe for a terminal. A terminal obeys control characters: they move the cursor, change colours, write to the
 * clipboard or over earlier lines. Here each is shown by its name instead.
 */
export function terminalText(text: string): string {
  const shown = text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
  return `${revealInContent(shown).trimEnd().replaceAll('\n', '\r\n')}\r\n`;
}
