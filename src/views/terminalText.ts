import { revealInContent } from '../base/visibleText.ts';

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
