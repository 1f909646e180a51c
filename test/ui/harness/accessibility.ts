import assert from 'node:assert/strict';
import axe, { type AxeResults } from 'axe-core';
import type { Locator } from 'playwright-core';

/** Looks at what is inside with axe-core, in the theme that the window has now: names, roles, contrast, order. */
export async function assertAccessible(place: Locator, what: string): Promise<void> {
  const element = await place.elementHandle();
  const frame = await element.ownerFrame();
  assert.ok(frame, `${what} is there`);
  // Not as a script of the page, whose policy forbids it.
  if (!(await frame.evaluate(() => 'axe' in globalThis))) {
    await frame.evaluate(axe.source);
  }
  const { violations } = await element.evaluate(async (node): Promise<Pick<AxeResults, 'violations'>> => {
    // A page lets what is behind it shine through, which axe-core cannot see.
    const behind = document.querySelector('[role="log"]') === null ? 'editor' : 'sideBar';
    document.documentElement.style.backgroundColor = `var(--vscode-${behind}-background)`;
    const { axe: inPage } = globalThis as unknown as { readonly axe: typeof axe };
    return inPage.run(node as Element, { resultTypes: ['violations'] });
  });
  const told = violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => ({ id, help, html, failureSummary })));
  assert.deepEqual(told, [], `axe-core finds nothing in ${what}`);
}

const looked = new Set<string>();

/** The same, once for everything that is called alike but for names and numbers: a look takes its time. */
export async function assertAccessibleOnce(place: Locator, what: string): Promise<void> {
  const kind = what.replace(/“[^”]*”|\d+/g, '…');
  if (!looked.has(kind)) {
    looked.add(kind);
    await assertAccessible(place, what);
  }
}
