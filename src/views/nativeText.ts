import { revealInContent, revealInvisible } from '../base/visibleText.ts';
import type { CommandId } from '../contract/commands.ts';

/**
 * Text from outside (a server's name, an error) for VS Code's own notifications, pickers and tooltips. Those turn
 * `[x](command:…)` into links and `$(x)` into icons, so both are taken apart.
 */
export function nativeText(text: string, maxLength = 200): string {
  const flat = revealInvisible(text).replace(/\s+/g, ' ').trim();
  const inert = flat.replace(/\]\(/g, '] (').replace(/\$\(/g, '$ (');
  return inert.length <= maxLength ? inert : `${inert.slice(0, maxLength - 1)}…`;
}

/** A link of ours to a command, around a sentence that may hold text from outside: a bracket in it would begin or end the link. */
export function nativeLink(sentence: string, command: CommandId, argument: string): string {
  const label = nativeText(sentence).replaceAll('[', '(').replaceAll(']', ')');
  // The one character that would end the link is the one that stays as it is.
  const given = encodeURIComponent(JSON.stringify([argument]))
    .replaceAll('(', '%28')
    .replaceAll(')', '%29');
  return `[${label}](command:${command}?${given})`;
}

const maxName = 60;

/** Names that others chose, in quotes: where one ends and the sentence goes on is never in doubt. */
export function quotedNames(names: readonly string[], maxNames = 5): string {
  const shown = names.slice(0, maxNames).map((name) => `“${nativeText(name, maxName)}”`);
  return names.length > maxNames ? `${shown.join(', ')}, …` : shown.join(', ');
}

/** More than a terminal keeps of its past. */
const maxLength = 500_000;

/**
 * Text for a terminal, which takes a control character for an order: to move, to recolour, to write into the clipboard or into
 * what was written before. Each is shown by its name instead.
 */
export function terminalText(text: string): string {
  const shown = text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
  return `${revealInContent(shown).trimEnd().replaceAll('\n', '\r\n')}\r\n`;
}
