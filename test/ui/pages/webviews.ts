import type { Frame, Page } from 'playwright-core';

const webviewMilliseconds = 30_000;
const innerFrame = 'iframe#active-frame';

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
    for (const name of names) {
      const frame = page.frameLocator(`iframe.webview[name="${name}"]`);
      const innerTitle = await frame
        .locator(innerFrame)
        .getAttribute('title', { timeout: 1000 })
        .catch(() => null);
      if (innerTitle !== null && (typeof title === 'string' ? innerTitle === title : title.test(innerTitle))) {
        const inner = await frame
          .locator(innerFrame)
          .elementHandle({ timeout: 1000 })
          .catch(() => null);
        // A tab that closes at this moment takes its frame along: it is looked for again like one that was never there.
        const found = await inner?.contentFrame().catch(() => null);
        if (found) {
          return found;
        }
      }
      seen.add(innerTitle ?? '(none)');
    }
    await page.waitForTimeout(200);
  }
  throw new Error(`No webview is titled ${String(title)}; there were: ${[...seen].join(', ')}.`);
}
