import { revealInvisible } from '../base/visibleText.ts';

export const maxServerName = 100;

/** What people can read and tell apart: the name is what they are asked about. */
export function isServerName(name: string): boolean {
  return name.trim() !== '' && name.length <= maxServerName && revealInvisible(name) === name && !/[\n\t]/.test(name);
}
