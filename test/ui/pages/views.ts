import type { Locator, Page } from 'playwright-core';

const attemptMilliseconds = 3_000;
const attempts = 10;
const choiceMilliseconds = 1_500;

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
    if (name === 'Duplex') {
      await this.unfold('MCP Servers');
    }
  }

  /** A view that leaves the room to another one until somebody wants it. */
  async unfold(view: string): Promise<void> {
    if (!(await this.isUnfolded(view))) {
      await this.header(view).click();
    }
  }

  async fold(view: string): Promise<void> {
    if (await this.isUnfolded(view)) {
      await this.header(view).click();
    }
  }

  async isUnfolded(view: string): Promise<boolean> {
    await this.header(view).waitFor();
    return (await this.header(view).getAttribute('aria-expanded')) === 'true';
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

  /**
   * Presses a button of a server's row. VS Code forgets whose button it was when the tree is drawn anew at that moment, as while a
   * window starts; then Duplex asks which server is meant, and it is pressed again.
   */
  async press(row: Locator, button: RegExp): Promise<void> {
    const unknown = this.page.getByPlaceholder('Choose a server');
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      await row.hover();
      await row.getByRole('button', { name: button }).click();
      const isUnknown = await unknown.waitFor({ timeout: choiceMilliseconds }).then(
        () => true,
        () => false,
      );
      if (!isUnknown) {
        return;
      }
      await this.page.keyboard.press('Escape');
    }
    throw new Error(`A row does not say whose it is when ${String(button)} is pressed.`);
  }

  header(view: string): Locator {
    return this.page.locator('.pane-header').filter({ hasText: view });
  }
}
