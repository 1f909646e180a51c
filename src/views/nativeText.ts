import { revealInvisible } from '../base/visibleText.ts';

/**
 * Text from outside (a server's name, an error) for VS Code's own notifications, pickers and tooltips. Those turn
 * `[x](command:…)` into links and `$(x)` into icons, so both are taken apart.
 */
export function nativeText(text: string, maxLength = 200): string {
  const flat = revealInvisible(text).replace(/\s+/g, ' ').trim();
  const inert = flat.replace(/\]\(/g, '] (').replace(/\$\(/g, '$ (');
  return inert.length <= maxLength ? inert : `${inert.slice(0, maxLength - 1)}…`;
}
