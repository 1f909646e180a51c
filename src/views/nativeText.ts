import { revealInvisible } from '../base/visibleText.ts';
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
