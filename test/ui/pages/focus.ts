import type { Locator } from 'playwright-core';
import { eventually } from './discovery.ts';

/** Something else takes the focus, and has it: what closes by that is closed then. */
export async function takeFocus(element: Locator): Promise<void> {
  await element.focus();
  await untilFocused('what takes it', element);
}

/** Waits until keys go to exactly this element. */
export async function untilFocused(what: string, element: Locator): Promise<void> {
  await eventually(`the focus on ${what}`, async () => ((await isFocused(element)) ? true : undefined));
}

async function isFocused(element: Locator): Promise<boolean> {
  const focused = (node: Element): boolean => node === node.ownerDocument.activeElement && node.ownerDocument.hasFocus();
  return element.evaluate(focused, undefined, { timeout: 1_000 }).catch(() => false);
}
