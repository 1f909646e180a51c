import type { Locator, Page } from 'playwright-core';

const attemptMilliseconds = 3_000;
const attempts = 10;

/** The side bar's view containers and the trees inside them. */
export class Views {
  constructor(private readonly page: Page) {}

  async open(name: string): Promise<void> {
    const entry = this.page.locator('.activitybar').getByRole('tab', { name });
    await entry.waitFor({ timeout: 60_000 }); // extensions of a new window take their time on a busy machine
    const title = this.page.locator('.part.sidebar .composite.title', { hasText: name });
    // A window that starts may open the container by itself between the look and the click, which then closes it again.
    for (let attempt = 1; attempt < attempts && !(await title.isVisible()); attempt += 1) {
      if ((await entry.getAttribute('aria-selected')) !== 'true') {
        await entry.click();
      }
      await title.waitFor({ timeout: attemptMilliseconds }).catch(() => undefined);
    }
    await title.waitFor();
  }

  /** The number on a container's icon. */
  badge(name: string): Locator {
    return this.page.locator('.activitybar').getByRole('tab', { name }).locator('.badge-content');
  }

  /** The rows of a tree view in the open container. */
  rows(view: string): Locator {
    return this.page
      .locator('.part.sidebar .pane')
      .filter({ has: this.header(view) })
      .locator('.monaco-list-row');
  }

  /** Shows the rows of a view, which others may have done before. */
  async unfold(view: string): Promise<void> {
    if ((await this.header(view).getAttribute('aria-expanded')) !== 'true') {
      await this.header(view).click();
    }
  }

  header(view: string): Locator {
    return this.page.locator('.pane-header').filter({ hasText: view });
  }
}
