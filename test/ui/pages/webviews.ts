import type { Frame, Page } from 'playwright-core';

const webviewMilliseconds = 30_000;
const lookMilliseconds = 1_000;

/**
 * VS Code keeps webviews beside its layout, not inside the view they belong to, so only the title of the inner frame
 * tells which is which.
 */
export async function webviewByTitle(page: Page, title: string | RegExp, milliseconds = webviewMilliseconds): Promise<Frame> {
  const deadline = Date.now() + milliseconds;
  const seen = new Set<string>();
  while (Date.now() < deadline) {
    // All at once: whoever asks one that goes away meanwhile waits for another to take its place.
    const names = await page.locator('iframe.webview').evaluateAll((outer) => outer.map((each) => each.getAttribute('name') ?? ''));
    // Side by side: one that is not loaded yet does not keep the others waiting.
    const found = await Promise.any(names.map((name) => frameTitled(page, name, title, seen))).catch(() => undefined);
    if (found !== undefined) {
      return found;
    }
    await page.waitForTimeout(100);
  }
  throw new Error(`No webview is titled ${String(title)}; there were: ${[...seen].join(', ')}.`);
}

/** The document inside of the webview of this name; fails where that has another title, or none yet. */
async function frameTitled(page: Page, name: string, title: string | RegExp, seen: Set<string>): Promise<Frame> {
  const inner = page.frameLocator(`iframe.webview[name="${name}"]`).locator('iframe#active-frame');
  const innerTitle = await inner.getAttribute('title', { timeout: lookMilliseconds }).catch(() => null);
  seen.add(innerTitle ?? '(none)');
  if (innerTitle === null || !(typeof title === 'string' ? innerTitle === title : title.test(innerTitle))) {
    throw new Error(`It is titled ${innerTitle ?? '(none)'}.`);
  }
  // A tab that closes at this moment takes its frame along: it is looked for again like one that was never there.
  const frame = await (await inner.elementHandle({ timeout: lookMilliseconds })).contentFrame();
  if (frame === null) {
    throw new Error('It has no document yet.');
  }
  return frame;
}
